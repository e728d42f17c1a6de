import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import { countOf } from '../../format/count.ts';
import type { Cell, MoreColumns } from '../../format/csv.ts';
import { formatDay } from '../../format/format-time.ts';
import { formatNumber, formatPercent, NO_VALUE } from '../../format/number.ts';
import type { Fact } from '../../format/provenance.ts';
import { type Decimal, toDecimal } from '../../units/decimal.ts';
import {
  type ChartData,
  inPercent,
  type Ink,
  type Level,
  type Pane,
  type Readout,
  type Series,
  tagNewest,
} from '../chart-data.ts';
import { priceDigits } from '../price/price-chart.ts';
import type { PriceData } from '../price/price-data.ts';
import { type SettledBar, toDailyBars } from '../../price/bars.ts';
import { type Fixed, fromFixed, toPoint } from './fixed-point.ts';
import { type IndicatorSpec, PRICE_INDICATORS, ruleOf } from './indicator-spec.ts';
import {
  type ComputedIndicator,
  type ComputedLine,
  computeIndicator,
  type PriceIndicator,
} from './price-indicators.ts';
import { type BarsAYear, countBarsAYear, type SettledSlots, toSettledSlots } from './settled-bars.ts';
import { type DailyRows, type ShownRange, withHistory } from './whole-history.ts';

/** An indicator of a price, computed. */
interface PriceLines extends ComputedIndicator {
  readonly spec: IndicatorSpec;
  readonly kind: PriceIndicator;
  readonly ink: Ink;
}

export interface Indicators {
  /** With a value or null for each slot of the history up to the end of the range. */
  readonly all: readonly PriceLines[];
  readonly whole: PriceData;
  readonly slots: SettledSlots;
  /** How many slots are before the range. */
  readonly before: number;
  readonly barsAYear: BarsAYear | null;
}

/** Computes the chosen indicators of a price over its whole history. `type`: that of the product. */
export function computeIndicators(
  shown: ShownRange,
  history: DailyRows,
  specs: readonly IndicatorSpec[],
  type: string | undefined,
): Indicators {
  const whole = withHistory(shown, history);
  const slots = toSettledSlots(whole.slots);
  const barsAYear = countBarsAYear({ period: whole.period, daily: toDailyBars(history.points) }, type);
  const all = specs.flatMap((spec, place): readonly PriceLines[] => {
    const kind = PRICE_INDICATORS.find((each) => each === spec.kind);
    return kind === undefined
      ? []
      : [{ spec, kind, ink: inkOf(place), ...computeIndicator(kind, spec.parameters, { slots, barsAYear }) }];
  });
  return { all, whole, slots, before: slots.length - shown.data.slots.length, barsAYear };
}

/** The inks of indicators by their place. Open interest has the second ink of series. */
const INDICATOR_INKS: readonly Ink[] = [
  'series-1',
  'series-3',
  'series-4',
  'series-5',
  'series-6',
  'series-7',
  'series-8',
  'muted',
];

export function inkOf(place: number): Ink {
  return INDICATOR_INKS[place % INDICATOR_INKS.length] ?? 'muted';
}

interface Look {
  /** Null: over the price. */
  readonly pane: { readonly unit: string; readonly levels?: readonly Level[] } | null;
  readonly unit: string;
  readonly format: (value: Decimal, digits: number) => string;
  readonly how: (parameters: readonly string[], barsAYear: BarsAYear | null) => string;
}

const inUsd = (value: Decimal, digits: number): string => formatNumber(value, { digits });
const inPercentage = (value: Decimal): string => formatPercent(value);
const zero: Level = { name: '', value: 0, ink: 'faint' };

const LOOKS: Readonly<Record<PriceIndicator, Look>> = {
  sma: {
    pane: null,
    unit: 'USD',
    format: inUsd,
    how: ([bars]) => `Mean of the last ${bars ?? ''} settlements.`,
  },
  ema: {
    pane: null,
    unit: 'USD',
    format: inUsd,
    how: ([bars]) =>
      `Average before it + 2 ÷ (${bars ?? ''} + 1) × (settlement − average before it), from the mean of the first ` +
      `${bars ?? ''} settlements on.`,
  },
  bb: {
    pane: null,
    unit: 'USD',
    format: inUsd,
    how: ([bars, deviations]) =>
      `Mean of the last ${bars ?? ''} settlements, and ${deviations ?? ''} × their standard deviation (÷ n) above and ` +
      'below it.',
  },
  rsi: {
    pane: {
      unit: '0 to 100',
      levels: [
        { name: '', value: 70, ink: 'faint' },
        { name: '', value: 30, ink: 'faint' },
      ],
    },
    unit: 'of 100',
    format: (value) => formatNumber(value, { digits: 2 }),
    how: ([bars]) =>
      `100 × average rise ÷ (average rise + average fall) between settlements. Each average moves by 1 ÷ ${bars ?? ''} ` +
      `of its distance (Wilder), from the mean of the first ${bars ?? ''} changes on.`,
  },
  macd: {
    pane: { unit: 'USD', levels: [zero] },
    unit: 'USD',
    format: inUsd,
    how: ([fast, slow, signal]) =>
      `Exponential average of ${fast ?? ''} settlements − that of ${slow ?? ''}. Signal: exponential average of ` +
      `${signal ?? ''} of these. Difference: line − signal.`,
  },
  atr: {
    pane: { unit: 'USD' },
    unit: 'USD',
    format: inUsd,
    how: ([bars]) =>
      'True range: from the lower of low and settlement before it to the higher of high and that settlement, without ' +
      `bad ticks. The average moves by 1 ÷ ${bars ?? ''} of its distance (Wilder), from the mean of the first ` +
      `${bars ?? ''} on.`,
  },
  vol: {
    pane: { unit: '% a year' },
    unit: '% a year',
    format: inPercentage,
    how: ([bars], barsAYear) =>
      `Standard deviation (÷ n − 1) of the last ${bars ?? ''} logarithmic returns between settlements × √` +
      (barsAYear === null
        ? '(sessions a year), which are not known: the product has fewer than 20 sessions.'
        : `(${barsAYear.how}).`),
  },
  dd: {
    pane: { unit: '%', levels: [zero] },
    unit: '%',
    format: inPercentage,
    how: () => 'Settlement ÷ highest settlement of the whole history up to it − 1.',
  },
};

