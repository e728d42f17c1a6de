import type { RateLimiterState } from '#server/core/ports.ts';
import { budgetSpent } from '#server/core/venue-failure.ts';

/** The share of the budget that one kind of background work may use, so that enough is left for the rest. */
export interface SubQuota {
  /** Throws a `budget-spent` failure if another read would exceed the quota. */
  readonly take: () => void;
  /** The average time between reads at full use; 0 without a limit. */
  readonly millisPerRead: number;
}

const SHARE = 0.5;

/** Half of what is not reserved for interactive use. */
export function createSubQuota(limit: RateLimiterState['limit'], elapsed: () => number): SubQuota {
  if (limit === null) return { take: () => undefined, millisPerRead: 0 };
  const most = Math.max(1, Math.floor((limit.requests - limit.reserve) * SHARE));
  const windowMs = limit.seconds * 1_000;
  let taken: readonly number[] = [];
  return {
    millisPerRead: windowMs / most,
    take: () => {
      const at = elapsed();
      taken = taken.filter((earlier) => earlier > at - windowMs);
      const [oldest = at] = taken;
      if (taken.length >= most) throw budgetSpent(oldest + windowMs - at, describeSpent);
      taken = [...taken, at];
    },
  };
}

function describeSpent(wait: string): string {
  return `The share of the exchange’s request budget for working orders is exhausted. Reading continues in ${wait}.`;
}
