import {
  findInProgress,
  type FundingInterval,
  type FundingSide,
  type RateForm,
  toNextInterval,
  whyDoubtful,
} from '../../funding/funding-rate.ts';
import { type RankOrder, rankValues, toPercentile } from '../../funding/rate-distribution.ts';
import { rankWindow, toSideZScore, type WindowStanding } from '../../funding/rolling-windows.ts';
import { type Decimal, toDecimal } from '../../units/decimal.ts';
import {
  bySide,
  inForm,
  type NamedWindow,
  type Past,
  type RealisedFigures,
  toMinute,
  toPast,
  toRealised,
} from './realised.ts';
import type { RankBy } from './compare-params.ts';
import type { ApiResponse } from '../../response.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import type { FundingRateData, VOIDataPoint } from '#contract/exchange/market-data.ts';
import type { Day } from '#contract/exchange/instant.ts';
import {
  asContracts,
  asRate,
  asTicks,
  deriveQuantity,
  fromCents,
  type Quantity,
  toQuantity,
} from '../../units/quantity.ts';
import type { Estimate, Estimates } from '../../funding/estimate.ts';
import { describeRevision } from '../../funding/funding-faults.ts';
import { toFundingPrice, toPremium } from '../../funding/funding-prices.ts';
import {
  findOverdueRate,
  type FundingSeries,
  type PerpetualSeries,
  withReadTime,
} from '../../funding/funding-series.ts';
import { findNewestFundingTime, measureWindow, type WindowMeasures } from '../../funding/funding-window.ts';
import { type DueTimes, findOverdue, type Overdue } from '../../time/overdue.ts';
import { findLatestOpenInterest, groupByProduct } from '../../voi/voi-rows.ts';

export interface RankedRow extends CompareRow {
  /** Null if the figure is missing or older than that of other perpetuals. */
  readonly rank: number | null;
  /** How many other rows share its rank. */
  readonly tiedWith: number;
}

interface Ranking {
  readonly what: string;
  readonly order: RankOrder;
  /** Returns null if the figure is missing or older than that of other perpetuals. */
  readonly read: (row: CompareRow, side: FundingSide) => Decimal | null;
  /** Whether the figure covers the chosen window, rather than one interval. */
  readonly isOverWindow: boolean;
  /** Whether the lowest values stand out as much as the highest. */
  readonly hasTwoEnds: boolean;
}

const isOfOneInterval = { order: 'highest first', isOverWindow: false, hasTwoEnds: true } as const;
const isOfWindow = { ...isOfOneInterval, isOverWindow: true } as const;

/** The percentile of what is usual: both ends are extreme. */
const MIDDLE = toDecimal('0.5');

const RANKS: Readonly<Record<RankBy, Ranking>> = {
  realised: {
    ...isOfWindow,
    what: 'mean settled rate',
    read: (row) => (isBehindIn(row) ? null : row.chosen.mean.value),
  },
  premium: {
    ...isOfOneInterval,
    what: 'premium at the last funding time',
    read: (row) => ofLatest(row, row.premium?.value),
  },
  stability: {
    ...isOfWindow,
    what: 'standard deviation',
    order: 'lowest first',
    hasTwoEnds: false,
    read: ({ chosen }) => chosen.deviation.value,
  },
  rate: { ...isOfOneInterval, what: 'last settled rate', read: (row) => ofLatest(row, row.settled?.value) },
  excess: {
    ...isOfOneInterval,
    what: 'size of last settled rate − interest rate',
    order: 'most extreme first',
    hasTwoEnds: false,
    read: (row) => ofLatest(row, row.excess?.value?.abs()),
  },
  percentile: {
    ...isOfWindow,
    what: 'distance of the percentile from 50',
    order: 'most extreme first',
    hasTwoEnds: false,
    read: (row, side) => (isBehindIn(row) ? null : (toPercentile(row.standing(), side)?.minus(MIDDLE).abs() ?? null)),
  },
  zscore: {
    ...isOfWindow,
    what: 'size of the z-score',
    order: 'most extreme first',
    hasTwoEnds: false,
    read: (row, side) => (isBehindIn(row) ? null : (toSideZScore(row.standing(), side)?.abs() ?? null)),
  },
  predicted: {
    ...isOfOneInterval,
    what: 'predicted rate',
    read: ({ estimate, latestEstimate, interval }) =>
      latestEstimate?.value.interval_end === interval?.interval_end ? (estimate?.value ?? null) : null,
  },
};

