import type { UsdText } from '#contract/exchange/amounts.ts';
import { isPriced, isSettled, type Bar, type SettledBar } from '../../price/bars.ts';
import { BAR_DATE_LABELS, type Period } from '../../time/date-range.ts';
import { toChange, type Change } from '../../price/change.ts';
import { toDecimal } from '../../units/decimal.ts';
import { countOf } from '../../format/count.ts';
import { formatDay } from '../../format/format-time.ts';
import { countPriceDigits, formatCompact, formatNumber, formatPercent, NO_VALUE } from '../../format/number.ts';
import {
  type Candle,
  type ChartData,
  inPercent,
  type Ink,
  type Level,
  type Outlier,
  type Pane,
  type Readout,
  type Series,
  tagNewest,
} from '../chart-data.ts';
import type { LifeDays } from './life-days.ts';
import { findBadPrices, findBefore, isUnpriced, type PriceData, type PriceSlot, toBarSoFar } from './price-data.ts';

interface ChartDataOptions {
  /** How a session without trades is shown: as a flat grey tick at the previous price, or not at all. */
  readonly gaps: 'empty' | 'flat';
  /** False if open interest could not be read. While it is read, its pane keeps its place, so that nothing moves. */
  readonly hasOpenInterest: boolean | 'being read';
  /** The bar from whose settlement prices are shown as percent changes. */
  readonly base?: SettledBar | null;
  /** Whether bad ticks are within the scale. If not, candles end at their other prices. */
  readonly badTicks?: 'offscale' | 'inscale';
  /** Unit of changes. A spread’s prices may be zero or negative, so its changes have no percentage. */
  readonly changeIn?: '%' | 'USD';
  /** In USD; null if unknown. */
  readonly tickSize?: number | null;
  readonly isHidden?: (name: string) => boolean;
  readonly lifeDays?: LifeDays;
}

const NO_DAYS: LifeDays = new Map();

/** The series that can be hidden, by their names in the legend. */
export const SERIES_NAMES = ['Settlement', 'Volume', 'Open interest'] as const;

/**
 * Finds the first bar with a settlement, as the base of a percent scale; null if it is not above zero, as a spread’s
 * may be.
 */
export function findPercentBase({ bars }: PriceData): SettledBar | null {
  const first = bars.find(isSettled);
  return first !== undefined && Number(first.settlement) > 0 ? first : null;
}

export function priceDigits(bars: readonly Bar[]): number {
  return countPriceDigits(
    bars.flatMap(({ open, high, low, close, settlement }) => [open, high, low, close, settlement]),
  );
}

/** Draws candles with a tick at each settlement, then volume, then open interest. */
export function toPriceChartData(
  data: PriceData,
  {
    gaps,
    hasOpenInterest,
    base = null,
    badTicks = 'offscale',
    changeIn = '%',
    tickSize = null,
    isHidden = () => false,
    lifeDays = NO_DAYS,
  }: ChartDataOptions,
): ChartData {
  const { slots, period, bars } = data;
  const digits = priceDigits(bars);
  const candles = toCandles(slots, { gaps, badTicks });
  const settlements = slots.map(({ bar }) => toPoint(bar?.settlement ?? null));
  const prices: readonly Series[] = [
    {
      kind: 'candles',
      values: candles,
      ...(data.badTicks.length > 0 && { outliers: toOutliers(slots, badTicks) }),
      ...(lifeDays.size > 0 && { marked: slots.flatMap(({ key }, index) => (lifeDays.has(key) ? [index] : [])) }),
    },
    ...(isHidden('Settlement') ? [] : [{ kind: 'line', ink: 'muted', ticks: true, values: settlements } as const]),
  ];
  const inUsd: Pane = {
    name: 'Price',
    unit: 'USD',
    share: 6,
    logarithmic: true,
    format: (value) => formatNumber(toDecimal(String(toTick(value, tickSize))), { digits }),
    series: prices,
    tags: toTags(slots, settlements).filter(({ name }) => name !== 'Settle' || !isHidden('Settlement')),
  };
  const panes: Pane[] = [
    base === null ? inUsd : inPercent(inUsd, Number(base.settlement)),
    {
      name: 'Volume',
      unit: 'contracts',
      share: 2,
      format: compact,
      series: [
        {
          kind: 'columns',
          ink: 'muted',
          inks: candles.map(directionOf),
          quiet: true,
          values: slots.map((slot) => volumeOf(slot)),
        },
      ],
    },
  ];
  const levels = slots.map(({ voi }) => voi?.drawnOpenInterest ?? null);
  const openInterest: Pane = {
    name: 'Open interest',
    unit: 'contracts',
    share: 2,
    format: compact,
    series: [{ kind: 'line', ink: 'series-2', values: levels }],
    tags: tagNewest('OI', 'series-2', levels),
  };
  return {
    times: slots.map(({ key }) => key),
    timeName: BAR_DATE_LABELS[period],
    timeText: (index) => describeSlot(slots[index], period, lifeDays),
    panes: (hasOpenInterest !== false ? [...panes, openInterest] : panes).filter(({ name }) => !isHidden(name)),
    readouts: toReadouts(data, { digits, hasOpenInterest, changeIn }),
  };
}

