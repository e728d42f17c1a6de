import { integer, text } from '../exchange/fields.ts';
import { WORKING_ORDERS_LIMIT_TEXT } from '../exchange/order.ts';
import { list, optional, row, type Static } from '../exchange/schema.ts';

/**
 * The problems that Perpdesk reports (RFC 9457). Types are stable, for programs; `detail` is for people. The status is
 * Perpdesk's own: `detail` contains that of the exchange.
 */
export const PROBLEMS = {
  'budget-spent': { status: 429, title: 'Waiting for the request budget' },
  'clock-skew': { status: 502, title: 'Clock offset too large' },
  'key-refused': { status: 502, title: 'Access denied by the exchange' },
  'venue-unreachable': { status: 502, title: 'Exchange unreachable' },
  'venue-timeout': { status: 504, title: 'Exchange timed out' },
  'venue-fault': { status: 502, title: 'Exchange error' },
  'venue-answer-unreadable': { status: 502, title: 'Invalid response from the exchange' },
  'too-many-working-orders': {
    status: 400,
    title: `More than ${WORKING_ORDERS_LIMIT_TEXT} working orders match`,
  },
  'bad-parameter': { status: 400, title: 'Invalid parameter' },
  'bad-body': { status: 400, title: 'Invalid body' },
  'body-too-large': { status: 413, title: 'Body too large' },
  'body-not-json': { status: 415, title: 'Body is not JSON' },
  'action-not-named': { status: 403, title: 'Action not named' },
  'changed-meanwhile': { status: 409, title: 'Changed meanwhile' },
  'too-soon': { status: 429, title: 'Too soon' },
  'not-found': { status: 404, title: 'Not found at the exchange' },
  'not-in-the-interface': { status: 404, title: 'Unknown path' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'address-too-long': { status: 414, title: 'URL too long' },
  'not-signed-in': { status: 401, title: 'Not signed in' },
  'not-allowed': { status: 403, title: 'Not allowed' },
  'recent-sign-in-needed': { status: 403, title: 'Recent sign-in needed' },
  'cross-site': { status: 403, title: 'Cross-site request rejected' },
  'too-many-streams': { status: 503, title: 'Too many live streams' },
  'desk-cannot-read': { status: 503, title: 'Perpdesk cannot read its store' },
  'desk-cannot-write': { status: 503, title: 'Perpdesk cannot write to its store' },
  'leader-silent': { status: 503, title: 'The leading Perpdesk does not respond' },
  'desk-fault': { status: 500, title: 'Internal error in Perpdesk' },
} as const;

export type ProblemType = keyof typeof PROBLEMS;

/** The `type` of a problem document is this prefix and a problem type. */
export const PROBLEM_PREFIX = 'urn:perpdesk:problem:';

const BodyError = row('BodyError', 'A mistake in the body of a request.', {
  path: text('Where it is, for example `$.filter.side`.'),
  detail: text('What is expected there, and what was found.'),
});
export type BodyError = Static<typeof BodyError>;

/** The body of a problem: `application/problem+json`. */
export const ProblemDocument = row('ProblemDocument', 'A problem that Perpdesk reports.', {
  type: text('Problem type for programs, with its prefix.'),
  title: text('Problem type for people.'),
  status: integer('HTTP status of this response.'),
  detail: text('What happened and what to do, in a sentence.'),
  instance: text('The request’s id in the log.'),
  parameter: optional(text('The invalid parameter.')),
  errors: optional(list(BodyError)),
  retryAfter: optional(integer('Seconds until a retry may succeed; equals `Retry-After`.')),
});
export type ProblemDocument = Static<typeof ProblemDocument>;

/** Returns the type of a problem; null for an unknown one, which may come from a proxy or a newer Perpdesk. */
export function toProblemType({ type }: Pick<ProblemDocument, 'type'>): ProblemType | null {
  const name = type.startsWith(PROBLEM_PREFIX) ? type.slice(PROBLEM_PREFIX.length) : '';
  return isProblemType(name) ? name : null;
}

function isProblemType(name: string): name is ProblemType {
  return Object.hasOwn(PROBLEMS, name);
}
