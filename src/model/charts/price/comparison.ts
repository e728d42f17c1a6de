import type { ApiResponse, Source } from '../../response.ts';
import type { Day } from '#contract/exchange/instant.ts';
import { rebase, type RebasedSeries } from '../../price/change.ts';
import { type Decimal, toDecimal } from '../../units/decimal.ts';
import { asUsd, deriveQuantity, type Quantity, sourcesOf, toQuantity } from '../../units/quantity.ts';
import { type Cell, type CsvForm, toCsvInForm } from '../../format/csv.ts';
import { type Bar, orderSessions } from '../../price/bars.ts';
import type { RunningChange } from '../../price/running-session.ts';
import { describeFigure } from '../../format/provenance.ts';
import type { ChartData, Pane, Readout, ReadoutProvenance, Series, SeriesInk } from '../chart-data.ts';
import { formatDay, formatInAllZones } from '../../format/format-time.ts';
import type { Prices } from './slot-provenance.ts';
import { weekdayOf } from '../../time/session.ts';
import { formatNumber, NO_VALUE } from '../../format/number.ts';
import { formatPrice, priceDigits } from './price-chart.ts';

export interface ComparedBars {
  readonly name: string;
  readonly bars: readonly Bar[];
  /** Whether the product trades on every day of the week. */
  readonly everyDay: boolean;
  /** The running session; null if there is none or its change is unknown. */
  readonly running: RunningChange | null;
}

export interface Comparison {
  readonly chartData: ChartData;
  /** The session at which both products are 100. */
  readonly base: Day;
  /** Whether the last session is in progress, for both products. */
  readonly isRunning: boolean;
}

const INKS: readonly SeriesInk[] = ['series-1', 'series-2'];

/** Rebases settlements to 100 on the first common session; null if there is none. */
export function toComparison(products: readonly ComparedBars[]): Comparison | null {
  const indexed = indexProducts(products);
  if (indexed === null) return null;
  const { byDay, isRunning } = indexed;
  const days = [...new Set(byDay.flatMap((points) => [...points.keys()]))].sort();
  const series = byDay.map((points, at): Series => ({
    kind: 'line',
    ink: inkAt(at),
    values: days.map((day) => points.get(day)?.toNumber() ?? null),
    spanned: products[at]?.everyDay === true ? NO_DAYS : findWeekends(days),
  }));
  const readouts = products.flatMap((product, at): readonly Readout[] => [
    {
      name: `${product.name} rebased`,
      unit: '',
      ink: inkAt(at),
      text: (index) => formatNumber(byDay[at]?.get(days[index] ?? ('' as Day)) ?? null, { digits: 2 }),
    },
    toSettlementReadout(product, days),
  ]);
  const pane: Pane = {
    name: 'Rebased to 100',
    unit: '',
    share: 1,
    logarithmic: true,
    format: (value: number) => value.toFixed(1),
    series,
  };
  return {
    base: indexed.base,
    isRunning,
    chartData: {
      times: days,
      timeName: 'Session',
      timeText: (index) => toText(days[index], isRunning && index === days.length - 1),
      panes: [pane],
      readouts,
    },
  };
}

function toSettlementReadout({ name, bars }: ComparedBars, days: readonly Day[]): Readout {
  const digits = priceDigits(bars);
  const byDay = new Map(bars.map((bar) => [bar.date, bar.settlement]));
  return {
    name: `${name} settlement`,
    unit: 'USD',
    text: (index) => {
      const settlement = byDay.get(days[index] ?? ('' as Day));
      return settlement === undefined ? NO_VALUE : formatPrice(settlement, digits);
    },
  };
}

const NO_DAYS: ReadonlySet<number> = new Set();

/** Finds the days on which a dated contract does not trade. On any other day, a missing settlement stays a gap. */
function findWeekends(days: readonly Day[]): ReadonlySet<number> {
  return new Set(days.flatMap((day, index) => (weekdayOf(day) > 5 ? [index] : [])));
}

interface IndexedProducts extends Pick<Comparison, 'base' | 'isRunning'> {
  /** The index of each product by session. */
  readonly byDay: readonly ReadonlyMap<Day, Decimal>[];
}

/**
 * Rebases the products up to the last session that they have in common, since lines that end on different days would
 * seem to differ. A session in progress counts only if it is in progress for all of them.
 */
function indexProducts(products: readonly Pick<ComparedBars, 'bars' | 'running'>[]): IndexedProducts | null {
  const indexed = rebase(products.map(({ bars }) => bars));
  if (indexed === null) return null;
  const settled = indexed.series.map(({ points }) => points);
  const running = products.map((product, at) => toRunningPoint(product, settled[at] ?? []));
  const [date, ...others] = running.map(([point]) => point?.date);
  const isRunning = date !== undefined && others.every((other) => other === date);
  const byDay = settled.map(
    (points, at) =>
      new Map([...points, ...(isRunning ? (running[at] ?? []) : [])].map(({ date: day, value }) => [day, value])),
  );
  const last = [...(byDay[0]?.keys() ?? [])].findLast((day) => byDay.every((points) => points.has(day)));
  return {
    base: indexed.base,
    isRunning,
    byDay: byDay.map((points) => new Map([...points].filter(([day]) => last !== undefined && day <= last))),
  };
}

