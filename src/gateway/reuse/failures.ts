import { isMoreUrgent, type Purpose, type VenueFailure } from '../ports.ts';

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
  readonly at: number;
}

const REMEMBERED_MS = 10_000;

export function createFailures(elapsed: () => number): Failures {
  /** The oldest first. */
  const failures = new Map<string, Failed>();
  const forgetOld = (): void => {
    for (const [key, { at }] of failures) {
      if (elapsed() - at < REMEMBERED_MS) return;
      failures.delete(key);
    }
  };
  return {
    find: (key, purpose) => {
      const failed = failures.get(key);
      if (failed === undefined || elapsed() - failed.at >= lastingMs(failed) || isMoreUrgent(purpose, failed.purpose)) return undefined;
      return failed.failure;
    },
    note: (key, purpose, failure) => {
      forgetOld();
      failures.delete(key);
      failures.set(key, { purpose, failure, at: elapsed() });
    },
    forget: (key) => {
      failures.delete(key);
    },
  };
}

/** No longer than it says itself. */
function lastingMs({ failure }: Failed): number {
  return Math.min(REMEMBERED_MS, (failure.problem.retryAfterSeconds ?? Infinity) * 1_000);
}
