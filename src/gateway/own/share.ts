import type { LedgerState } from '../ports.ts';
import { spentFailure } from '../spent-failure.ts';

/** What one kind of read may take of the budget, so that it leaves enough for the others. */
export interface Share {
  /** Throws a `budget-spent` failure where another read would be more than the share. */
  readonly take: () => void;
  /** How long a read takes, on average, where all of the share is used; 0 without a limit. */
  readonly millisPerRead: number;
}

const PART = 0.5;

/** Half of what is not kept for clicks. */
export function createShare(limit: LedgerState['limit'], elapsed: () => number): Share {
  if (limit === null) return { take: () => undefined, millisPerRead: 0 };
  const most = Math.max(1, Math.floor((limit.requests - limit.reserve) * PART));
  const windowMs = limit.seconds * 1_000;
  let taken: readonly number[] = [];
  return {
    millisPerRead: windowMs / most,
    take: () => {
      const at = elapsed();
      taken = taken.filter((earlier) => earlier > at - windowMs);
      const [oldest = at] = taken;
      if (taken.length >= most) throw spentFailure(oldest + windowMs - at, toDetail);
      taken = [...taken, at];
    },
  };
}

function toDetail(wait: string): string {
  return `The share of the venue’s request budget that working orders may take is spent; more of them are read in ${wait}.`;
}
