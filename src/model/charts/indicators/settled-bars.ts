import type { Day } from '#contract/exchange/instant.ts';
import type { PriceData, PriceSlot } from '../price/price-data.ts';
import { isUnpriced } from '../price/price-data.ts';
import { type Fixed, ONE, toFixed } from './fixed-point.ts';
import type { RangeBar } from './true-range.ts';

/** A settled bar of the chart, and its place on the time axis. Bad ticks are cut off. */
interface SettledPoint extends RangeBar {
  readonly index: number;
}

/** Why a slot has no settled bar. */
type Lacking = 'no trades' | 'in progress' | 'unknown';

/** For each slot, its settled bar, or why it has none. */
export type SettledSlots = readonly (SettledPoint | Lacking)[];

/**
 * Reads the settled bars. The session in progress has no settlement, so the bar that it belongs to is left out, also if
 * that is a week or a month.
 */
export function toSettledSlots(slots: readonly PriceSlot[]): SettledSlots {
  return slots.map((slot, index) => {
    if (slot.running !== null) return 'in progress';
    if (slot.bar === null) return isUnpriced(slot) ? 'unknown' : 'no trades';
    const { high, low, settlement } = slot.trimmed ?? slot.bar;
    return high === null || low === null || settlement === null
      ? 'unknown'
      : { index, high: toFixed(high), low: toFixed(low), settlement: toFixed(settlement) };
  });
}

export type Run = readonly SettledPoint[];

/**
 * Divides the settled bars into runs. A session without trades is not counted and ends no run; a bar at an unknown price
 * ends it, because what an indicator would be from there on is unknown. `isAbove`: whether a settlement at or below zero
 * does, too, since it has no logarithm and no share of a high.
 */
export function toRuns(slots: SettledSlots, { isAbove }: { readonly isAbove: boolean }): readonly Run[] {
  const runs: SettledPoint[][] = [[]];
  for (const slot of slots) {
    if (slot === 'unknown' || (isAbove && typeof slot === 'object' && slot.settlement <= 0n)) runs.push([]);
    else if (typeof slot === 'object') runs.at(-1)?.push(slot);
  }
  return runs.filter(({ length }) => length > 0);
}

/** How many bars a year has, and in words how they are counted. */
export interface BarsAYear {
  readonly count: Fixed;
  readonly how: string;
}

const DAY_MS = 86_400_000;
/** Fewer say little about a year. */
const LEAST_SESSIONS = 20;

/** Counts the bars of a year; null if the product trades on some days only, and too few are known. */
export function countBarsAYear(
  { period, daily }: Pick<PriceData, 'period' | 'daily'>,
  type: string | undefined,
): BarsAYear | null {
  if (period === '1W') return { count: toFixed('365') / 7n, how: '365 ÷ 7 weeks a year' };
  if (period === '1M') return { count: toFixed('12'), how: '12 months a year' };
  if (type === 'perpetual') return { count: toFixed('365'), how: '365 sessions a year, as a perpetual has' };
  const [first, last] = [daily[0], daily.at(-1)];
  if (first === undefined || last === undefined || daily.length < LEAST_SESSIONS) return null;
  const days = BigInt((toMillis(last.date) - toMillis(first.date)) / DAY_MS);
  const count = (BigInt(daily.length - 1) * 365n * ONE) / days;
  const tenths = (count + ONE / 20n) / (ONE / 10n);
  return {
    count,
    how:
      `${String(tenths / 10n)}.${String(tenths % 10n)} sessions a year, as this product traded ` +
      `${String(daily.length - 1)} in ${String(days)} days`,
  };
}

function toMillis(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}
