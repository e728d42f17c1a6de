import { type Decimal, toDecimal } from '../../units/decimal.ts';
import { findAfter, type FundingWindow, listFundingTimes } from '../../funding/funding-window.ts';
import {
  type FundingSide,
  INTERVALS_PER_DAY,
  INTERVALS_PER_YEAR,
  RATE_FORM_LABELS,
  type RateForm,
  type RateFormLabel,
  signOf,
  toRateForm,
  toSide,
} from '../../funding/funding-rate.ts';
import { type PerpetualSeries, toRateQuantity, withReadTime } from '../../funding/funding-series.ts';
import type { Measure } from '../../tables/funding/compare-params.ts';
import { describeFigure } from '../../format/provenance.ts';
import { deriveQuantity, type Quantity } from '../../units/quantity.ts';
import type { Source } from '../../response.ts';
import { type ChartData, type Level, type ReadoutProvenance, type Series, SERIES_INKS } from '../chart-data.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { bySide, inForm } from '../../tables/funding/realised.ts';
import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import type { FundingRateData } from '#contract/exchange/market-data.ts';
import {
  type Cell,
  type CsvForm,
  SOURCE_HEADING,
  toCsvInForm,
  toSourceCells,
  toSpreadsheetNumber,
} from '../../format/csv.ts';
import { toFaultNames } from '../../funding/funding-faults.ts';
import { formatAxis, SIGNS } from '../../tables/funding/rate-text.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { premiumOf } from '../../funding/funding-prices.ts';
import { formatPercent } from '../../format/number.ts';

/** The line of one perpetual. */
interface RateLine {
  readonly symbol: string;
  /** Percent, for drawing; null at funding times without a settled rate. */
  readonly values: readonly (number | null)[];
  /** Funding times after this one, up to and including `expectedTo`, should have a settled rate. */
  readonly expectedFrom: number;
  readonly expectedTo: number;
  /** Index of the window’s first settled rate in the history. */
  readonly first: number;
  /** Returns the index of a bar’s settled rate in the history; null if the bar has none. */
  readonly placeAt: (index: number) => number | null;
  /** Returns the exact value as a fraction. */
  readonly read: (index: number) => Decimal | null;
}

export interface RateLines {
  /** Funding times in epoch milliseconds. */
  readonly ends: readonly number[];
  /** The same times in epoch seconds. */
  readonly times: readonly number[];
  readonly measure: Measure;
  /** The unit of rates; sums have none. */
  readonly form: RateForm;
  readonly side: FundingSide;
  readonly lines: readonly RateLine[];
}

interface LineInputs {
  readonly window: FundingWindow;
  readonly measure: Measure;
  readonly form: RateForm;
  readonly side: FundingSide;
  /** A known funding time. All regular ones are a multiple of eight hours away from it. */
  readonly anchor: number;
}

const PERCENT = 100;

/** Makes a line for each perpetual. Every funding time has a bar, so no line is drawn across a gap. */
export function toRateLines(
  perpetuals: readonly PerpetualSeries[],
  { window, measure, form, side, anchor }: LineInputs,
): RateLines {
  const ends = toEnds(perpetuals, window, anchor);
  const lines = perpetuals.map((perpetual) =>
    toLine(perpetual, { ends, measure, form, side, first: findAfter(perpetual.series, window.from) }),
  );
  return { ends, times: ends.map((end) => end / 1_000), measure, form, side, lines };
}

/** Lists the regular funding times, and any irregular ones in the histories. */
function toEnds(perpetuals: readonly PerpetualSeries[], window: FundingWindow, anchor: number): readonly number[] {
  const regular = listFundingTimes(window, anchor);
  const known = new Set(regular);
  const others = new Set<number>();
  for (const { series } of perpetuals) {
    for (let at = findAfter(series, window.from), to = findAfter(series, window.to); at < to; at += 1) {
      const end = series.prints[at]?.end ?? 0;
      if (!known.has(end)) others.add(end);
    }
  }
  return others.size === 0 ? regular : [...regular, ...others].sort((a, b) => a - b);
}

interface OneLine extends Pick<LineInputs, 'measure' | 'form' | 'side'> {
  readonly ends: readonly number[];
  readonly first: number;
}

