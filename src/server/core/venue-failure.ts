import type { BodyError, ProblemType } from '#contract/desk/problems.ts';

/** Why there is no response, for people. */
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

/** False for a request that Perpdesk itself did not send: that says nothing about the exchange. */
export function concernsVenue({ problem }: VenueFailure): boolean {
  return !OWN_FAILURES.includes(problem.type);
}

const OWN_FAILURES: readonly ProblemType[] = ['budget-spent', 'desk-cannot-read', 'desk-cannot-write'];

export function isProblemOf(error: unknown, type: ProblemType): error is VenueFailure {
  return error instanceof VenueFailure && error.problem.type === type;
}

/** The exchange rejects the request as it is written; another form of it may be accepted. */
export function isRejectedRequest(error: unknown): boolean {
  return isProblemOf(error, 'bad-parameter');
}

/** No permit for a read now. `describe` turns the time left into a sentence. */
export function budgetSpent(waitMs: number, describe: (wait: string) => string): VenueFailure {
  const seconds = Number.isFinite(waitMs) ? Math.max(1, Math.ceil(waitMs / 1_000)) : 1;
  return new VenueFailure({
    type: 'budget-spent',
    detail: describe(`${String(seconds)} s`),
    retryAfterSeconds: seconds,
  });
}

/** A remembered problem, with `Retry-After` reduced by the time that has passed since. */
export function withRemainingTime(problem: Problem, until: number, elapsed: number): Problem {
  return problem.retryAfterSeconds === undefined
    ? problem
    : { ...problem, retryAfterSeconds: Math.ceil((until - elapsed) / 1_000) };
}
