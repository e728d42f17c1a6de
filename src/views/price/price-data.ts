import type { Day } from '#contract/day.ts';
import type { PriceDataPoint } from '#contract/price-data.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { findBareDays, toDailyBars, toPeriodBars, toPeriodStart, type Bar, type BareDays, type Period } from '#domain/bars.ts';
import { toVoiBars, type VoiBar } from '#domain/voi-bars.ts';

/** What one slot of the chart holds: a session, or a week or month of them. */
export interface PriceSlot {
  /** Date of the session, or the first day of the week or month. */
  readonly key: Day;
  /** Null: nothing traded, or its price is not known. */
  readonly bar: Bar | null;
  /** Null: the venue told no volume or open interest. */
  readonly voi: VoiBar | null;
}

export interface PriceData {
  readonly period: Period;
  readonly slots: readonly PriceSlot[];
  /** Only those that there are, ascending. */
  readonly bars: readonly Bar[];
  readonly daily: readonly Bar[];
  readonly bareDays: BareDays;
}

/** Whether something traded in a slot at prices that are not known: then it is neither a price nor the absence of one. */
export function isUnpriced({ bar, voi }: PriceSlot): boolean {
  return bar === null && (voi?.volume?.gt(0) ?? false);
}

/** What the settlement of a slot is held against: that before it. Slots without trades between do not count; of one that traded it is not known. */
export function findBefore(slots: readonly PriceSlot[], index: number): PriceSlot | undefined {
  return slots.slice(0, Math.max(index, 0)).findLast((slot) => slot.bar !== null || isUnpriced(slot));
}

/** Prices and open interest by the same slots; sessions without prices have a slot too. */
export function toPriceData(points: readonly PriceDataPoint[], voi: readonly VOIDataPoint[], period: Period): PriceData {
  const daily = toDailyBars(points);
  const bars = toPeriodBars(daily, period);
  const keyOf = (day: Day): Day => toPeriodStart(day, period);
  const barByKey = new Map(bars.map((bar) => [keyOf(bar.date), bar]));
  const voiByKey = new Map(toVoiBars(voi, period).map((bar) => [keyOf(bar.date), bar]));
  const keys = [...new Set([...barByKey.keys(), ...voiByKey.keys()])].sort();
  const slots = keys.map((key) => ({ key, bar: barByKey.get(key) ?? null, voi: voiByKey.get(key) ?? null }));
  return { period, slots, bars, daily, bareDays: findBareDays(voi, daily) };
}
