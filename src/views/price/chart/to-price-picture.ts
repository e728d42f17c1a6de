import type { UsdText } from '#contract/amounts.ts';
import { isPriced, isSettled, type Bar, type SettledBar } from '#domain/price/bars.ts';
import type { RunningSession } from '#domain/price/running-session.ts';
import { BAR_DATE_LABELS, type Period } from '#domain/time/period.ts';
import { toChange } from '#domain/price/change.ts';
import { toDecimal, type Decimal } from '#domain/units/decimal.ts';
import { countOf } from '#domain/format/count.ts';
import { formatDay } from '#domain/format/day.ts';
import { formatCompact, formatNumber, formatPercent, NO_VALUE } from '#domain/format/number.ts';
import { countPriceDigits } from '#domain/price/price-digits.ts';
import { inPercent } from '#ui/chart/in-percent.ts';
import type { Candle, Pane, Picture, Readout, Series } from '#ui/chart/picture.ts';
import { findBefore, isUnpriced, type PriceData, type PriceSlot } from './price-data.ts';

interface PictureOptions {
  /** A session without trades: a flat grey tick at the previous price, or nothing. */
  readonly gaps: 'empty' | 'flat';
  /** False where open interest could not be read. While it loads, its pane keeps its place, so that nothing moves. */
  readonly hasOpenInterest: boolean;
  /** Prices are shown as percent changes from its settlement. */
  readonly base?: SettledBar | null;
}

/** The first bar with a settlement, as the base of a percent scale; null where that is not above zero, as a spread's may be. */
export function findPercentBase({ bars }: PriceData): SettledBar | null {
  const first = bars.find(isSettled);
  return first !== undefined && Number(first.settlement) > 0 ? first : null;
}

export function priceDigits(bars: readonly Bar[]): number {
  return countPriceDigits(bars.flatMap(({ open, high, low, close, settlement }) => [open, high, low, close, settlement]));
}

/** Candles with the settlement as a line; volume; open interest. */
export function toPricePicture(data: PriceData, { gaps, hasOpenInterest, base = null }: PictureOptions): Picture {
  const { slots, period, bars } = data;
  const digits = priceDigits(bars);
  const prices: readonly Series[] = [
    { kind: 'candles', values: toCandles(slots, gaps) },
    { kind: 'line', ink: 'accent', values: slots.map(({ bar }) => toPoint(bar?.settlement ?? null)) },
  ];
  const inUsd: Pane = { name: 'Price', unit: 'USD', share: 6, logarithmic: true, format: (value) => formatNumber(toDecimal(String(value)), { digits }), series: prices };
  const panes: Pane[] = [
    base === null ? inUsd : inPercent(inUsd, Number(base.settlement)),
    { name: 'Volume', unit: 'contracts', share: 2, format: compact, series: [{ kind: 'columns', ink: 'muted', values: slots.map((slot) => volumeOf(slot)) }] },
  ];
  const openInterest: Pane = {
    name: 'Open interest',
    unit: 'contracts',
    share: 2,
    format: compact,
    series: [{ kind: 'line', ink: 'series-2', values: slots.map(({ voi }) => voi?.drawnOpenInterest ?? null) }],
  };
  return {
    times: slots.map(({ key }) => key),
    timeName: BAR_DATE_LABELS[period],
    timeText: (index) => describeSlot(slots[index], period),
    panes: hasOpenInterest ? [...panes, openInterest] : panes,
    readouts: toReadouts(data, digits, hasOpenInterest),
  };
}

/** An axis of contracts extends below zero, where labels would be wrong. */
function compact(value: number): string {
  return value < 0 ? '' : formatCompact(toDecimal(String(Math.round(value * 100) / 100)));
}

function toCandles(slots: readonly PriceSlot[], gaps: PictureOptions['gaps']): (Candle | null)[] {
  let before: number | null = null;
  return slots.map((slot) => {
    const { bar, running } = slot;
    if (running !== null) return toUnfinished(running);
    if (isUnpriced(slot)) before = null;
    if (bar === null) return gaps === 'empty' || before === null ? null : { open: before, high: before, low: before, close: before, flat: true };
    before = toPoint(bar.settlement);
    if (!isPriced(bar)) return null;
    return { open: Number(bar.open), high: Number(bar.high), low: Number(bar.low), close: Number(bar.close) };
  });
}

function toUnfinished({ open, high, low, last }: RunningSession): Candle {
  return { open: open.value.toNumber(), high: high.value.toNumber(), low: low.value.toNumber(), close: last.value.toNumber(), unfinished: true };
}

function volumeOf({ bar, running }: PriceSlot): number | null {
  return bar?.volume ?? running?.volume.value?.toNumber() ?? null;
}

function toPoint(price: UsdText | null): number | null {
  return price === null ? null : Number(price);
}

/** Prices are withheld with their reason, which the figure's provenance gives. */
export function formatPrice(price: UsdText | null, digits: number): string {
  return price === null ? 'n/a' : formatNumber(toDecimal(price), { digits });
}

function toReadouts({ slots }: PriceData, digits: number, hasOpenInterest: boolean): readonly Readout[] {
  const price = (name: string, field: 'open' | 'high' | 'low' | 'close' | 'settlement'): Readout => ({
    name,
    unit: 'USD',
    ...(field === 'settlement' && { ink: 'accent' }),
    text: (index) => {
      const { bar = null, running = null } = slots[index] ?? {};
      if (running !== null && field !== 'settlement') return formatNumber(running[RUNNING_FIELDS[field]].value, { digits });
      return bar === null ? NO_VALUE : formatPrice(bar[field], digits);
    },
  });
  const volume: Readout = { name: 'Volume', unit: 'contracts', ink: 'muted', text: (index) => count(slots[index] === undefined ? null : volumeOf(slots[index])) };
  const change: Readout = { name: 'Change', unit: '%', text: (index) => formatPercent(changeAt(slots, index), { digits: 2, signed: true }) };
  const openInterest: Readout = {
    name: 'Open interest',
    unit: 'contracts',
    ink: 'series-2',
    text: (index) => formatNumber(slots[index]?.voi?.openInterest ?? null, { digits: 0 }),
  };
  const prices = [price('Open', 'open'), price('High', 'high'), price('Low', 'low'), price('Close', 'close'), price('Settlement', 'settlement')];
  return hasOpenInterest ? [...prices, change, volume, openInterest] : [...prices, change, volume];
}

/** The running session has a last price where others have a close. */
const RUNNING_FIELDS = { open: 'open', high: 'high', low: 'low', close: 'last' } as const;

function count(value: number | null): string {
  return formatNumber(value === null ? null : toDecimal(String(value)), { digits: 0 });
}

/** From settlement to settlement; of the running session, to its last price. */
function changeAt(slots: readonly PriceSlot[], index: number): Decimal | null {
  const [before, now] = [findBefore(slots, index), slots[index]].map((slot) => slot?.bar?.settlement ?? null);
  const price = slots[index]?.running?.last.value ?? (now ? toDecimal(now) : null);
  return before && price ? toChange(toDecimal(before), price).fraction : null;
}

/** The date; for a week or month, also how many sessions traded in it. */
function describeSlot(slot: PriceSlot | undefined, period: Period): string {
  if (slot === undefined) return '';
  const { key, bar, running } = slot;
  if (running !== null) return `${formatDay(key)}, not final`;
  if (bar === null) return `${formatDay(key)}, ${isUnpriced(slot) ? 'traded, price unknown' : 'no trades'}`;
  return period === '1D' ? formatDay(key) : `${formatDay(key)}, ${countOf(bar.sessions, 'session')}`;
}