function toLine({ symbol, series }: PerpetualSeries, { ends, measure, form, side, first }: OneLine): RateLine {
  const places = new Int32Array(ends.length).fill(-1);
  let at = first;
  const values = ends.map((end, index) => {
    if (series.prints[at]?.end !== end) return null;
    places[index] = at;
    at += 1;
    const value = measure === 'sum' ? series.sums.drawn(first, at) : (series.drawn[at - 1] ?? 0);
    return inUnit(value * signOf(side), measure === 'sum' ? 'interval' : form) * PERCENT + 0;
  });
  const placeAt = (index: number): number | null => {
    const place = places[index] ?? -1;
    return place < 0 ? null : place;
  };
  const read = (index: number): Decimal | null => {
    const place = placeAt(index);
    if (place === null) return null;
    if (measure === 'sum') return toSide(series.sums.sum(first, place + 1), side);
    const row = series.prints[place]?.row;
    return row === undefined ? null : toRateForm(toSide(series.rate(place), side), form, row);
  };
  return {
    symbol,
    values,
    expectedFrom: series.expectedFrom,
    expectedTo: series.expectedTo ?? -Infinity,
    first,
    placeAt,
    read,
  };
}

/** Converts a rate for drawing. Series have no faulty intervals, so each is eight hours long. */
function inUnit(rate: number, form: RateForm): number {
  switch (form) {
    case 'interval':
      return rate;
    case 'day':
      return rate * INTERVALS_PER_DAY;
    case 'apr':
      return rate * INTERVALS_PER_YEAR;
    case 'apy':
      return (1 + rate) ** INTERVALS_PER_YEAR - 1;
  }
}

/** Names what the lines show, with its unit. */
export function toMeasureLabel({ measure, form }: Pick<RateLines, 'measure' | 'form'>): RateFormLabel {
  return measure === 'sum'
    ? { name: 'Cumulative sum', unit: '%', digits: 4 }
    : { ...RATE_FORM_LABELS[form], name: 'Settled rate' };
}

const STROKES = ['solid', 'dashed', 'dotted'] as const;
/** The interest rate of one interval: one basis point. */
const BASELINE = 0.0001;

interface LineLook {
  readonly ink: (typeof SERIES_INKS)[number];
  readonly stroke: (typeof STROKES)[number];
}

/** Gives 24 lines distinct looks: eight inks times three strokes. */
function lookAt(index: number): LineLook {
  return {
    ink: SERIES_INKS[index % SERIES_INKS.length] ?? 'series-1',
    stroke: STROKES[Math.floor(index / SERIES_INKS.length) % STROKES.length] ?? 'solid',
  };
}

/** Draws all lines in one pane that always includes zero and the interest rate. */
export function toRatesChartData(
  rates: RateLines,
  hidden: readonly string[],
  timeText: (epochMillis: number) => string,
): ChartData {
  const { ends, times, measure, lines } = rates;
  const { name, unit, digits } = toMeasureLabel(rates);
  const series = lines.map(({ symbol, values }, index): Series => ({
    kind: 'line',
    ...lookAt(index),
    steps: measure !== 'sum',
    hidden: hidden.includes(symbol),
    values,
  }));
  return {
    times,
    timeName: 'Funding time',
    timeText: (index) => timeText(ends[index] ?? 0),
    panes: [
      {
        name,
        unit,
        share: 1,
        format: (value) => formatAxis(value, digits),
        series: [...series, ...toBaseline(rates)],
        // The legend names each line; labels of many lines would cover the axis.
        tags: [],
        levels: toLevels(rates),
        hatched: findGaps(rates, hidden),
      },
    ],
    readouts: lines.map(({ symbol, read }, index) => ({
      name: symbol,
      unit: '',
      ...lookAt(index),
      text: (at) => formatPercent(read(at), { digits, signed: true }),
    })),
  };
}

/**
 * Finds the bars at which a visible line lacks an expected settled rate. A line without any rate in the window is not
 * drawn, so it counts for nothing here.
 */
function findGaps({ lines, ends }: RateLines, hidden: readonly string[]): readonly number[] {
  const gaps = new Set<number>();
  for (const { symbol, values, expectedFrom, expectedTo } of lines) {
    if (hidden.includes(symbol) || values.every((value) => value === null)) continue;
    for (const [at, end] of ends.entries())
      if (values[at] === null && end > expectedFrom && end <= expectedTo) gaps.add(at);
  }
  return [...gaps];
}

/** Draws the interest rate as a slope, which it is in a cumulative sum, rather than a level. */
function toBaseline(rates: RateLines): readonly Series[] {
  if (rates.measure !== 'sum') return [];
  const step = BASELINE * PERCENT * signOf(rates.side);
  return [{ kind: 'line', ink: 'faint', stroke: 'dotted', values: rates.ends.map((_, index) => (index + 1) * step) }];
}

