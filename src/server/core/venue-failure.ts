import type { BodyError, ProblemType } from '#contract/desk/problems.ts';

/** Returns a sentence about the mistakes in a body; `first` is the place of the first one. */
export function describeMistakes(count: number, first: string): string {
  return count === 1
    ? `The body has a mistake at ${first}.`
    : `The body has ${String(count)} mistakes, the first at ${first}.`;
}

/** Why there is no response, in words for people. */
export interface Problem {
  readonly type: ProblemType;
  /** A sentence that says what happened and what to do. */
  readonly detail: string;
  /** The invalid parameter, if known. */
  readonly parameter?: string;
  /** All mistakes in the body. */
  readonly errors?: readonly BodyError[];
  /** The methods that the path has. */
  readonly methods?: readonly string[];
  readonly retryAfterSeconds?: number;
}

export class VenueFailure extends Error {
  override readonly name = 'VenueFailure';
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(problem.detail, { cause });
    this.problem = problem;
  }
}

/**
 * The permit of a request no longer counts, or has been used: another one is needed. A read whose permits become void
 * again and again waits in vain for a connection to the exchange.
 */
export class VoidPermit extends VenueFailure {
  constructor() {
    super({ type: 'venue-timeout', detail: 'The exchange did not respond in time.' });
  }
}

/** Returns false for a request that Perpdesk itself did not send, which says nothing about the exchange. */
export function concernsVenue({ problem }: VenueFailure): boolean {
  return !OWN_FAILURES.includes(problem.type);
}

const OWN_FAILURES: readonly ProblemType[] = ['budget-spent', 'desk-cannot-read', 'desk-cannot-write'];

export function isProblemOf(error: unknown, type: ProblemType): error is VenueFailure {
  return error instanceof VenueFailure && error.problem.type === type;
}

/** Ignores failures of these types, which the store reports itself. */
export async function ignoring(work: Promise<void>, ...types: readonly ProblemType[]): Promise<void> {
  await work.catch((error: unknown) => {
    if (!types.some((type) => isProblemOf(error, type))) throw error;
  });
}

/** Whether the exchange rejects the request in this form; another form may be accepted. */
export function isRejectedRequest(error: unknown): boolean {
  return isProblemOf(error, 'bad-parameter');
}

/** Returns the failure of a read without a permit. `describe` turns the remaining time into a sentence. */
export function budgetSpent(waitMs: number, describe: (wait: string) => string): VenueFailure {
  const seconds = Number.isFinite(waitMs) ? Math.max(1, Math.ceil(waitMs / 1_000)) : 1;
  return new VenueFailure({
    type: 'budget-spent',
    detail: describe(`${String(seconds)} s`),
    retryAfterSeconds: seconds,
  });
}

/** Returns a remembered problem with `Retry-After` reduced by the time that has passed. */
export function withRemainingTime(problem: Problem, until: number, elapsed: number): Problem {
  return problem.retryAfterSeconds === undefined
    ? problem
    : { ...problem, retryAfterSeconds: Math.ceil((until - elapsed) / 1_000) };
}
