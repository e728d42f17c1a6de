import type { Problem } from './ports.ts';

/** A problem told once more, by a clock that goes on evenly: whoever hears of it later has less time to wait. */
export function withTimeLeft(problem: Problem, until: number, elapsed: number): Problem {
  return problem.retryAfterSeconds === undefined ? problem : { ...problem, retryAfterSeconds: Math.ceil((until - elapsed) / 1_000) };
}