export interface DrawingOptions {
  readonly data: PriceData;
  /** The bar from whose settlement prices are shown as percent changes. */
  readonly base: SettledBar | null;
  readonly isHidden: (name: string) => boolean;
}

/** Adds the indicators to a chart of prices: over the candles, or each in its own pane. */
export function withIndicators(chartData: ChartData, indicators: Indicators, options: DrawingOptions): ChartData {
  const { data, base, isHidden } = options;
  const digits = priceDigits(data.bars);
  const { before } = indicators;
  const spanned = new Set(
    indicators.slots.slice(before).flatMap((slot, index) => (slot === 'no trades' ? [index] : [])),
  );
  const shown = indicators.all.filter(({ spec }) => !isHidden(spec.name));
  const overlays = shown.flatMap((one) => (LOOKS[one.kind].pane === null ? toLines(one, { before, spanned }) : []));
  const explainSettlement = chartData.readouts.find(({ name }) => name === 'Settlement')?.explain;
  return {
    ...chartData,
    panes: [
      ...chartData.panes.map((pane) => (pane.name === 'Price' ? withOverlays(pane, overlays, base) : pane)),
      ...shown.flatMap((one) => toPanes(one, digits, { before, spanned })),
    ],
    readouts: [
      ...chartData.readouts,
      ...indicators.all.flatMap((one) => toReadouts(one, { indicators, digits, explainSettlement })),
    ],
  };
}

function withOverlays(pane: Pane, overlays: readonly Series[], base: SettledBar | null): Pane {
  const drawn =
    base === null ? overlays : inPercent({ ...pane, tags: [], series: overlays }, Number(base.settlement)).series;
  return { ...pane, series: [...pane.series, ...drawn] };
}

/** Which slots are drawn, and across which of these a line goes on. */
interface Drawn {
  readonly before: number;
  readonly spanned: ReadonlySet<number>;
}

function toLines({ lines, ink }: PriceLines, { before, spanned }: Drawn): readonly Series[] {
  return lines.map(({ figure, values: all }) => {
    const values = all.slice(before).map(toPoint);
    return figure === 'difference'
      ? { kind: 'columns', ink: 'muted', quiet: true, values }
      : { kind: 'line', ink, spanned, values, ...(strokeOf(figure) && { stroke: 'dashed' }) };
  });
}

/** The middle of bands and the signal line are dashed, since the lines around them have the same colour. */
function strokeOf(figure: string | null): 'dashed' | undefined {
  return figure === 'middle' || figure === 'signal' ? 'dashed' : undefined;
}

function toPanes(one: PriceLines, digits: number, drawn: Drawn): readonly Pane[] {
  const { pane, format } = LOOKS[one.kind];
  if (pane === null) return [];
  const series = toLines(one, drawn);
  const [first, second] = series;
  return [
    {
      name: one.spec.name,
      ...pane,
      // The labels of several lines would cover each other.
      ...(first?.kind === 'line' && second && { tags: tagNewest(ruleOf(one.kind).short, one.ink, first.values) }),
      share: 2,
      slim: true,
      format: (value) => format(toDecimal(String(value)), digits),
      series: series.toSorted((a, b) => Number(b.kind === 'columns') - Number(a.kind === 'columns')),
    },
  ];
}

interface ReadoutInputs {
  readonly indicators: Indicators;
  readonly digits: number;
  readonly explainSettlement: Readout['explain'];
}

function toReadouts(one: PriceLines, inputs: ReadoutInputs): readonly Readout[] {
  const { spec, kind, ink, lines } = one;
  const { unit, format } = LOOKS[kind];
  return lines.map((line) => {
    const { figure, values } = line;
    return {
      name: figure === null ? spec.name : `${spec.name} ${figure}`,
      ...(figure !== null && { entry: { name: spec.name, figure } }),
      unit,
      ink,
      isSettledOnly: true,
      text: (index) => {
        const value = values[inputs.indicators.before + index] ?? null;
        return value === null ? NO_VALUE : format(fromFixed(value), inputs.digits);
      },
      explain: (index) => explain(index, { one, line, ...inputs }),
    };
  });
}

