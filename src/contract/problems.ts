import { integer, text } from './fields.ts';
import { optional, row, type Static } from './schema.ts';

/**
 * What the gateway says instead of an answer (RFC 9457). A type is stable: programs tell problems apart by it, people
 * read `detail`. The statuses are the gateway's own: what the venue answered is in `detail`.
 */
export const PROBLEMS = {
  'budget-spent': { status: 429, title: 'The venue’s request budget allows no more for now.' },
  'clock-skew': { status: 502, title: 'This machine’s clock is not the venue’s.' },
  'key-refused': { status: 502, title: 'The venue refuses the key.' },
  'venue-unreachable': { status: 502, title: 'The venue cannot be reached.' },
  'venue-timeout': { status: 504, title: 'The venue did not answer in time.' },
  'venue-fault': { status: 502, title: 'The venue failed.' },
  'venue-answer-unreadable': { status: 502, title: 'The venue’s answer is broken.' },
  'too-many-working-orders': {
    status: 400,
    title: 'More than 10,000 working orders match: narrow by account or product.',
  },
  'bad-parameter': { status: 400, title: 'A parameter is not of the interface.' },
  'not-found': { status: 404, title: 'The venue does not know it.' },
  'not-in-the-interface': { status: 404, title: 'There is no such path in the interface.' },
  'method-not-allowed': { status: 405, title: 'The interface only reads: GET or HEAD.' },
  'address-too-long': { status: 414, title: 'The path and query are too long.' },
  'cross-site': { status: 403, title: 'Only pages of this origin may ask.' },
  'desk-cannot-write': { status: 503, title: 'The desk cannot write to its disk.' },
  'desk-fault': { status: 500, title: 'The desk itself failed.' },
} as const;

/** The types there are. */
export type ProblemType = keyof typeof PROBLEMS;

/** `type` of a problem document is this and the problem's type. */
export const PROBLEM_PREFIX = 'urn:perpdesk:problem:';

/** What the body of a problem is: `application/problem+json`. */
export const ProblemDocument = row('ProblemDocument', 'What the gateway says instead of an answer.', {
  type: text('What went wrong, as programs tell it: the prefix and a type.'),
  title: text('The same for people, always in these words.'),
  status: integer('The HTTP status of this answer.'),
  detail: text('A sentence that says what happened and what to do.'),
  instance: text('The request’s id, as in the log.'),
  parameter: optional(text('The parameter that is wrong.')),
  retryAfter: optional(integer('When it is worth asking again, in seconds from now; `Retry-After` says the same.')),
});
export type ProblemDocument = Static<typeof ProblemDocument>;

/** The type of a problem, or null for one that is not on the list (a proxy's, or a newer desk's). */
export function toProblemType({ type }: Pick<ProblemDocument, 'type'>): ProblemType | null {
  const name = type.startsWith(PROBLEM_PREFIX) ? type.slice(PROBLEM_PREFIX.length) : '';
  return isProblemType(name) ? name : null;
}

function isProblemType(name: string): name is ProblemType {
  return Object.hasOwn(PROBLEMS, name);
}
