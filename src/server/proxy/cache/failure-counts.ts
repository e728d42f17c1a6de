import type { FailureCause, FailureCount } from '#server/core/ports.ts';
import type { Problem } from '#server/core/venue-failure.ts';

export interface FailureCounts {
  readonly add: (how: 'stale' | 'failed', problem: Problem) => void;
  readonly state: () => Readonly<Record<FailureCause, FailureCount>>;
}

const NONE: FailureCount = { stale: 0, failed: 0, firstAt: null, lastAt: null };

/** Counts requests without a new response by their cause: an exchange that fails asks for other measures than a spent budget. */
export function createFailureCounts(now: () => number): FailureCounts {
  let counts: Readonly<Record<FailureCause, FailureCount>> = { venue: NONE, budget: NONE };
  return {
    add: (how, { type }) => {
      const cause = type === 'budget-spent' ? 'budget' : 'venue';
      const known = counts[cause];
      const at = now();
      counts = { ...counts, [cause]: { ...known, [how]: known[how] + 1, firstAt: known.firstAt ?? at, lastAt: at } };
    },
    state: () => counts,
  };
}