type Period = Pick<NamedWindow, 'id' | 'label'>;

/** Describes what the rows are ranked by, with the window if the figure covers one. */
export function describeRanking(by: RankBy, period: Period): string {
  const { what, isOverWindow: isOver, order } = RANKS[by];
  return `${what}${isOver ? ` over ${namePeriod(period)}` : ''}, ${order}`;
}

/** Describes the ranking without the figure, which the control beside it names. */
export function describeOrder(by: RankBy, period: Period): string {
  return `${RANKS[by].isOverWindow ? `over ${namePeriod(period)}, ` : ''}${RANKS[by].order}`;
}

/** Names a period within a sentence. */
export function namePeriod({ id, label }: Period): string {
  return id === 'custom' ? 'the custom range' : label;
}

export function isOverWindow(by: RankBy): boolean {
  return RANKS[by].isOverWindow;
}

/** Whether rows are ranked by where their windows stand in the past. */
export function isOverPast(by: RankBy): boolean {
  return by === 'percentile' || by === 'zscore';
}

function ofLatest({ behindBecause }: CompareRow, value: Decimal | null = null): Decimal | null {
  return behindBecause === null ? value : null;
}

/**
 * Ranks rows. Equal values share a rank. Many rates tie at the interest rate, so ties are ordered by premium, then by
 * symbol.
 */
export function rankRows(rows: readonly CompareRow[], by: RankBy, side: FundingSide): readonly RankedRow[] {
  const { read, order } = RANKS[by];
  const ranks = rankValues(
    rows.map((row) => read(row, side)),
    order,
  );
  const tiedWith = (rank: number | null): number =>
    rank === null ? 0 : ranks.filter((other) => other === rank).length - 1;
  return rows
    .map((row, index) => ({ ...row, rank: ranks[index] ?? null, tiedWith: tiedWith(ranks[index] ?? null) }))
    .toSorted(byPremium);
}

function byPremium(a: CompareRow, b: CompareRow): number {
  const [one, other] = [a.premium?.value ?? null, b.premium?.value ?? null];
  // Rows without a premium come last.
  const byValue =
    one === null || other === null ? Number(one === null) - Number(other === null) : other.comparedTo(one);
  if (byValue !== 0) return byValue;
  return a.symbol < b.symbol ? -1 : 1;
}

/** The rows that are charted while nothing is selected. */
interface DefaultChart {
  readonly rows: readonly RankedRow[];
  /** Describes how the rows were chosen. */
  readonly how: string;
}

const [HIGHEST, LOWEST] = [3, 2] as const;

/**
 * Chooses the ends of the ranking, where something is going on. Of tied rows only the first is charted, since equal
 * lines hide each other.
 */
export function chooseCharted(rows: readonly RankedRow[], by: RankBy): DefaultChart {
  const ranked = rows.filter(({ rank }) => rank !== null).toSorted((a, b) => Number(a.rank) - Number(b.rank));
  const most = HIGHEST + LOWEST;
  if (ranked.length === 0) return { rows: rows.slice(0, most), how: 'none is ranked' };
  const distinct = ranked.filter(({ rank }, at) => rank !== ranked[at - 1]?.rank);
  if (distinct.length <= most)
    return { rows: distinct, how: distinct.length === ranked.length ? 'all that are ranked' : 'one of each rank' };
  if (!RANKS[by].hasTwoEnds)
    return { rows: distinct.slice(0, most), how: nameTies(`top ${String(most)}`, ranked, distinct) };
  return {
    rows: [...distinct.slice(0, HIGHEST), ...distinct.slice(-LOWEST)],
    how: nameTies(`top ${String(HIGHEST)} and bottom ${String(LOWEST)}`, ranked, distinct),
  };
}

