import type { Day } from '#contract/day.ts';
import type { PriceDataPoint } from '#contract/price-data.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import type { RunningSession } from '#domain/price/running-session.ts';
import { findDaysWithoutPrices, hasTradedPrices, toDailyBars, toPeriodBars, type Bar, type DaysWithoutPrices } from '#domain/price/bars.ts';
import { toPeriodStart, type Period } from '#domain/time/period.ts';
import { toVoiBars, type VoiBar } from '#domain/voi/voi-bars.ts';

/** One position on the time axis: a session, a week or a month. */
export interface PriceSlot {
  /** Date of the session, or the first day of the week or month. */
  readonly key: Day;
  /** Null: nothing traded, its price is unknown, or the session still runs. */
  readonly bar: Bar | null;
  /** The session that runs now, which is not final; only among daily bars. */
  readonly running: RunningSession | null;
  /** Null: the exchange published no volume or open interest. */
  readonly voi: VoiBar | null;
}

export interface PriceData {
  readonly period: Period;
  readonly slots: readonly PriceSlot[];
  /** Without the empty slots, ascending. */
  readonly bars: readonly Bar[];
  readonly daily: readonly Bar[];
  readonly daysWithoutPrices: DaysWithoutPrices;
}

/** Whether something traded in the slot at unknown prices: it must not be shown as a session without trades. */
export function isUnpriced({ bar, running, voi }: PriceSlot): boolean {
  return bar === null && running === null && (voi?.volume?.gt(0) ?? false);
}

/** The slot whose settlement a slot is compared with. Slots without trades are skipped; one that traded at unknown prices is not. */
export function findBefore(slots: readonly PriceSlot[], index: number): PriceSlot | undefined {
  return slots.slice(0, Math.max(index, 0)).findLast((slot) => slot.bar !== null || isUnpriced(slot));
}

/** Prices and open interest in the same slots; sessions without prices have a slot too. */
export function toPriceData(points: readonly PriceDataPoint[], voi: readonly VOIDataPoint[], period: Period, running: RunningSession | null = null): PriceData {
  const daily = toDailyBars(points);
  const bars = toPeriodBars(daily, period);
  const slots = toSlots(bars, toVoiBars(voi, period), period);
  const settled = voi.filter(({ date }) => date !== running?.date);
  return { period, slots: period === '1D' ? addRunning(slots, running) : slots, bars, daily, daysWithoutPrices: findDaysWithoutPrices(settled, daily.filter(hasTradedPrices)) };
}

/** The running session after the settled ones. One that the chart already has is over. */
function addRunning(slots: readonly PriceSlot[], running: RunningSession | null): readonly PriceSlot[] {
  if (running === null || slots.some(({ key, bar }) => key > running.date || (key === running.date && bar !== null))) return slots;
  const same = slots.find(({ key }) => key === running.date);
  return [...slots.filter((slot) => slot !== same), { key: running.date, bar: null, running, voi: same?.voi ?? null }];
}

/** Merges two ascending lists. */
function toSlots(bars: readonly Bar[], vois: readonly VoiBar[], period: Period): readonly PriceSlot[] {
  const slots: PriceSlot[] = [];
  const rest = vois.values();
  let voi = rest.next().value;
  const pushVoiBefore = (end: Day | null): void => {
    for (; voi !== undefined; voi = rest.next().value) {
      const key = toPeriodStart(voi.date, period);
      if (end !== null && key >= end) return;
      slots.push({ key, bar: null, running: null, voi });
    }
  };
  for (const bar of bars) {
    const key = toPeriodStart(bar.date, period);
    pushVoiBefore(key);
    const same = voi !== undefined && toPeriodStart(voi.date, period) === key ? voi : null;
    slots.push({ key, bar, running: null, voi: same });
    if (same !== null) voi = rest.next().value;
  }
  pushVoiBefore(null);
  return slots;
}
