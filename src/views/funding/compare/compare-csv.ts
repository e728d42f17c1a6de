import { toYearPercentile } from '#domain/funding/year-percentile.ts';
import type { Decimal } from '#domain/units/decimal.ts';
import type { Quantity } from '#domain/units/quantity.ts';
import { RATE_FORM_LABELS, type RateForm } from '#domain/funding/rate-form.ts';
import { toSide, type FundingSide } from '#domain/funding/funding-side.ts';
import type { Source } from '#domain/source.ts';
import { describeOverdue } from '#domain/time/overdue.ts';
import { SOURCE_HEADING, toSourceCells } from '#domain/format/source-cells.ts';
import { toCsv, type Cell } from '#ui/csv.ts';
import { withReadTime } from '../perpetual-series.ts';
import type { WindowFigures } from './compare-row.ts';
import type { RankBy } from '../compare-params.ts';
import { whyNoPrediction } from './predicted-columns.ts';
import { describeRanking, type RankedRow } from './ranks.ts';

interface CsvParts {
  readonly form: RateForm;
  readonly side: FundingSide;
  readonly rankBy: RankBy;
  readonly source: Source;
  /** Why predicted rates are missing; null while they load. */
  readonly missingBecause: string | null;
}

const MEASURED = ['from', 'to', 'prints', 'intervals', 'not_listed', 'not_read', 'not_settled', 'missing', 'sum', 'mean', 'apr_simple', 'deviation', 'longs_paid', 'baseline', 'longest_run'] as const;

/** The table with every figure it was made from, as fractions: 0.0001 is one basis point. */
export function toCompareCsv(rows: readonly RankedRow[], { form, side, rankBy, source, missingBecause }: CsvParts): string {
  const windows = [...(rows[0]?.windows.values() ?? [])].map(({ window }) => window);
  const chosen = rows[0]?.chosen.window;
  const all = chosen === undefined || windows.some(({ id }) => id === chosen.id) ? windows : [...windows, chosen];
  const heading = [
    ...['base_symbol', 'product_id', 'rank', 'last_settled', 'interval_end', `last_settled_${form}`, 'mark_over_index', 'estimate', 'estimate_interval_end'],
    ...all.flatMap(({ id }) => MEASURED.map((name) => `${name}_${id}`)),
    ...['open_interest_contracts', 'open_interest_date', 'faults', 'not_current_because', 'form_of_mean', 'side', ...SOURCE_HEADING, 'ranked_by', 'estimate_missing_because', 'percentile_1y', 'year_settled'],
  ];
  const lines = rows.map((row): readonly Cell[] => [
    ...[row.symbol, row.productId, row.rank],
    ...[exact(row.settled), row.last?.interval_end ?? null, exact(row.settledInForm), exact(row.premium), exact(row.estimate), row.latestEstimate?.value.interval_end ?? null],
    ...all.flatMap(({ id }) => toMeasures(row.windows.get(id) ?? row.chosen, side)),
    ...[exact(row.openInterest), row.openInterestDate, row.series.faults.map(({ kind }) => kind).join(' '), row.row.stale_because ?? (row.overdueRate && describeOverdue('settled rate', row.overdueRate))],
    ...[RATE_FORM_LABELS[form].name, side, ...toSourceCells(withReadTime(source, row.row.read_at)), describeRanking(rankBy, row.chosen.window), row.latestEstimate === null ? whyNoPrediction(missingBecause) : null],
    ...[exactly(toYearPercentile(row.row.year_rank)), row.row.year_rank?.intervals ?? null],
  ]);
  return toCsv(heading, lines);
}

/** Sum, mean and APR have the sign of the side; counts do not depend on it. */
function toMeasures({ window, measures, sum, mean }: WindowFigures, side: FundingSide): readonly Cell[] {
  const { prints, intervals, notListed, notRead, notSettled, missing, apr, standardDeviation, positive, baseline, longestStreak } = measures;
  return [
    ...[new Date(window.from).toISOString(), new Date(window.to).toISOString()],
    ...[prints, intervals, notListed, notRead, notSettled, missing],
    ...[exact(sum), exact(mean), apr && { digits: toSide(apr, side).toFixed() }, standardDeviation && { digits: standardDeviation.toFixed() }],
    ...[positive, baseline, longestStreak],
  ];
}

function exact(quantity: Quantity | null): Cell {
  return exactly(quantity?.value ?? null);
}

function exactly(value: Decimal | null): Cell {
  return value && { digits: value.toFixed() };
}
