import type { Answer } from '#api/answer.ts';
import type { DeskFunding } from '#contract/desk-funding.ts';
import type { FundingRateData } from '#contract/funding.ts';
import type { Day } from '#contract/day.ts';
import type { Instant } from '#contract/instant.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { asContracts, asRate, asTicks } from '#domain/conversions.ts';
import type { Estimate, Estimates } from '#domain/funding/estimate.ts';
import { createFundingSeries, type FundingSeries } from '#domain/funding/funding-series.ts';
import { findNewestBoundary, measureWindow, type WindowMeasures } from '#domain/funding/funding-window.ts';
import { findInProgress, toNextInterval, type FundingInterval } from '#domain/funding-rate.ts';
import type { FundingSide } from '#domain/funding/my-side.ts';
import { toRateForm, type RateForm } from '#domain/funding/rate-form.ts';
import { deriveQuantity, toQuantity, type Quantity } from '#domain/quantity.ts';
import { findLatestOpenInterest, groupByProduct } from '#domain/voi.ts';
import { asKey } from '#domain/wire-row.ts';
import { toPremium } from './premium.ts';
import { bySide, howForm, toMinute, toRealised, type RealisedFigures } from './realised.ts';
import type { NamedWindow } from './windows.ts';

type PerpetualFunding = DeskFunding['perpetuals'][number];

/** A perpetual with its prints examined: made once for each answer. */
export interface Perpetual {
  readonly symbol: string;
  readonly productId: number;
  readonly row: PerpetualFunding;
  readonly series: FundingSeries;
}

export interface WindowFigures extends RealisedFigures {
  readonly window: NamedWindow;
  readonly measures: WindowMeasures;
}

/** A row of the comparison. What is not known is null, and stays so. */
export interface CompareRow extends Perpetual {
  readonly last: FundingRateData | null;
  readonly settled: Quantity | null;
  readonly settledForm: Quantity | null;
  /** Why its last print is not of the latest interval that has settled; null where it is. */
  readonly settledBefore: string | null;
  /** Mark over index at the last print. */
  readonly premium: Quantity | null;
  readonly estimate: Quantity | null;
  readonly progress: Estimate | null;
  /** The interval in progress. */
  readonly interval: FundingInterval | null;
  readonly windows: ReadonlyMap<NamedWindow['id'], WindowFigures>;
  readonly chosen: WindowFigures;
  readonly openInterest: Quantity | null;
  readonly openInterestDate: Day | null;
}

/** An answer may be of another range than the one looked at, while that is read: what it was not asked for is not missing. */
export function toPerpetuals({ value: { perpetuals }, target }: Pick<Answer<DeskFunding>, 'value' | 'target'>): readonly Perpetual[] {
  const askedFrom = new URL(target, 'http://desk').searchParams.get('begin_time') as Instant | null;
  return perpetuals.map((row) => ({
    symbol: row.base_symbol,
    productId: asKey(row.product_id),
    row,
    series: createFundingSeries({
      ...{ prints: row.prints, knownFrom: row.known_from, knownTo: row.known_to, askedFrom },
      ...{ reachesLaunch: row.reaches_launch, isBehind: row.stale_because !== null },
    }),
  }));
}

interface RowParts {
  readonly funding: Answer<DeskFunding>;
  readonly voi: Answer<readonly VOIDataPoint[]> | undefined;
  readonly estimates: Estimates;
  readonly windows: readonly NamedWindow[];
  readonly chosen: NamedWindow;
  readonly form: RateForm;
  readonly side: FundingSide;
}

export function toCompareRows(perpetuals: readonly Perpetual[], parts: RowParts): readonly CompareRow[] {
  const days = groupByProduct(parts.voi?.value ?? []);
  const newest = findNewestBoundary(perpetuals.map(({ series }) => series));
  return perpetuals.map((perpetual) => {
    const figures = new Map(parts.windows.map((window) => [window.id, toWindowFigures(perpetual, window, parts)]));
    const chosen = figures.get(parts.chosen.id) ?? toWindowFigures(perpetual, parts.chosen, parts);
    return {
      ...perpetual,
      ...toSettled(perpetual, parts),
      settledBefore: describeBefore(perpetual.series, newest),
      ...toEstimated(perpetual, parts),
      windows: figures,
      chosen,
      ...toOpenInterest(days.get(perpetual.productId) ?? [], parts.voi),
    };
  });
}

function toSettled({ series }: Perpetual, parts: RowParts): Pick<CompareRow, 'last' | 'settled' | 'settledForm' | 'premium'> {
  const last = series.prints.at(-1)?.row ?? null;
  if (last === null) return { last, settled: null, settledForm: null, premium: null };
  const at = { source: parts.funding, dataTime: last.interval_end, prefix: 'prints.' };
  const rate = toQuantity(at, last, 'funding_rate', asRate);
  const inForm = deriveQuantity('fraction', howForm(parts.form), [rate], ([value]) => (value ? toRateForm(value, parts.form, last) : null));
  const premium = toPremium(toQuantity(at, last, 'mark_price', asTicks), toQuantity(at, last, 'price_index', asTicks));
  return { last, settled: bySide(rate, parts.side), settledForm: bySide(inForm, parts.side), premium };
}

/** What was settled longer ago than that of others does not compare with it. */
function describeBefore({ prints }: FundingSeries, newest: number): string | null {
  const end = prints.at(-1)?.end ?? newest;
  return end >= newest ? null : `Its last print ended ${toMinute(end)} UTC; others have settled up to ${toMinute(newest)} UTC, so it has no rank among them.`;
}

function toEstimated({ symbol, series }: Perpetual, { estimates, side }: RowParts): Pick<CompareRow, 'estimate' | 'progress' | 'interval'> {
  const progress = estimates.get(symbol) ?? null;
  const last = series.prints.at(-1)?.row;
  const interval = findInProgress(last ? toNextInterval(last) : null, progress?.value ?? null);
  if (progress === null) return { estimate: null, progress, interval };
  const estimate = toQuantity({ source: progress, dataTime: progress.answeredAt }, progress.value, 'funding_rate', asRate);
  return { estimate: bySide(estimate, side), progress, interval };
}

function toWindowFigures({ series }: Perpetual, window: NamedWindow, { funding, form, side }: RowParts): WindowFigures {
  const measures = measureWindow(series, window);
  return { window, measures, ...toRealised({ series, source: funding }, window, measures, form, side) };
}

function toOpenInterest(days: readonly VOIDataPoint[], source: RowParts['voi']): Pick<CompareRow, 'openInterest' | 'openInterestDate'> {
  const row = findLatestOpenInterest(days);
  if (source === undefined || row === null) return { openInterest: null, openInterestDate: null };
  return { openInterest: toQuantity({ source, dataTime: row.date }, row, 'openInterest', asContracts), openInterestDate: row.date };
}
