import type { Decimal } from '../units/decimal.ts';

/** What a perpetual realised over a window. */
export interface LegCandidate {
  readonly symbol: string;
  /** Its settled rates in the window. */
  readonly prints: number;
  readonly sum: Decimal | null;
}

export interface SpreadLegs {
  readonly long: string | null;
  readonly short: string | null;
}

/**
 * Completes a spread: long the lowest sum of rates, short the highest, so that the position receives. Only sums of equally
 * many rates compare, so of the candidates only those with the most are considered. Null where nothing sets a leg apart.
 */
export function completeLegs(candidates: readonly LegCandidate[], { long, short }: SpreadLegs): SpreadLegs {
  if (long !== null && short !== null) return { long, short };
  const open = candidates.filter(({ symbol, sum }) => sum !== null && symbol !== long && symbol !== short);
  const most = Math.max(0, ...open.map(({ prints }) => prints));
  const covered = open.filter(({ prints }) => prints === most).toSorted(bySum);
  const [lowest, highest] = [covered[0], covered.at(-1)];
  if (lowest === undefined || highest === undefined) return { long, short };
  if (long !== null) return { long, short: highest.symbol };
  if (short !== null) return { long: lowest.symbol, short };
  return bySum(lowest, highest) === 0 ? { long, short } : { long: lowest.symbol, short: highest.symbol };
}

function bySum({ sum: a }: LegCandidate, { sum: b }: LegCandidate): number {
  return a === null || b === null ? 0 : a.comparedTo(b);
}
