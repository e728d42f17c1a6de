import type { Day } from '#contract/exchange/day.ts';
import type { PriceDataPoint } from '#contract/exchange/price-data.ts';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { findBadTicks, TRADED_PRICES, trimBadTicks, type BadTick, type TradedPrice } from '../../price/bad-ticks.ts';
import { toRunningBar, type RunningSession } from '../../price/running-session.ts';
import {
  findDaysWithoutPrices,
  hasTradedPrices,
  toDailyBars,
  toPeriodBars,
  type Bar,
  type DaysWithoutPrices,
} from '../../price/bars.ts';
import { toPeriodStart, type Period } from '../../time/period.ts';
import { toVoiBars, type VoiBar } from '../../voi/voi-bars.ts';

/** One position on the time axis: a session, a week or a month. */
export interface PriceSlot {
  /** Date of the session, or the first day of the week or month. */
  readonly key: Day;
  /** Null: nothing traded, its price is unknown, or the session still runs. */
  readonly bar: Bar | null;
  /** The session that runs now, which is not final; only among daily bars. */
  readonly running: RunningSession | null;
  /** Its prices without bad ticks; null: it has none. */
  readonly trimmed: Bar | null;
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
  /** Of all sessions, whatever the bars. */
  readonly badTicks: readonly BadTick[];
}

/** Whether something traded in the slot at unknown prices: it must not be shown as a session without trades. */
export function isUnpriced({ bar, running, voi }: PriceSlot): boolean {
  return bar === null && running === null && (voi?.volume?.gt(0) ?? false);
}

/** Which prices of a slot are bad ticks. */
export function findBadPrices({ bar, running, trimmed }: PriceSlot): readonly TradedPrice[] {
  const published = running === null ? bar : toRunningBar(running);
  return published === null || trimmed === null
    ? []
    : TRADED_PRICES.filter((field) => published[field] !== trimmed[field]);
}

/** The slot whose settlement a slot is compared with. Slots without trades are skipped; one that traded at unknown prices is not. */
export function findBefore(slots: readonly PriceSlot[], index: number): PriceSlot | undefined {
  return slots.slice(0, Math.max(index, 0)).findLast((slot) => slot.bar !== null || isUnpriced(slot));
}

/** Prices and open interest in the same slots; sessions without prices have a slot too. */
export function toPriceData(
  points: readonly PriceDataPoint[],
  voi: readonly VOIDataPoint[],
  period: Period,
  running: RunningSession | null = null,
): PriceData {
  const daily = toDailyBars(points);
  const bars = toPeriodBars(daily, period);
  const slots = toSlots(bars, toVoiBars(voi, period), period);
  const settled = voi.filter(({ date }) => date !== running?.date);
  const current = period === '1D' ? findCurrent(slots, running) : null;
  const judged = current === null ? daily : [...daily, toRunningBar(current)];
  const badTicks = findBadTicks(judged);
  const trimmed = badTicks.length === 0 ? [] : toPeriodBars(trimBadTicks(judged, badTicks), period);
  const daysWithoutPrices = findDaysWithoutPrices(settled, daily.filter(hasTradedPrices));
  return { period, slots: addTrimmed(addRunning(slots, current), trimmed), bars, daily, daysWithoutPrices, badTicks };
}

/** The running session, unless the chart already has it or a later one: then it is over. */
function findCurrent(slots: readonly PriceSlot[], running: RunningSession | null): RunningSession | null {
  return running === null || slots.some(({ key, bar }) => key > running.date || (key === running.date && bar !== null))
    ? null
    : running;
}

/** The running session after the settled ones. */
function addRunning(slots: readonly PriceSlot[], running: RunningSession | null): readonly PriceSlot[] {
  if (running === null) return slots;
  const same = slots.find(({ key }) => key === running.date);
  return [
    ...slots.filter((slot) => slot !== same),
    { key: running.date, bar: null, running, trimmed: null, voi: same?.voi ?? null },
  ];
}

function addTrimmed(slots: readonly PriceSlot[], bars: readonly Bar[]): readonly PriceSlot[] {
  if (bars.length === 0) return slots;
  const byDate = new Map(bars.map((bar) => [bar.date, bar]));
  const marked = slots.map((slot) => ({ ...slot, trimmed: byDate.get(slot.bar?.date ?? slot.key) ?? null }));
  return marked.map((slot) => (findBadPrices(slot).length === 0 ? { ...slot, trimmed: null } : slot));
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
      slots.push({ key, bar: null, running: null, trimmed: null, voi });
    }
  };
  for (const bar of bars) {
    const key = toPeriodStart(bar.date, period);
    pushVoiBefore(key);
    const same = voi !== undefined && toPeriodStart(voi.date, period) === key ? voi : null;
    slots.push({ key, bar, running: null, trimmed: null, voi: same });
    if (same !== null) voi = rest.next().value;
  }
  pushVoiBefore(null);
  return slots;
}