function nameTies(which: string, ranked: readonly RankedRow[], distinct: readonly RankedRow[]): string {
  return distinct.length === ranked.length ? which : `${which}, one per tie`;
}

/**
 * Returns why the last settled rate is doubtful: the exchange has published it with other values, or withdrawn it, or it
 * is implausible.
 */
export function whyLastInDoubt({ last, series }: Pick<CompareRow, 'last' | 'series'>): string | null {
  for (const fault of series.faults)
    if ((fault.kind === 'revised' || fault.kind === 'withdrawn') && fault.prints[0] === last)
      return fault.kind === 'revised' ? describeRevision(fault) : 'no longer published';
  return last && whyDoubtful(last);
}

/** Whether the window continues after the last settled rate of a perpetual that lags behind others. */
function isBehindIn({ behindBecause, series, chosen }: CompareRow): boolean {
  return behindBecause !== null && (series.prints.at(-1)?.end ?? 0) < chosen.window.to;
}

export interface WindowFigures extends RealisedFigures {
  readonly window: NamedWindow;
  readonly measures: WindowMeasures;
}

/** A row of the comparison. An unknown figure is null, never zero. */
export interface CompareRow extends PerpetualSeries {
  readonly last: FundingRateData | null;
  readonly settled: Quantity | null;
  readonly settledInForm: Quantity | null;
  /** Why its last settled rate is older than that of others; null if it is not. */
  readonly behindBecause: string | null;
  /** Set if the last settled rate is overdue. */
  readonly overdueRate: Overdue | null;
  /** The premium of mark over index at the last funding time. */
  readonly premium: Quantity | null;
  /** The last settled rate minus its interest rate. */
  readonly excess: Quantity | null;
  readonly estimate: Quantity | null;
  readonly estimateInForm: Quantity | null;
  readonly latestEstimate: Estimate | null;
  /** The current interval. */
  readonly interval: FundingInterval | null;
  readonly windows: ReadonlyMap<NamedWindow['id'], WindowFigures>;
  readonly chosen: WindowFigures;
  /** Where the mean of the chosen window stands in the past; computed when it is first needed. */
  readonly standing: () => WindowStanding | null;
  readonly openInterest: Quantity | null;
  /** In USD, as the exchange publishes it. */
  readonly openInterestUsd: Quantity | null;
  readonly openInterestDate: Day | null;
  /** Set if the open interest is overdue. */
  readonly overdueInterest: Overdue | null;
}

interface RowInputs {
  readonly funding: ApiResponse<DeskFunding>;
  readonly voi: ApiResponse<readonly VOIDataPoint[]> | undefined;
  readonly estimates: Estimates;
  readonly windows: readonly NamedWindow[];
  readonly chosen: NamedWindow;
  readonly past: Past;
  readonly form: RateForm;
  readonly side: FundingSide;
  /** Null if unknown. */
  readonly due: DueTimes | null;
}

export function toCompareRows(perpetuals: readonly PerpetualSeries[], inputs: RowInputs): readonly CompareRow[] {
  const days = groupByProduct(inputs.voi?.value ?? []);
  const newest = findNewestFundingTime(perpetuals.map(({ series }) => series));
  return perpetuals.map((perpetual) => {
    const own = { ...inputs, funding: withReadTime(inputs.funding, perpetual.row.read_at) };
    const figures = new Map(inputs.windows.map((window) => [window.id, toWindowFigures(perpetual, window, own)]));
    const chosen = figures.get(inputs.chosen.id) ?? toWindowFigures(perpetual, inputs.chosen, own);
    return {
      ...perpetual,
      ...toSettled(perpetual, own),
      behindBecause: describeLag(perpetual.series, newest),
      overdueRate: findOverdueRate(perpetual.series),
      ...toPredicted(perpetual, inputs),
      windows: figures,
      chosen,
      standing: once(() => rankWindow(perpetual.series, inputs.chosen, toPast(inputs.past, inputs.chosen))),
      ...toOpenInterest(days.get(perpetual.productId) ?? [], inputs),
    };
  });
}

