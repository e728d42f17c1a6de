/**
 * What the gateway says instead of an answer (RFC 9457). A type is stable: programs tell problems apart by it, people
 * read `detail`. The statuses are the gateway's own: what the venue answered is in `detail`.
 */
export const PROBLEMS = {
  'budget-spent': { status: 429, title: 'The venue’s request budget is spent.' },
  'clock-skew': { status: 502, title: 'This machine’s clock is not the venue’s.' },
  'key-refused': { status: 502, title: 'The venue refuses the key.' },
  'venue-unreachable': { status: 502, title: 'The venue cannot be reached.' },
  'venue-timeout': { status: 504, title: 'The venue did not answer in time.' },
  'venue-fault': { status: 502, title: 'The venue failed.' },
  'venue-answer-unreadable': { status: 502, title: 'The venue’s answer is broken.' },
  'too-many-working-orders': { status: 400, title: 'More than 10,000 working orders match: narrow by account or product.' },
  'bad-parameter': { status: 400, title: 'A parameter is not of the interface.' },
  'not-found': { status: 404, title: 'The venue does not know it.' },
  'not-in-the-interface': { status: 404, title: 'There is no such path in the interface.' },
  'method-not-allowed': { status: 405, title: 'The interface only reads: GET or HEAD.' },
  'address-too-long': { status: 414, title: 'The path and query are too long.' },
  'cross-site': { status: 403, title: 'Only pages of this origin may ask.' },
  'desk-fault': { status: 500, title: 'The desk itself failed.' },
} as const;

export type ProblemType = keyof typeof PROBLEMS;

/** `type` of a problem document is this and the problem's type. */
export const PROBLEM_PREFIX = 'urn:perpdesk:problem:';

export interface ProblemDocument {
  readonly type: `${typeof PROBLEM_PREFIX}${ProblemType}`;
  readonly title: string;
  readonly status: number;
  /** A sentence that says what happened and what to do. */
  readonly detail: string;
  /** The request's id, as in the log. */
  readonly instance: string;
  /** The parameter that is wrong. */
  readonly parameter?: string;
  /** When it is worth asking again, in seconds from now; `Retry-After` says the same. */
  readonly retryAfter?: number;
}
