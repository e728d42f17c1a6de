import { setBounded } from '#server/core/bounded-map.ts';
import { isMoreUrgent, type Purpose } from '#server/core/ports.ts';
import { VenueFailure, withRemainingTime } from '#server/core/venue-failure.ts';

/** Remembers failures for a moment, so that equal requests do not each repeat them upstream and spend the budget. */
export interface NegativeCache {
  /** The failure that a read for this purpose would repeat; undefined for a purpose that waits longer or retries more than the failed read did. */
  readonly find: (key: string, purpose: Purpose) => VenueFailure | undefined;
  readonly put: (key: string, purpose: Purpose, failure: VenueFailure) => void;
  /** The exchange has responded to this key: forgets its failure, and all that failed because the exchange was unreachable. */
  readonly succeeded: (key: string) => void;
}

interface Entry {
  readonly purpose: Purpose;
  readonly failure: VenueFailure;
  readonly until: number;
}

/** For failures without a retry time of their own. */
const DEFAULT_MS = 10_000;
const MAX_ENTRIES = 1_000;

export function createNegativeCache(elapsed: () => number): NegativeCache {
  const entries = new Map<string, Entry>();
  return {
    find: (key, purpose) => {
      const entry = entries.get(key);
      if (entry === undefined || elapsed() >= entry.until || mayDoBetter(purpose, entry)) return undefined;
      const { failure, until } = entry;
      return new VenueFailure(withRemainingTime(failure.problem, until, elapsed()), failure);
    },
    put: (key, purpose, failure) => {
      const { retryAfterSeconds } = failure.problem;
      const lastsMs = retryAfterSeconds === undefined ? DEFAULT_MS : retryAfterSeconds * 1_000;
      setBounded(entries, key, { purpose, failure, until: elapsed() + lastsMs }, MAX_ENTRIES);
    },
    succeeded: (responded) => {
      entries.delete(responded);
      for (const [key, { failure }] of entries) if (failure.problem.type === 'venue-unreachable') entries.delete(key);
    },
  };
}

/** No purpose helps before a time that the exchange itself has named. */
function mayDoBetter(purpose: Purpose, entry: Entry): boolean {
  return entry.failure.problem.retryAfterSeconds === undefined && isMoreUrgent(purpose, entry.purpose);
}