/** Computes the index of the running session’s last price from its change since the newest settlement. */
function toRunningPoint(
  { running }: Pick<ComparedBars, 'running'>,
  points: RebasedSeries['points'],
): RebasedSeries['points'] {
  const newest = points.at(-1);
  return newest === undefined || running?.since !== newest.date
    ? []
    : [{ date: running.date, value: newest.value.plus(newest.value.times(running.fraction.value)) }];
}

function toText(day: Day | undefined, isRunning: boolean): string {
  return day === undefined ? '' : `${formatDay(day)}${isRunning ? ', in progress' : ''}`;
}

function inkAt(index: number): SeriesInk {
  return INKS[index % INKS.length] ?? 'series-1';
}

export interface ComparedProduct extends Omit<ComparedBars, 'everyDay'> {
  readonly response: ApiResponse<unknown>;
}

const PROVENANCE = ['request', 'responded_at', 'received_at', 'age_s', 'source', 'request_id'] as const;
/** Programs know the other columns by position, so the newest one comes last. */
const COLUMNS = {
  heading: ['date', 'symbol', 'settlement_usd', 'rebased', 'rebase_date', ...PROVENANCE, 'bar'],
  provenance: PROVENANCE,
} as const;

/**
 * Writes a row for each product and session, with its settlement and, for the sessions that are compared, its index. The
 * running session has no settlement yet; its index is that of its last price.
 */
export function toComparisonCsv(products: readonly ComparedProduct[], form: CsvForm = 'full'): string {
  const indexed = indexProducts(products);
  const base = indexed?.base ?? null;
  const rows = products.flatMap((product, at) => {
    const values = indexed?.byDay[at];
    const indexAt = (date: Day): Decimal | null => values?.get(date) ?? null;
    const settled = product.bars.map(({ date, settlement }) =>
      toCells(
        product,
        {
          date,
          settlement: settlement && toDecimal(settlement),
          index: indexAt(date),
          base,
          source: product.response,
        },
        'published',
      ),
    );
    return [...settled, ...(indexed?.isRunning === true ? toRunningRow(product, indexAt, base) : [])];
  });
  return toCsvInForm(form, COLUMNS, rows);
}

function toRunningRow(
  product: ComparedProduct,
  indexAt: (date: Day) => Decimal | null,
  base: Day | null,
): readonly (readonly Cell[])[] {
  const { running } = product;
  const [source] = running === null ? [] : sourcesOf(running.fraction);
  if (running === null || source === undefined) return [];
  const { date } = running;
  return [toCells(product, { date, settlement: null, index: indexAt(date), base, source }, 'running session')];
}

/** Enough to recompute a price with all of its digits. */
const DIGITS = 10;

interface Line {
  readonly date: Day;
  readonly settlement: Decimal | null;
  readonly index: Decimal | null;
  readonly base: Day | null;
  readonly source: Source;
}

function toCells(
  { name }: ComparedProduct,
  { date, settlement, index, base, source }: Line,
  bar: string,
): readonly Cell[] {
  const { target, respondedAt, receivedAt, ageSeconds, cache, requestId } = source;
  const provenance = [`GET ${target}`, respondedAt, new Date(receivedAt).toISOString(), ageSeconds, cache, requestId];
  return [
    date,
    name,
    settlement && { digits: settlement.toFixed() },
    index && { digits: index.toDecimalPlaces(DIGITS).toFixed() },
    base,
    ...provenance,
    bar,
  ];
}

interface NamedPrices {
  readonly name: string;
  readonly prices: Prices;
  readonly running: RunningChange | null;
}

export function createComparisonProvenance(
  { base, chartData: { times } }: Comparison,
  products: readonly NamedPrices[],
): ReadoutProvenance {
  const entries = products.flatMap(({ name, prices, running }) => {
    const read = (day: Day): Quantity | null => toSettlement(prices, day);
    const indexOf = (day: Day): Quantity | null => toIndex(read(day), read(base), base);
    const toIndexAt = (day: Day): Quantity | null =>
      running?.date === day ? toRunningIndex(indexOf(running.since), running) : indexOf(day);
    const dayAt = (index: number): Day => String(times[index]) as Day;
    return [
      [`${name} settlement`, (index: number) => describeFigure(read(dayAt(index)), formatInAllZones)],
      [`${name} rebased`, (index: number) => describeFigure(toIndexAt(dayAt(index)), formatInAllZones)],
    ] as const;
  });
  return Object.fromEntries(entries);
}

function toSettlement(prices: Prices, day: Day): Quantity | null {
  const point = orderSessions(prices.value).find(({ date }) => date === day);
  return point === undefined ? null : toQuantity({ source: prices, dataTime: day }, point, 'settlementPrice', asUsd);
}

function toIndex(now: Quantity | null, first: Quantity | null, base: Day): Quantity | null {
  if (now === null || first === null) return null;
  return deriveQuantity('fraction', `Settlement × 100 ÷ settlement of ${base}.`, [now, first], ([to, from]) =>
    to && from && !from.isZero() ? to.times(100).div(from) : null,
  );
}

function toRunningIndex(settled: Quantity | null, { since, fraction }: RunningChange): Quantity | null {
  return (
    settled &&
    deriveQuantity(
      'fraction',
      `Rebased settlement of ${since} × (1 + change of the last price since it).`,
      [settled, fraction],
      ([from, change]) => (from && change ? from.plus(from.times(change)) : null),
    )
  );
}
