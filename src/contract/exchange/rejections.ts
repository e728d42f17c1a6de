import { WORKING_ORDERS_LIMIT } from './order.ts';
import { SIGNATURE_WINDOW_MS } from './signing.ts';

/**
 * The exchange allows this many requests in this time and rejects more with 403 (not 429), without a header that says
 * so.
 */
export const VENUE_BUDGET = { requests: 200, seconds: 300 } as const;

/** A status other than 200 that the exchange returns by its own rules. */
export interface Rejection {
  readonly status: number;
  readonly name: string;
  readonly meaning: string;
  /** A body is one sentence for people, which programs must not parse. */
  readonly body: 'sentence' | 'none';
  /** Whether only private endpoints return it. */
  readonly signedOnly: boolean;
}

const everywhere = { body: 'sentence', signedOnly: false } as const;

/** Errors are bare statuses, because the interface specifies no body. Two of them have several meanings. */
export const REJECTIONS = [
  {
    ...everywhere,
    status: 400,
    name: 'BadRequest',
    meaning:
      'A parameter is unknown, repeated or invalid; the identity or the signature is missing or ' +
      'unreadable; or more than ' +
      `${String(WORKING_ORDERS_LIMIT)} working orders match (responses are never truncated).`,
  },
  {
    status: 401,
    name: 'Unauthorized',
    meaning:
      'The connection is unknown, the signature is wrong, or the timestamp is more than ' +
      `${String(SIGNATURE_WINDOW_MS / 1_000)} seconds off. No body.`,
    body: 'none',
    signedOnly: true,
  },
  {
    ...everywhere,
    status: 403,
    name: 'Forbidden',
    meaning:
      `Too many requests (${String(VENUE_BUDGET.requests)} in ${String(VENUE_BUDGET.seconds / 60)} ` +
      'minutes; there is no 429), ' +
      'or authentication failed.',
  },
  {
    ...everywhere,
    status: 404,
    name: 'NotFound',
    meaning: 'Unknown path, product or base symbol.',
  },
  { ...everywhere, status: 405, name: 'MethodNotAllowed', meaning: 'The interface is read-only: use GET.' },
  { ...everywhere, status: 414, name: 'UriTooLong', meaning: 'The path and query are too long.' },
] as const satisfies readonly Rejection[];

/** Clause 7: the body of `GET /orders/working` with status 400 if more orders match than the limit. */
export const TOO_MANY_WORKING_ORDERS =
  `More than ${String(WORKING_ORDERS_LIMIT)} working orders match: narrow the ` + 'request by account or product.';

/**
 * Returns whether an error is that of clause 7. The exchange words it; the interface promises only the number and the
 * word.
 */
export function isTooManyWorkingOrders(status: number, body: string): boolean {
  return status === 400 && /(?<!\d)10[,. ]?000(?!\d)/.test(body) && /orders/i.test(body);
}
