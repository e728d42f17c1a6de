import type { Day } from '#contract/exchange/instant.ts';
import type { PriceDataPoint, VOIDataPoint } from '#contract/exchange/market-data.ts';
import { findBadTicks, TRADED_PRICES, trimBadTicks, type BadTick, type TradedPrice } from '../../price/bad-ticks.ts';
import { toRunningBar, type RunningSession } from '../../price/running-session.ts';
import {
  findDaysWithoutPrices,
  hasTradedPrices,
  mergeBars,
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
  /** The settled sessions. Null if none traded, or a price is unknown. */
  readonly bar: Bar | null;
  /** The running session, which is not final; null if it is in another slot. */
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

/** Returns the traded prices and the volume of a slot so far, with those of the running session. */
export function toBarSoFar({ bar, running }: Pick<PriceSlot, 'bar' | 'running'>): Bar | null {
  if (running === null) return bar;
  const latest = toRunningBar(running);
  return bar === null ? latest : mergeBars(bar, latest);
}

/** Returns which prices of a slot are bad ticks. */
export function findBadPrices(slot: PriceSlot): readonly TradedPrice[] {
  const { trimmed } = slot;
  if (trimmed === null) return [];
  const published = toBarSoFar(slot);
  return published === null ? [] : TRADED_PRICES.filter((field) => published[field] !== trimmed[field]);
}

/**
 * Finds the slot whose settlement a slot is compared with. It skips slots without trades, but not one that traded at
 * unknown prices. The running session is compared with the settlement before it or with none: a chart that is overdue
 * ends earlier.
 */
export function findBefore(slots: readonly PriceSlot[], index: number): PriceSlot | undefined {
  const before = slots.slice(0, Math.max(index, 0)).findLast((slot) => slot.bar !== null || isUnpriced(slot));
  const { bar = null, running = null } = slots[index] ?? {};
  const newest = (bar ?? before?.bar)?.lastDate ?? before?.key;
  return newest !== undefined && newest < (running?.since ?? '') ? undefined : before;
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
  const current = findCurrent(daily, voi, running);
  const judged = current === null ? daily : [...daily, toRunningBar(current)];
  const badTicks = findBadTicks(judged);
  const trimmed = badTicks.length === 0 ? [] : toPeriodBars(trimBadTicks(judged, badTicks), period);
  const daysWithoutPrices = findDaysWithoutPrices(settled, daily.filter(hasTradedPrices));
  return {
    period,
    slots: addTrimmed(addRunning(slots, current, period), trimmed),
    bars,
    daily,
    daysWithoutPrices,
    badTicks,
  };
}

/** Returns the running session, unless the chart already has it or a later one, which means that it has ended. */
function findCurrent(
  daily: readonly Bar[],
  voi: readonly VOIDataPoint[],
  running: RunningSession | null,
): RunningSession | null {
  if (running === null) return null;
  const hasEnded = daily.some(({ date }) => date >= running.date) || voi.some(({ date }) => date > running.date);
  return hasEnded ? null : running;
}

/** Adds the running session to the slot of its period, which is the last one. */
function addRunning(slots: readonly PriceSlot[], running: RunningSession | null, period: Period): readonly PriceSlot[] {
  if (running === null) return slots;
  const key = toPeriodStart(running.date, period);
  const same = slots.find((slot) => slot.key === key);
  return [
    ...slots.filter((slot) => slot !== same),
    { key, bar: same?.bar ?? null, running, trimmed: null, voi: same?.voi ?? null },
  ];
}

function addTrimmed(slots: readonly PriceSlot[], bars: readonly Bar[]): readonly PriceSlot[] {
  if (bars.length === 0) return slots;
  const byDate = new Map(bars.map((bar) => [bar.date, bar]));
  const marked = slots.map((slot) => ({ ...slot, trimmed: byDate.get(toBarSoFar(slot)?.date ?? slot.key) ?? null }));
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
