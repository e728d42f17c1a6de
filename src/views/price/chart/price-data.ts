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
  return { period, slots: toSlots(bars, toVoiBars(voi, period), period), bars, daily, bareDays: findBareDays(voi, daily) };
}

/** Both ascend and are walked side by side: of thousands none has to be looked up. */
function toSlots(bars: readonly Bar[], vois: readonly VoiBar[], period: Period): readonly PriceSlot[] {
  const slots: PriceSlot[] = [];
  const rest = vois.values();
  let voi = rest.next().value;
  const pushVoiBefore = (end: Day | null): void => {
    for (; voi !== undefined; voi = rest.next().value) {
      const key = toPeriodStart(voi.date, period);
      if (end !== null && key >= end) return;
      slots.push({ key, bar: null, voi });
    }
  };
  for (const bar of bars) {
    const key = toPeriodStart(bar.date, period);
    pushVoiBefore(key);
    const same = voi !== undefined && toPeriodStart(voi.date, period) === key ? voi : null;
    slots.push({ key, bar, voi: same });
    if (same !== null) voi = rest.next().value;
  }
  pushVoiBefore(null);
  return slots;
}
