import type { FundingYearRank } from '#contract/desk/funding.ts';
import { type Decimal, toDecimal } from '../units/decimal.ts';
import { type FundingSide, isInverted } from './funding-side.ts';

/** A month: the percentile among fewer would say nothing. */
const FEWEST_INTERVALS = 90;

/** The share of the year's rates that are lower by a side's sign convention, those that are equal counted by half; null among too few. */
export function toYearPercentile(rank: FundingYearRank | null, side: FundingSide): Decimal | null {
  if (rank === null || rank.intervals < FEWEST_INTERVALS) return null;
  return toDecimal(String(rank.equal)).div(2).plus(countLower(rank, side)).div(rank.intervals);
}

/** A higher rate is a lower one to a long position, which pays it. */
export function countLower({ intervals, below, equal }: FundingYearRank, side: FundingSide): number {
  return isInverted(side) ? intervals - below - equal : below;
}

/** Why there is no percentile, or null. */
export function whyNoYearPercentile(rank: FundingYearRank | null): string | null {
  if (rank === null) return 'No settled rate, or the exchange reports different rates for the latest interval.';
  if (rank.intervals < FEWEST_INTERVALS)
    return `Only ${String(rank.intervals)} settled rates in the last 365 days; at least ${String(FEWEST_INTERVALS)} are needed.`;
  return null;
}
