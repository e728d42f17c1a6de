import type { ApiResponse } from '../../response.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import type { FundingRateData } from '#contract/exchange/funding.ts';
import type { Day } from '#contract/exchange/day.ts';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { asContracts, asRate, asTicks } from '../../units/conversions.ts';
import type { Estimate, Estimates } from '../../funding/estimate.ts';
import { toFundingPrice } from '../../funding/funding-prices.ts';
import type { FundingSeries } from '../../funding/funding-series.ts';
import { findNewestFundingTime, measureWindow, type WindowMeasures } from '../../funding/funding-window.ts';
import { findOverdueRate } from '../../funding/overdue-rate.ts';
import { findInProgress, type FundingInterval, toNextInterval } from '../../funding/funding-rate.ts';
import type { FundingSide } from '../../funding/funding-side.ts';
import type { RateForm } from '../../funding/rate-form.ts';
import type { DueTimes } from '../../time/due-times.ts';
import { findOverdue, type Overdue } from '../../time/overdue.ts';
import { deriveQuantity, type Quantity, toQuantity } from '../../units/quantity.ts';
import { findLatestOpenInterest, groupByProduct } from '../../voi/voi-rows.ts';
import { toPremium } from '../../funding/premium.ts';
import { bySide, inForm, type RealisedFigures, toMinute, toRealised } from './realised.ts';
import type { NamedWindow } from './windows.ts';
import { type PerpetualSeries, withReadTime } from './perpetual-series.ts';

export interface WindowFigures extends RealisedFigures {
  readonly window: NamedWindow;
  readonly measures: WindowMeasures;
}

/** A row of the comparison. An unknown figure is null, never zero. */
export interface CompareRow extends PerpetualSeries {
  readonly last: FundingRateData | null;
  readonly settled: Quantity | null;
  readonly settledInForm: Quantity | null;
  /** Why its last settled rate is older than that of others; null where it is not. */
  readonly behindBecause: string | null;
  /** That its last settled rate is older than it may be. */
  readonly overdueRate: Overdue | null;
  /** Mark against index at the last funding time. */
  readonly premium: Quantity | null;
  /** The last settled rate above or below its interest rate. */
  readonly excess: Quantity | null;
  readonly estimate: Quantity | null;
  readonly estimateInForm: Quantity | null;
  readonly latestEstimate: Estimate | null;
  /** The current interval. */
  readonly interval: FundingInterval | null;
  readonly windows: ReadonlyMap<NamedWindow['id'], WindowFigures>;
  readonly chosen: WindowFigures;
  readonly openInterest: Quantity | null;
  readonly openInterestDate: Day | null;
  /** That its open interest is older than it may be. */
  readonly overdueInterest: Overdue | null;
}

interface RowParts {
  readonly funding: ApiResponse<DeskFunding>;
  readonly voi: ApiResponse<readonly VOIDataPoint[]> | undefined;
  readonly estimates: Estimates;
  readonly windows: readonly NamedWindow[];
  readonly chosen: NamedWindow;
  readonly form: RateForm;
  readonly side: FundingSide;
  /** Null: unknown. */
  readonly due: DueTimes | null;
}

export function toCompareRows(perpetuals: readonly PerpetualSeries[], parts: RowParts): readonly CompareRow[] {
  const days = groupByProduct(parts.voi?.value ?? []);
  const newest = findNewestFundingTime(perpetuals.map(({ series }) => series));
  return perpetuals.map((perpetual) => {
    const own = { ...parts, funding: withReadTime(parts.funding, perpetual.row.read_at) };
    const figures = new Map(parts.windows.map((window) => [window.id, toWindowFigures(perpetual, window, own)]));
    const chosen = figures.get(parts.chosen.id) ?? toWindowFigures(perpetual, parts.chosen, own);
    return {
      ...perpetual,
      ...toSettled(perpetual, own),
      behindBecause: describeLag(perpetual.series, newest),
      overdueRate: findOverdueRate(perpetual.series),
      ...toPredicted(perpetual, parts),
      windows: figures,
      chosen,
      ...toOpenInterest(days.get(perpetual.productId) ?? [], parts),
    };
  });
}

function toSettled(
  { series }: PerpetualSeries,
  parts: RowParts,
): Pick<CompareRow, 'last' | 'settled' | 'settledInForm' | 'premium' | 'excess'> {
  const last = series.prints.at(-1)?.row ?? null;
  if (last === null) return { last, settled: null, settledInForm: null, premium: null, excess: null };
  const at = { source: parts.funding, dataTime: last.interval_end, prefix: 'prints.' };
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
    excess: bySide(excess, parts.side),
    settled: bySide(rate, parts.side),
    settledInForm: inForm(rate, { ...parts, interval: last }),
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
  { estimates, form, side }: RowParts,
): Pick<CompareRow, 'estimate' | 'estimateInForm' | 'latestEstimate' | 'interval'> {
  const latestEstimate = estimates.get(symbol) ?? null;
  const last = series.prints.at(-1)?.row;
  const interval = findInProgress(last ? toNextInterval(last) : null, latestEstimate?.value ?? null);
  if (latestEstimate === null) return { estimate: null, estimateInForm: null, latestEstimate, interval };
  const estimate = toQuantity(
    { source: latestEstimate, dataTime: latestEstimate.answeredAt },
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
  { funding, form, side }: RowParts,
): WindowFigures {
  const measures = measureWindow(series, window);
  return { window, measures, ...toRealised({ series, source: funding }, window, measures, form, side) };
}

function toOpenInterest(
  days: readonly VOIDataPoint[],
  { voi: source, due }: RowParts,
): Pick<CompareRow, 'openInterest' | 'openInterestDate' | 'overdueInterest'> {
  const row = findLatestOpenInterest(days);
  if (source === undefined || row === null)
    return { openInterest: null, openInterestDate: null, overdueInterest: null };
  const openInterest = toQuantity({ source, dataTime: row.date }, row, 'openInterest', asContracts);
  return {
    openInterest,
    openInterestDate: row.date,
    overdueInterest: due && findOverdue(row.date, due.everyDay.chartVoi),
  };
}
