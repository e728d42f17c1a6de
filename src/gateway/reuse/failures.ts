import { keepLatest } from '../keep-latest.ts';
import { isMoreUrgent, VenueFailure, type Purpose } from '../ports.ts';
import { withTimeLeft } from '../time-left.ts';

/** What failed a moment ago: to try it anew for each who asks would spend the budget by the number of those who ask. */
export interface Failures {
  /** What this purpose would only meet again; undefined for one that waits longer, or is tried more often, than what failed. */
  readonly find: (key: string, purpose: Purpose) => VenueFailure | undefined;
  readonly note: (key: string, purpose: Purpose, failure: VenueFailure) => void;
  readonly forget: (key: string) => void;
}

interface Failed {
  readonly purpose: Purpose;
  readonly failure: VenueFailure;
  readonly until: number;
}

/** Where the failure does not say itself when it is worth asking again. */
const REMEMBERED_MS = 10_000;
const MOST_REMEMBERED = 1_000;

export function createFailures(elapsed: () => number): Failures {
  const failures = new Map<string, Failed>();
  return {
    find: (key, purpose) => {
      const failed = failures.get(key);
      if (failed === undefined || elapsed() >= failed.until || mayDoBetter(purpose, failed)) return undefined;
      const { failure, until } = failed;
      return new VenueFailure(withTimeLeft(failure.problem, until, elapsed()), failure);
    },
    note: (key, purpose, failure) => {
      const { retryAfterSeconds } = failure.problem;
      const lastsMs = retryAfterSeconds === undefined ? REMEMBERED_MS : retryAfterSeconds * 1_000;
      keepLatest(failures, key, { purpose, failure, until: elapsed() + lastsMs }, MOST_REMEMBERED);
    },
    forget: (key) => {
      failures.delete(key);
    },
  };
}

/** Patience does not help before the time that the venue itself has named. */
function mayDoBetter(purpose: Purpose, failed: Failed): boolean {
  return failed.failure.problem.retryAfterSeconds === undefined && isMoreUrgent(purpose, failed.purpose);
}