function toLevels(rates: RateLines): readonly Level[] {
  const zero: Level = { name: 'zero', value: 0, ink: 'muted' };
  if (rates.measure === 'sum') return [zero];
  const value = inUnit(BASELINE * signOf(rates.side), rates.form) * PERCENT;
  return [zero, { name: 'interest rate 0.01 % per 8 h', value, ink: 'faint' }];
}

export function createRatesProvenance(
  perpetuals: readonly PerpetualSeries[],
  { lines, measure, form, side }: RateLines,
  source: Source,
): ReadoutProvenance {
  const entries = lines.map(({ symbol, first, placeAt }, at) => {
    const perpetual = perpetuals[at];
    const read = (index: number): Quantity | null => {
      const place = placeAt(index);
      if (perpetual === undefined || place === null) return null;
      if (measure === 'sum') {
        const sum = toSum(perpetual, { first, last: place }, source);
        return sum && bySide(sum, side);
      }
      const rate = toRateQuantity(perpetual, place, source);
      const interval = perpetual.series.prints[place]?.row;
      return rate && interval ? inForm(rate, { form, side, interval }) : null;
    };
    return [
      symbol,
      (index: number) => {
        return describeFigure(read(index), formatInAllZones);
      },
    ] as const;
  });
  return Object.fromEntries(entries);
}

/** Names only the last settled rate as a source: a sum has too many to list. */
function toSum(
  perpetual: PerpetualSeries,
  { first, last }: { readonly first: number; readonly last: number },
  source: Source,
): Quantity | null {
  const rate = toRateQuantity(perpetual, last, source);
  const how = `Exact sum of the ${String(last - first + 1)} settled rates from the start of the window to this one.`;
  return rate && deriveQuantity('fraction', how, [rate], () => perpetual.series.sums.sum(first, last + 1));
}

const HEADING: readonly CsvColumn[] = [
  'base_symbol',
  'product_id',
  'interval_start',
  'interval_end',
  'settled_rate_per_8h_fraction',
  'interest_rate_per_8h_fraction',
  'premium_fraction',
  'settled_rate_apr_simple_fraction',
  'mark_price_ticks',
  'price_index_ticks',
  'counted',
  'fault',
  'sign',
  ...SOURCE_HEADING,
];

interface RatesCsvInputs {
  readonly window: FundingWindow;
  readonly side: FundingSide;
  readonly source: Source;
}

/**
 * Writes the settled rates of a window, oldest first, perpetual by perpetual. Faulty ones are included with the names
 * of their faults. Rates have the sign of the side, as in the table.
 */
export function toRatesCsv(
  perpetuals: readonly PerpetualSeries[],
  { window: { from, to }, side, source }: RatesCsvInputs,
  form: CsvForm = 'full',
): string {
  const rows = perpetuals.flatMap((perpetual) => {
    const faults = toFaultNames(perpetual.series.faults);
    const counted = new Set(perpetual.series.prints.map(({ row }) => row));
    const sourceCells = toSourceCells(withReadTime(source, perpetual.row.read_at));
    const inside = perpetual.row.prints.filter(({ interval_end }) => !isOutside(Date.parse(interval_end), from, to));
    return inside
      .toReversed()
      .map((print) => [
        ...toCells(perpetual, print, side),
        counted.has(print) ? 'yes' : 'no',
        faults.get(print) ?? null,
        SIGNS[side],
        ...sourceCells,
      ]);
  });
  return toCsvInForm(form, { heading: HEADING, provenance: SOURCE_HEADING }, rows);
}

/** Returns false for an unreadable time (NaN), so that its row is kept. */
function isOutside(end: number, from: number, to: number): boolean {
  return end <= from || end > to;
}

function toCells({ symbol, productId }: PerpetualSeries, print: FundingRateData, side: FundingSide): readonly Cell[] {
  const bySide = (field: 'funding_rate' | 'interest_rate'): Decimal => toSide(toDecimal(wireText(print, field)), side);
  const rate = bySide('funding_rate');
  return [
    ...[symbol, productId, print.interval_start, print.interval_end],
    ...[
      toCell(rate),
      toCell(bySide('interest_rate')),
      toSpreadsheetNumber(premiumOf(print)),
      toSpreadsheetNumber(toRateForm(rate, 'apr', print)),
    ],
    ...(['mark_price', 'price_index'] as const).map((field) => toCell(toDecimal(wireText(print, field)))),
  ];
}

function toCell(value: Decimal): Cell {
  return { digits: value.toFixed() };
}
