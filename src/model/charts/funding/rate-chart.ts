import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import type { TimedPrint } from '../../funding/funding-faults.ts';
import type { FundingSeries } from '../../funding/funding-series.ts';
import { findAfter } from '../../funding/funding-window.ts';
import {
  countIntervals,
  type FundingSide,
  INTERVAL_MS,
  INTERVALS_PER_DAY,
  INTERVALS_PER_YEAR,
  RATE_FORM_LABELS,
  RATE_FORMS,
  type RateForm,
  signOf,
  toRateForm,
  toSide,
} from '../../funding/funding-rate.ts';
import { type Decimal, toDecimal } from '../../units/decimal.ts';
import {
  type Cell,
  type CsvForm,
  type MoreColumns,
  SOURCE_HEADING,
  toCsvInForm,
  toSourceCells,
} from '../../format/csv.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import type { PerpetualData } from '../../tables/funding/perpetual-data.ts';
import type { EstimatedFundingRateData } from '#contract/exchange/market-data.ts';
import { asTicks } from '../../units/quantity.ts';
import { formatBasisPoints, formatNumber, formatPercent, formatRate, NO_VALUE } from '../../format/number.ts';
import { premiumOf, readFundingPrice } from '../../funding/funding-prices.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { ChartData, Pane, Readout } from '../chart-data.ts';
import { FORM_HEADERS, orNotAvailable } from '../../tables/funding/rate-text.ts';

/** One interval of the chart, with its settled rate if a valid one exists. */
export interface ChartInterval {
  /** Epoch milliseconds. */
  readonly end: number;
  readonly print: TimedPrint | null;
}

/** Lists every interval after a time, oldest first, including those without a settled rate. */
export function toChartIntervals(series: FundingSeries, from: number): readonly ChartInterval[] {
  const prints = series.prints.slice(findAfter(series, from));
  const anchor = prints[0]?.start ?? series.expectedTo ?? from;
  const intervals: ChartInterval[] = [];
  let covered = anchor - countIntervals(from, anchor, anchor) * INTERVAL_MS;
  for (const print of prints) {
    intervals.push(...toEmptyIntervals(covered, print.start), { end: print.end, print });
    covered = print.end;
  }
  return [...intervals, ...toEmptyIntervals(covered, series.expectedTo ?? covered)];
}

function toEmptyIntervals(from: number, to: number): readonly ChartInterval[] {
  const count = Math.max(0, Math.ceil((to - from) / INTERVAL_MS));
  return Array.from({ length: count }, (_, index) => ({
    end: Math.min(from + (index + 1) * INTERVAL_MS, to),
    print: null,
  }));
}

interface ChartDataChoices {
  readonly form: RateForm;
  readonly side: FundingSide;
  readonly formatTime: (epochMillis: number) => string;
  readonly isHidden?: (name: string) => boolean;
}

/** The series that can be hidden, by their names in the legend. */
export const RATE_SERIES_NAMES = ['Settled rate', 'Premium', 'Index', 'Mark'] as const;

/** Draws settled rates as steps with the predicted rate as a separate mark, then the premium, then mark and index. */
export function toRateChartData(
  data: PerpetualData,
  intervals: readonly ChartInterval[],
  estimate: EstimatedFundingRateData | null,
  choices: ChartDataChoices,
): ChartData {
  const prices = toPrices(data);
  const next = estimate === null ? null : Date.parse(estimate.interval_end);
  const hasEstimate = next !== null && next > (intervals.at(-1)?.end ?? 0);
  const prints = [...intervals.map(({ print }) => print), ...(hasEstimate ? [null] : [])];
  const ends = [...intervals.map(({ end }) => end), ...(hasEstimate ? [next] : [])];
  const hatched = intervals.flatMap(({ print }, index) => (print === null ? [index] : []));
  const { isHidden = () => false } = choices;
  const panes = [
    toRatePane(prints, hasEstimate ? estimate : null, choices, hatched),
    ...(isHidden('Premium') ? [] : [toPremiumPane(prints, hatched)]),
    ...(isHidden('Index') && isHidden('Mark') ? [] : [toPricePane(prints, prices, { hatched, isHidden })]),
  ];
  return {
    times: ends.map((end) => Math.floor(end / 1_000)),
    timeName: 'Funding time',
    timeText: (index) => describe(index, { ends, prints, hasEstimate, choices }),
    panes,
    readouts: toReadouts(prints, hasEstimate ? estimate : null, prices, choices),
  };
}

interface TimeInputs {
  readonly ends: readonly number[];
  readonly prints: readonly (TimedPrint | null)[];
  readonly hasEstimate: boolean;
  readonly choices: ChartDataChoices;
}

