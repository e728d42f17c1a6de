import type { Endpoint } from '#contract/endpoints.ts';
import { WORKING_ORDERS_LIMIT } from '#contract/order.ts';
import { SIGNATURE_WINDOW_MS } from '#contract/signing.ts';

/** Errors are bare statuses. Where there is a body it is one sentence; nothing may be read out of it. */
const sentence = { 'text/plain': { schema: { type: 'string', description: 'A sentence, or nothing.' } } } as const;

export const ERROR_RESPONSES = {
  BadRequest: {
    description:
      'A parameter is unknown, given twice or not of its grammar; the identity or the signature is absent or cannot be ' +
      `read; or more than ${String(WORKING_ORDERS_LIMIT)} working orders match (an answer is never cut).`,
    content: sentence,
  },
  Unauthorized: {
    description:
      'The connection is not known, the signature is wrong, or the timestamp is more than ' +
      `${String(SIGNATURE_WINDOW_MS / 1_000)} seconds off. No body.`,
  },
  Forbidden: {
    description: 'Too many requests (200 in 5 minutes; there is no 429), or authentication failed.',
    content: sentence,
  },
  NotFound: { description: 'Nothing is here: an unknown path, product or base symbol.', content: sentence },
  MethodNotAllowed: { description: 'The interface only reads: GET.', content: sentence },
  UriTooLong: { description: 'The path and query are too long.', content: sentence },
} as const;

type ErrorResponse = keyof typeof ERROR_RESPONSES;

export function errorResponsesOf(endpoint: Endpoint): Record<string, object> {
  return {
    '400': refer('BadRequest'),
    ...(endpoint.access === 'signed' && { '401': refer('Unauthorized') }),
    '403': refer('Forbidden'),
    '404': refer('NotFound'),
    '405': refer('MethodNotAllowed'),
    '414': refer('UriTooLong'),
  };
}

function refer(name: ErrorResponse): object {
  return { $ref: `#/components/responses/${name}` };
}