interface Explained extends ReadoutInputs {
  readonly one: PriceLines;
  readonly line: ComputedLine;
}

function explain(shown: number, { one, line, indicators, explainSettlement }: Explained): readonly Fact[] {
  const index = indicators.before + shown;
  const computed = { name: 'Computed', value: LOOKS[one.kind].how(one.spec.parameters, indicators.barsAYear) };
  if ((line.values[index] ?? null) === null)
    return [{ name: 'No value', value: whyNone(index, one, line, indicators) }, computed];
  const place = one.places[index] ?? 1;
  const used = isWindowed(one.kind) ? Math.min(place, line.firstBar) : place;
  const first = findEarlier(one.places, index, used - 1);
  const [from, to] = [first, index]
    .map((place) => indicators.whole.slots[place])
    .map((slot) => (slot === undefined ? '' : formatDay(slot.key)));
  return [
    computed,
    { name: 'From', value: `${countOf(used, 'settled bar')}, ${from ?? ''} to ${to ?? ''}` },
    ...(explainSettlement?.(shown) ?? []).map((fact) => ({ ...fact, name: `${fact.name} (newest)` })),
  ];
}

/** Whether only the bars of a window count, rather than all since the first. */
function isWindowed(kind: PriceIndicator): boolean {
  return kind === 'sma' || kind === 'bb' || kind === 'vol';
}

/** Returns the slot of the bar so many bars earlier. */
function findEarlier(places: readonly (number | null)[], index: number, bars: number): number {
  let [at, left] = [index, bars];
  while (left > 0 && at > 0) {
    at -= 1;
    if ((places[at] ?? null) !== null) left -= 1;
  }
  return at;
}

const WHY_NONE = {
  'no trades': 'Nothing traded, so this session is not counted.',
  'in progress': 'The session in progress has no settlement yet.',
  'unknown': 'A price of this bar is unknown. The indicator begins anew after it.',
} as const;

function whyNone(index: number, one: PriceLines, { firstBar }: ComputedLine, { slots, barsAYear }: Indicators): string {
  const slot = slots[index] ?? 'no trades';
  if (typeof slot === 'string') return WHY_NONE[slot];
  const place = one.places[index] ?? null;
  if (place === null) return 'The settlement is not above zero, so it has no share and no logarithm.';
  if (place < firstBar)
    return `The first value is at settled bar ${String(firstBar)} in a row with known prices; this is bar ${String(place)}.`;
  return one.kind === 'vol' && barsAYear === null
    ? 'The product has too few sessions to count those of a year.'
    : 'The settlement has not changed over these bars.';
}

/** Says in sentences what the indicators use, and which have no value yet. */
export function describeIndicators({ all, slots, barsAYear }: Indicators): readonly string[] {
  if (all.length === 0) return [];
  const isBelow = slots.some((slot) => typeof slot === 'object' && slot.settlement <= 0n);
  const short = all.flatMap(({ spec, kind, lines, longest }) => {
    const needed = Math.max(...lines.map(({ firstBar }) => firstBar));
    if (longest >= needed) return [];
    if (isBelow && (kind === 'vol' || kind === 'dd'))
      return [`${spec.name} is not of prices at or below zero, which have no logarithm and no share of a high.`];
    return [
      `${spec.name} needs ${String(needed)} settled bars in a row with known prices; up to the end of ` +
        `this range there are ${String(longest)}.`,
    ];
  });
  const hasVolatility = all.some(({ kind }) => kind === 'vol');
  return [
    'Indicators: of settled bars that traded, over the whole history, each from its own first full count on; not of the ' +
      'session in progress.',
    ...(hasVolatility && barsAYear !== null ? [`Realised volatility a year: × √(${barsAYear.how}).`] : []),
    ...(hasVolatility && barsAYear === null
      ? ['No realised volatility: the product has fewer than 20 sessions, too few to count those of a year.']
      : []),
    ...short,
  ];
}

/** As for all that is computed by division. */
const SIGNIFICANT_DIGITS = 15;

/** Returns the columns of a CSV file for the indicators, whether they are hidden or not. */
export function toIndicatorColumns({ all, before }: Indicators): MoreColumns {
  const lines = all.flatMap(({ lines: own }) => own);
  return {
    heading: lines.map(({ column }) => column),
    cells: (index) => lines.map(({ values, column }) => toCell(values[before + index] ?? null, column)),
  };
}

function toCell(value: Fixed | null, column: CsvColumn): Cell {
  if (value === null) return null;
  const isFraction = column.endsWith('_percent') && !column.startsWith('rsi');
  const exact = fromFixed(value).times(isFraction ? 100 : 1);
  return { digits: exact.toSignificantDigits(SIGNIFICANT_DIGITS).toFixed() };
}