function describe(index: number, { ends, prints, hasEstimate, choices }: TimeInputs): string {
  const text = choices.formatTime(ends[index] ?? 0);
  if ((prints[index] ?? null) !== null) return text;
  return hasEstimate && index === ends.length - 1 ? `${text}, in progress` : `${text}, no settled rate`;
}

/** Floats, for drawing only: readouts are exact. */
export const DRAWN: Readonly<Record<RateForm, (rate: number) => number>> = {
  interval: (rate) => rate,
  day: (rate) => rate * INTERVALS_PER_DAY,
  apr: (rate) => rate * INTERVALS_PER_YEAR,
  apy: (rate) => (1 + rate) ** INTERVALS_PER_YEAR - 1,
};
/** Returns null for a value that is not finite, as with an index of zero or a huge APY: it cannot be drawn. */
function asPoint(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** The rate per 8 h, as a fraction, when it consists of the interest rate alone. */
const DEFAULT_RATE = 0.0001;

function toRatePane(
  prints: readonly (TimedPrint | null)[],
  estimate: EstimatedFundingRateData | null,
  { form, side, isHidden }: ChartDataChoices,
  hatched: readonly number[],
): Pane {
  const draw = (rate: number): number => DRAWN[form](signOf(side) * rate) + 0;
  const estimated = estimate && asPoint(draw(toNumber(estimate.funding_rate)));
  const { unit, digits } = RATE_FORM_LABELS[form];
  return {
    name: 'Rate',
    unit,
    share: 5,
    format: (value) => formatPercent(toDecimal(String(value)), { digits, signed: true }),
    series: [
      {
        kind: 'line',
        ink: 'accent',
        steps: true,
        hidden: isHidden?.('Settled rate') === true,
        values: prints.map((print) => (print === null ? null : asPoint(draw(toNumber(print.row.funding_rate))))),
      },
    ],
    levels: [
      { name: 'zero', value: 0, ink: 'faint' },
      { name: 'interest rate', value: draw(DEFAULT_RATE), ink: 'muted' },
    ],
    hatched,
    outlined: estimated === null ? [] : [{ index: prints.length - 1, value: estimated }],
  };
}

function toPremiumPane(prints: readonly (TimedPrint | null)[], hatched: readonly number[]): Pane {
  return {
    name: 'Premium',
    unit: 'bp',
    share: 2,
    format: (value) => formatBasisPoints(toDecimal(String(value)), { digits: 1, signed: true }),
    series: [
      {
        kind: 'columns',
        ink: 'muted',
        steps: true,
        values: prints.map((print) => (print === null ? null : toPremiumPoint(print))),
      },
    ],
    levels: [{ name: '', value: 0, ink: 'faint' }],
    hatched,
  };
}

function toPremiumPoint({ row }: TimedPrint): number | null {
  const [mark, index] = [toNumber(row.mark_price), toNumber(row.price_index)];
  return mark > 0 && index > 0 ? asPoint(mark / index - 1) : null;
}

interface Prices {
  readonly unit: 'USD' | 'ticks';
  /** Null if the price is withheld. */
  readonly read: (print: TimedPrint, field: 'mark_price' | 'price_index') => Decimal | null;
}

/** Uses USD if the tick size is known and not withheld, otherwise ticks. */
function toPrices({ conversion }: PerpetualData): Prices {
  const used = conversion?.withheld === null ? conversion : asTicks;
  return {
    unit: used === asTicks ? 'ticks' : 'USD',
    read: ({ row }, field) => readFundingPrice(row, field)?.times(used.factor) ?? null,
  };
}

interface PricePaneOptions extends Required<Pick<ChartDataChoices, 'isHidden'>> {
  readonly hatched: readonly number[];
}

function toPricePane(
  prints: readonly (TimedPrint | null)[],
  { unit, read }: Prices,
  { hatched, isHidden }: PricePaneOptions,
): Pane {
  const line = (field: 'mark_price' | 'price_index') =>
    prints.map((print) => (print === null ? null : (read(print, field)?.toNumber() ?? null)));
  const middle = line('price_index').find((price) => price !== null) ?? 0;
  return {
    name: 'Mark and index',
    unit,
    share: 3,
    format: (value) => formatNumber(toDecimal(String(value)), { digits: digitsFor(middle) }),
    series: [
      { kind: 'line', ink: 'series-2', stroke: 'dotted', values: line('price_index'), hidden: isHidden('Index') },
      { kind: 'line', ink: 'series-3', values: line('mark_price'), hidden: isHidden('Mark') },
    ],
    ...(hatched.length > 0 && { levels: [{ name: '', value: middle, ink: 'faint' }], hatched }),
  };
}

/** Returns the fraction digits that show six significant digits. */
function digitsFor(price: number): number {
  return Math.min(10, Math.max(0, 5 - Math.floor(Math.log10(Math.max(Math.abs(price), 1e-9)))));
}

function toReadouts(
  prints: readonly (TimedPrint | null)[],
  estimate: EstimatedFundingRateData | null,
  prices: Prices,
  { form, side }: ChartDataChoices,
): readonly Readout[] {
  const at = (index: number, read: (print: TimedPrint) => string): string => {
    const print = prints[index] ?? null;
    return print === null ? NO_VALUE : read(print);
  };
  const rateOf = ({ row }: TimedPrint): Decimal => toSide(toDecimal(wireText(row, 'funding_rate')), side);
  const { digits } = RATE_FORM_LABELS[form];
  const inForm = (print: TimedPrint): Decimal | null => toRateForm(rateOf(print), form, print.row);
  const price = (
    name: string,
    field: 'mark_price' | 'price_index',
    look: Pick<Readout, 'ink' | 'stroke'>,
  ): Readout => ({
    name,
    unit: prices.unit,
    ...look,
    text: (index) => at(index, (print) => orNotAvailable(prices.read(print, field), formatNumber)),
  });
  return [
    {
      name: 'Settled rate',
      unit: '% per 8 h',
      ink: 'accent',
      text: (index) => at(index, (print) => formatRate(rateOf(print))),
    },
    ...(form === 'interval'
      ? []
      : [
          {
            name: FORM_HEADERS[form].one,
            unit: FORM_HEADERS[form].unit,
            text: (index: number) => at(index, (print) => formatPercent(inForm(print), { digits, signed: true })),
          },
        ]),
    {
      name: 'Premium',
      unit: 'bp',
      ink: 'muted',
      text: (index) => at(index, (print) => orNotAvailable(premiumOf(print.row), formatBasisPoints)),
    },
    price('Index', 'price_index', { ink: 'series-2', stroke: 'dotted' }),
    price('Mark', 'mark_price', { ink: 'series-3' }),
    {
      name: 'Predicted rate',
      unit: '% per 8 h',
      text: (index) =>
        estimate !== null && index === prints.length - 1
          ? formatRate(toSide(toDecimal(wireText(estimate, 'funding_rate')), side))
          : NO_VALUE,
    },
  ];
}

const RATES = ['funding_rate', 'interest_rate'] as const;
const PRICES = ['price_index', 'mark_price'] as const;

const HEADING: readonly CsvColumn[] = [
  'interval_start',
  'interval_end',
  'base_symbol',
  'product_id',
  'settled_rate_per_8h_fraction',
  'interest_rate_per_8h_fraction',
  ...PRICES.map((field) => `${field}_ticks` as const),

  'settled_rate_per_8h_percent',
  'settled_rate_per_day_percent',
  'settled_rate_apr_simple_percent',
  'settled_rate_apy_percent',
  'position_side',
  'state',
  'read_at',
  ...SOURCE_HEADING,
];

interface RateChartCsvInputs {
  readonly data: PerpetualData;
  readonly intervals: readonly ChartInterval[];
  readonly side: FundingSide;
}

/**
 * Writes the charted intervals, gaps included. Rates have the sign of the side, which has its own column; prices are as
 * received.
 */
export function toRateChartCsv(
  { data, intervals, side }: RateChartCsvInputs,
  csv: CsvForm = 'full',
  more?: MoreColumns,
): string {
  const {
    perpetual: { base_symbol, product_id, read_at },
    source,
  } = data;
  const origin: readonly Cell[] = [read_at, ...toSourceCells(source)];
  return toCsvInForm(
    csv,
    { heading: [...HEADING, ...(more?.heading ?? [])], provenance: ['read_at', ...SOURCE_HEADING] },
    intervals.map(({ print, end }, index) => {
      const others = more?.cells(index) ?? [];
      const perpetual: readonly Cell[] = [base_symbol, String(product_id)];
      if (print === null)
        return [
          null,
          new Date(end).toISOString(),
          ...perpetual,
          ...[...RATES, ...PRICES, ...RATE_FORMS].map(() => null),
          side,
          'no valid rate',
          ...origin,
          ...others,
        ];
      const { row } = print;
      const rate = toSide(toDecimal(wireText(row, 'funding_rate')), side);
      const forms = RATE_FORMS.map((form): Cell => {
        const value = toRateForm(rate, form, row);
        return value && { digits: value.times(100).toSignificantDigits(15).toFixed() };
      });
      const interest = toSide(toDecimal(wireText(row, 'interest_rate')), side);
      const fields: readonly Cell[] = [
        ...[rate, interest].map((each) => ({ digits: each.toFixed() })),
        ...PRICES.map((field) => ({ digits: wireText(row, field) })),
      ];
      const figures = [...perpetual, ...fields, ...forms, side, 'settled', ...origin];
      return [row.interval_start, row.interval_end, ...figures, ...others];
    }),
  );
}
