import { setBounded } from '#server/core/bounded-map.ts';
import { hashOf } from './secrets.ts';

/** Counts failures within a window, by key. However long a key is, only its hash is kept, and nothing once the window is over. */
export interface FailureCounter {
  /** 0, or the milliseconds until another attempt is allowed. */
  readonly waitOf: (key: string) => number;
  readonly add: (key: string) => void;
  /** Forgets the last failure of a key. */
  readonly takeBack: (key: string) => void;
  /** Forgets all failures of a key. */
  readonly clear: (key: string) => void;
  /** How many keys have failures. */
  readonly size: () => number;
}

interface FailureLimits {
  readonly most: number;
  readonly windowMs: number;
}

/** Beyond it, the oldest are forgotten. */
const MOST_KEYS = 20_000;

export function createFailureCounter({ most, windowMs }: FailureLimits, now: () => number): FailureCounter {
  /** By hash, those that failed longest ago first. */
  const failures = new Map<string, readonly number[]>();
  const recentOf = (hash: string): readonly number[] =>
    (failures.get(hash) ?? []).filter((at) => now() - at < windowMs);
  const dropOver = (): void => {
    for (const hash of failures.keys()) {
      if (recentOf(hash).length > 0) return;
      failures.delete(hash);
    }
  };
  return {
    waitOf: (key) => {
      const times = recentOf(hashOf(key));
      const [first = 0] = times;
      return times.length < most ? 0 : first + windowMs - now();
    },
    add: (key) => {
      dropOver();
      const hash = hashOf(key);
      setBounded(failures, hash, [...recentOf(hash), now()], MOST_KEYS);
    },
    takeBack: (key) => {
      const hash = hashOf(key);
      const times = recentOf(hash).slice(0, -1);
      if (times.length === 0) failures.delete(hash);
      else failures.set(hash, times);
    },
    clear: (key) => void failures.delete(hashOf(key)),
    size: () => failures.size,
  };
}