/** Rounds to a tick: the pointer may be between two tradable prices. */
function toTick(value: number, tickSize: number | null): number {
  return tickSize === null ? value : Math.round(value / tickSize) * tickSize;
}

/** Without a tick size, a price has as many digits as can be pointed at. */
const POINTED_DIGITS = 6;

/**
 * Returns the price at a level of the price pane, in USD, as digits. On a percent scale, levels are changes since a base.
 */
export function toPriceAtLevel(
  level: number,
  base: Pick<SettledBar, 'settlement'> | null,
  tickSize: number | null,
): string {
  const usd = base === null ? level : Number(base.settlement) * (1 + level / 100);
  return tickSize === null
    ? toDecimal(usd.toPrecision(POINTED_DIGITS)).toFixed()
    : toDecimal(String(Math.round(usd / tickSize)))
        .times(String(tickSize))
        .toFixed();
}

/** Names the newest prices, even if another part of the chart is in view. */
function toTags(slots: readonly PriceSlot[], settlements: readonly (number | null)[]): readonly Level[] {
  const settled = tagNewest('Settle', 'muted', settlements);
  const last = slots.at(-1)?.running?.last.value.toNumber() ?? null;
  const isDown = last !== null && settled.some(({ value }) => last < value);
  return [...settled, ...tagNewest('Last', isDown ? 'down' : 'up', [last])];
}

/** Leaves out labels below zero: an axis of contracts extends there, but they would be wrong. */
function compact(value: number): string {
  return value < 0 ? '' : formatCompact(toDecimal(String(Math.round(value * 100) / 100)));
}

function toCandles(
  slots: readonly PriceSlot[],
  { gaps, badTicks }: Required<Pick<ChartDataOptions, 'gaps' | 'badTicks'>>,
): (Candle | null)[] {
  let before: number | null = null;
  return slots.map((slot) => {
    const { bar, running } = slot;
    const soFar = toBarSoFar(slot);
    const drawn = badTicks === 'offscale' ? (slot.trimmed ?? soFar) : soFar;
    if (running !== null) return drawn !== null && isPriced(drawn) ? { ...toCandle(drawn), unfinished: true } : null;
    if (isUnpriced(slot)) before = null;
    if (bar === null)
      return gaps === 'empty' || before === null
        ? null
        : { open: before, high: before, low: before, close: before, flat: true };
    before = toPoint(bar.settlement);
    return drawn !== null && isPriced(drawn) ? toCandle(drawn) : null;
  });
}

function toCandle({ open, high, low, close }: Bar): Candle {
  return { open: Number(open), high: Number(high), low: Number(low), close: Number(close) };
}

function directionOf(candle: Candle | null): Ink {
  if (candle === null || candle.flat === true) return 'muted';
  return candle.close < candle.open ? 'down' : 'up';
}

/** Marks bad ticks. A bad close is never further out than the low and the high, which are then bad too. */
function toOutliers(slots: readonly PriceSlot[], badTicks: ChartDataOptions['badTicks']): readonly Outlier[] {
  return slots.flatMap((slot, index) => {
    const published = toBarSoFar(slot);
    return findBadPrices(slot).flatMap((field) => {
      if (field === 'open' || field === 'close' || published === null) return [];
      const value = Number(published[field]);
      return [{ index, value, from: badTicks === 'inscale' ? value : Number(slot.trimmed?.[field]) }];
    });
  });
}

