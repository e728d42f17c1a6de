import { WORKING_ORDERS_LIMIT } from './order.ts';
import { SIGNATURE_WINDOW_MS } from './signing.ts';

/** The venue answers this many requests in this time and refuses more, with 403 (not 429) and no header that tells. */
export const VENUE_BUDGET = { requests: 200, seconds: 300 } as const;

/** An answer other than 200 that the venue gives by its own rules. */
export interface Refusal {
  readonly status: number;
  readonly name: string;
  readonly meaning: string;
  /** Where there is a body it is one sentence for people; nothing may be read out of it. */
  readonly body: 'sentence' | 'none';
  /** Private endpoints only. */
  readonly signedOnly: boolean;
}

const everywhere = { body: 'sentence', signedOnly: false } as const;

/** Errors are bare statuses (the interface shows no shape of a body), and two of them have more than one meaning. */
export const REFUSALS = [
  {
    ...everywhere,
    status: 400,
    name: 'BadRequest',
    meaning:
      'A parameter is unknown, given twice or not of its grammar; the identity or the signature is absent or cannot be ' +
      `read; or more than ${String(WORKING_ORDERS_LIMIT)} working orders match (an answer is never cut).`,
  },
  {
    status: 401,
    name: 'Unauthorized',
    meaning:
      'The connection is not known, the signature is wrong, or the timestamp is more than ' +
      `${String(SIGNATURE_WINDOW_MS / 1_000)} seconds off. No body.`,
    body: 'none',
    signedOnly: true,
  },
  {
    ...everywhere,
    status: 403,
    name: 'Forbidden',
    meaning:
      `Too many requests (${String(VENUE_BUDGET.requests)} in ${String(VENUE_BUDGET.seconds / 60)} minutes; there is no 429), ` +
      'or authentication failed.',
  },
  {
    ...everywhere,
    status: 404,
    name: 'NotFound',
    meaning: 'Nothing is here: an unknown path, product or base symbol.',
  },
  { ...everywhere, status: 405, name: 'MethodNotAllowed', meaning: 'The interface only reads: GET.' },
  { ...everywhere, status: 414, name: 'UriTooLong', meaning: 'The path and query are too long.' },
] as const satisfies readonly Refusal[];

/** Clause 7: what `GET /orders/working` says, with status 400, where more orders match than it may answer. */
export const TOO_MANY_WORKING_ORDERS = `More than ${String(WORKING_ORDERS_LIMIT)} working orders match: narrow the request by account or product.`;

/** Whether a refusal is the one of clause 7. Its wording is the venue's; the interface promises what it speaks of. */
export function isTooManyWorkingOrders(status: number, body: string): boolean {
  return status === 400 && /(?<!\d)10[,. ]?000(?!\d)/.test(body) && /orders/i.test(body);
}
