import type { Decimal } from '../units/decimal.ts';
import { countIntervals, toAprOfSum } from './funding-rate.ts';
import { createDecimalSums, createUnitSums, type FundingSeries, type RateSums } from './funding-series.ts';
import type { FundingWindow } from './funding-window.ts';

/** An interval that both perpetuals have settled: its end, and the index of its rate in each series. */
interface CommonInterval {
  readonly end: number;
  readonly long: number;
  readonly short: number;
}

/** The difference of the rates of two perpetuals, for common intervals. */
export interface FundingSpread {
  /** Oldest first. */
  readonly common: readonly CommonInterval[];
  readonly sums: RateSums;
  readonly difference: (index: number) => Decimal;
  /** Between these times, every interval should have a rate of both perpetuals. */
  readonly expectedFrom: number;
  readonly expectedTo: number;
}

export function createFundingSpread(long: FundingSeries, short: FundingSeries): FundingSpread {
  const common = findCommon(long, short);
  const difference = (index: number): Decimal => {
    const at = common[index];
    if (at === undefined) throw new RangeError('no such interval');
    return long.rate(at.long).minus(short.rate(at.short));
  };
  const units = toDifferences(common, long.units, short.units);
  const sums = units === null ? createDecimalSums(common.map((_, index) => difference(index))) : createUnitSums(units);
  return {
    ...{ common, sums, difference },
    expectedFrom: Math.max(long.expectedFrom, short.expectedFrom),
    expectedTo: Math.min(long.expectedTo ?? -Infinity, short.expectedTo ?? -Infinity),
  };
}

function findCommon({ prints: longs }: FundingSeries, { prints: shorts }: FundingSeries): readonly CommonInterval[] {
  const common: CommonInterval[] = [];
  let at = 0;
  for (const [index, { start, end }] of longs.entries()) {
    while ((shorts[at]?.end ?? Infinity) < end) at += 1;
    if (shorts[at]?.end === end && shorts[at]?.start === start) common.push({ end, long: index, short: at });
  }
  return common;
}

function toDifferences(
  common: readonly CommonInterval[],
  long: Float64Array | null,
  short: Float64Array | null,
): Float64Array | null {
  if (long === null || short === null) return null;
  return Float64Array.from(common, (at) => (long[at.long] ?? 0) - (short[at.short] ?? 0));
}

export interface SpreadMeasures {
  /** Number of common settled rates, and of intervals in the window. */
  readonly prints: number;
  readonly intervals: number;
  /** Sum of the long leg's rates minus the short leg's. */
  readonly sum: Decimal | null;
  /** What a position with equal notionals received; negative: paid. */
  readonly carry: Decimal | null;
  /** Simple APR relative to the notional of one leg. */
  readonly carryApr: Decimal | null;
}

export function measureSpread({ common, sums }: FundingSpread, { from, to }: FundingWindow): SpreadMeasures {
  const [first, next] = [countTo(common, from), countTo(common, to)];
  const prints = next - first;
  const intervals = countIntervals(from, to, common.at(-1)?.end ?? 0);
  if (prints === 0) return { prints, intervals, sum: null, carry: null, carryApr: null };
  const sum = sums.sum(first, next);
  const carry = sum.isZero() ? sum : sum.negated();
  return { prints, intervals, sum, carry, carryApr: toAprOfSum(carry, prints) };
}

function countTo(common: readonly CommonInterval[], time: number): number {
  const next = common.findIndex(({ end }) => end > time);
  return next === -1 ? common.length : next;
}

/** What a perpetual realised over a window. */
export interface LegCandidate {
  readonly symbol: string;
  /** Number of its settled rates in the window. */
  readonly prints: number;
  readonly sum: Decimal | null;
}

export interface SpreadLegs {
  readonly long: string | null;
  readonly short: string | null;
}

/**
 * Completes a spread that receives funding: long the perpetual with the lowest sum of rates, short the one with the
 * highest. Sums compare only over equally many rates, so only candidates with the most rates are considered. A leg
 * stays null if the sums are equal.
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