function volumeOf(slot: PriceSlot): number | null {
  return toBarSoFar(slot)?.volume ?? null;
}

function toPoint(price: UsdText | null): number | null {
  return price === null ? null : Number(price);
}

/** Shows a withheld price as `n/a`; its provenance gives the reason. */
function formatPrice(price: UsdText | null, digits: number): string {
  return price === null ? 'n/a' : formatNumber(toDecimal(price), { digits });
}

interface ReadoutOptions extends Required<Pick<ChartDataOptions, 'hasOpenInterest' | 'changeIn'>> {
  readonly digits: number;
}

function toReadouts({ slots }: PriceData, { digits, hasOpenInterest, changeIn }: ReadoutOptions): readonly Readout[] {
  const price = (name: string, field: 'open' | 'high' | 'low' | 'close' | 'settlement'): Readout => ({
    name,
    unit: 'USD',
    ...(field === 'settlement' && { ink: 'muted' }),
    text: (index) => {
      const slot = slots[index];
      const bar = slot === undefined ? null : field === 'settlement' ? slot.bar : toBarSoFar(slot);
      const price = bar === null ? NO_VALUE : formatPrice(bar[field], digits);
      return isBadPrice(slots[index], field) ? `${price} (bad tick)` : price;
    },
  });
  const volume: Readout = {
    name: 'Volume',
    unit: 'contracts',
    ink: 'up',
    downInk: 'down',
    text: (index) => count(slots[index] === undefined ? null : volumeOf(slots[index])),
  };
  const change: Readout = {
    name: 'Change',
    unit: changeIn,
    text: (index) => {
      const found = changeAt(slots, index);
      return changeIn === '%'
        ? formatPercent(found?.fraction ?? null, { digits: 2, signed: true })
        : formatNumber(found?.absolute ?? null, { digits, signed: true });
    },
  };
  const openInterest: Readout = {
    name: 'Open interest',
    unit: 'contracts',
    ink: 'series-2',
    text: (index) =>
      hasOpenInterest === 'being read' ? '…' : formatNumber(slots[index]?.voi?.openInterest ?? null, { digits: 0 }),
  };
  const prices = [
    price('Open', 'open'),
    price('High', 'high'),
    price('Low', 'low'),
    price('Close', 'close'),
    price('Settlement', 'settlement'),
  ];
  return hasOpenInterest !== false ? [...prices, change, volume, openInterest] : [...prices, change, volume];
}

function isBadPrice(slot: PriceSlot | undefined, field: keyof Bar): boolean {
  return slot !== undefined && findBadPrices(slot).some((bad) => bad === field);
}

function count(value: number | null): string {
  return formatNumber(value === null ? null : toDecimal(String(value)), { digits: 0 });
}

/** Returns the change between settlements or, for the running session, to its last price. */
export function changeAt(slots: readonly PriceSlot[], index: number): Change | null {
  const [before, now] = [findBefore(slots, index), slots[index]].map((slot) => slot?.bar?.settlement ?? null);
  const price = slots[index]?.running?.last.value ?? (now ? toDecimal(now) : null);
  return before && price ? toChange(toDecimal(before), price) : null;
}

/**
 * Describes a slot by its date, for a week or month by how many sessions traded in it, and by what is marked there.
 */
function describeSlot(slot: PriceSlot | undefined, period: Period, lifeDays: LifeDays): string {
  if (slot === undefined) return '';
  const marked = lifeDays.get(slot.key);
  return `${describeSessions(slot, period)}${marked === undefined ? '' : `, ${marked}`}`;
}

function describeSessions(slot: PriceSlot, period: Period): string {
  const { key, bar, running } = slot;
  if (running !== null)
    return `${formatDay(key)}, ${bar === null ? '' : `${countOf(bar.sessions + 1, 'session')}, the last `}in progress`;
  if (bar === null) return `${formatDay(key)}, ${isUnpriced(slot) ? 'traded, price unknown' : 'no trades'}`;
  return period === '1D' ? formatDay(key) : `${formatDay(key)}, ${countOf(bar.sessions, 'session')}`;
}
