import type { Day } from '#contract/exchange/instant.ts';
import type { PriceDataPoint, VOIDataPoint } from '#contract/exchange/market-data.ts';
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
import { type Period, toPeriodStart } from '../../time/date-range.ts';
import { toVoiBars, type VoiBar } from '../../voi/voi-bars.ts';

/** One position on the time axis: a session, a week or a month. */
export interface PriceSlot {
  /** Date of the session, or the first day of the week or month. */
  readonly key: Day;
  /** Null if nothing traded, the price is unknown, or the session is still running. */
  readonly bar: Bar | null;
  /** The running session, which is not final; only among daily bars. */
  readonly running: RunningSession | null;
  /** The slot’s prices without bad ticks; null if it has none. */
  readonly trimmed: Bar | null;
  /** Null if the exchange published no volume or open interest. */
  readonly voi: VoiBar | null;
}

export interface PriceData {
  readonly period: Period;
  readonly slots: readonly PriceSlot[];
  /** The bars of all slots that have one, ascending. */
  readonly bars: readonly Bar[];
  readonly daily: readonly Bar[];
  readonly daysWithoutPrices: DaysWithoutPrices;
  /** Bad ticks of all sessions, even if bars cover weeks or months. */
  readonly badTicks: readonly BadTick[];
}

/**
 * Whether something traded in the slot at unknown prices. Such a slot must not be shown as a session without trades.
 */
export function isUnpriced({ bar, running, voi }: PriceSlot): boolean {
  return bar === null && running === null && (voi?.volume?.gt(0) ?? false);
}

/** Returns which prices of a slot are bad ticks. */
export function findBadPrices({ bar, running, trimmed }: PriceSlot): readonly TradedPrice[] {
  const published = running === null ? bar : toRunningBar(running);
  return published === null || trimmed === null
    ? []
    : TRADED_PRICES.filter((field) => published[field] !== trimmed[field]);
}

/**
 * Finds the slot whose settlement a slot is compared with. It skips slots without trades, but not one that traded at
 * unknown prices. The running session is compared with the settlement before it or with none: a chart that is overdue
 * ends earlier.
 */
export function findBefore(slots: readonly PriceSlot[], index: number): PriceSlot | undefined {
  const before = slots.slice(0, Math.max(index, 0)).findLast((slot) => slot.bar !== null || isUnpriced(slot));
  const since = slots[index]?.running?.since ?? null;
  return since !== null && before !== undefined && before.key < since ? undefined : before;
}

/** Puts prices and open interest into the same slots. Sessions without prices have a slot too. */
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

/** Returns the running session, unless the chart already has it or a later one, which means that it has ended. */
function findCurrent(slots: readonly PriceSlot[], running: RunningSession | null): RunningSession | null {
  return running === null || slots.some(({ key, bar }) => key > running.date || (key === running.date && bar !== null))
    ? null
    : running;
}

/** Appends the running session to the settled ones. */
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