function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | null = null;
  return () => (known ??= { value: compute() }).value;
}

function toSettled(
  { series }: PerpetualSeries,
  inputs: RowInputs,
): Pick<CompareRow, 'last' | 'settled' | 'settledInForm' | 'premium' | 'excess'> {
  const last = series.prints.at(-1)?.row ?? null;
  if (last === null) return { last, settled: null, settledInForm: null, premium: null, excess: null };
  const at = { source: inputs.funding, dataTime: last.interval_end, prefix: 'prints.' };
  const rate = toQuantity(at, last, 'funding_rate', asRate);
  const premium = toPremium(
    toFundingPrice(at, last, 'mark_price', asTicks),
    toFundingPrice(at, last, 'price_index', asTicks),
  );
  const excess = deriveQuantity(
    'per interval',
    'Settled rate − interest rate',
    [rate, toQuantity(at, last, 'interest_rate', asRate)],
    ([one, other]) => (one && other ? one.minus(other) : null),
  );
  return {
    last,
    excess: bySide(excess, inputs.side),
    settled: bySide(rate, inputs.side),
    settledInForm: inForm(rate, { ...inputs, interval: last }),
    premium,
  };
}

function describeLag({ prints }: FundingSeries, newest: number): string | null {
  const end = prints.at(-1)?.end ?? newest;
  return end >= newest
    ? null
    : `Last settled ${toMinute(end)} UTC; other perpetuals have settled up to ${toMinute(newest)} UTC. Not ranked.`;
}

function toPredicted(
  { symbol, series }: PerpetualSeries,
  { estimates, form, side }: RowInputs,
): Pick<CompareRow, 'estimate' | 'estimateInForm' | 'latestEstimate' | 'interval'> {
  const latestEstimate = estimates.get(symbol) ?? null;
  const last = series.prints.at(-1)?.row;
  const interval = findInProgress(last ? toNextInterval(last) : null, latestEstimate?.value ?? null);
  if (latestEstimate === null) return { estimate: null, estimateInForm: null, latestEstimate, interval };
  const estimate = toQuantity(
    { source: latestEstimate, dataTime: latestEstimate.respondedAt },
    latestEstimate.value,
    'funding_rate',
    asRate,
  );
  return {
    estimate: bySide(estimate, side),
    estimateInForm: inForm(estimate, { form, side, interval: latestEstimate.value }),
    latestEstimate,
    interval,
  };
}

function toWindowFigures(
  { series }: PerpetualSeries,
  window: NamedWindow,
  { funding, form, side }: RowInputs,
): WindowFigures {
  const measures = measureWindow(series, window);
  return { window, measures, ...toRealised({ series, source: funding }, window, measures, form, side) };
}

function toOpenInterest(
  days: readonly VOIDataPoint[],
  { voi: source, due }: RowInputs,
): Pick<CompareRow, 'openInterest' | 'openInterestUsd' | 'openInterestDate' | 'overdueInterest'> {
  const row = findLatestOpenInterest(days);
  if (source === undefined || row === null)
    return { openInterest: null, openInterestUsd: null, openInterestDate: null, overdueInterest: null };
  const at = { source, dataTime: row.date };
  return {
    openInterest: toQuantity(at, row, 'openInterest', asContracts),
    openInterestUsd: toQuantity(at, row, 'notionalOpenInterest', fromCents),
    openInterestDate: row.date,
    overdueInterest: due && findOverdue(row.date, due.everyDay.chartVoi),
  };
}
