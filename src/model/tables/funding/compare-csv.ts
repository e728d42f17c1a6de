import { toPercentile } from '../../funding/rate-distribution.ts';
import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import {
  type FundingInterval,
  type FundingSide,
  type RateForm,
  toRateForm,
  toSide,
} from '../../funding/funding-rate.ts';
import type { Quantity } from '../../units/quantity.ts';
import type { Source } from '../../response.ts';
import { describeOverdue } from '../../time/overdue.ts';
import {
  type Cell,
  type CsvForm,
  SOURCE_HEADING,
  toCsvInForm,
  toSourceCells,
  toSpreadsheetNumber,
} from '../../format/csv.ts';
import { withReadTime } from '../../funding/funding-series.ts';
import { describeRanking, type RankedRow, type WindowFigures } from './compare-row.ts';
import type { RankBy } from './compare-params.ts';
import {
  type ComparedPredictedRates,
  PREDICTED_RATE_HEADING,
  toPredictedRateCells,
  UNREAD_PREDICTED_RATES,
} from './compare-predictions.ts';
import { whyNoPredictedRate } from './predicted-columns.ts';
import type { NamedWindow } from './realised.ts';

interface CsvInputs {
  readonly side: FundingSide;
  readonly rankBy: RankBy;
  readonly source: Source;
  /** Why predicted rates are missing; null while they load. */
  readonly missingBecause: string | null;
  readonly predictedRates: ComparedPredictedRates;
}

const MEASURED = [
  'window_from',
  'window_to',
  'settled_rates',
  'intervals',
  'intervals_not_listed',
  'intervals_not_read',
  'intervals_not_settled',
  'intervals_missing',
  'sum_fraction',
  'apr_simple_fraction',
  'mean_per_8h_fraction',
  'apy_fraction',
  'std_dev_per_8h_fraction',
  'intervals_longs_paid',
  'intervals_at_interest_rate',
  'longest_streak_intervals',
] as const;

/**
 * Writes the table with every figure behind it, as fractions: 0.0001 is one basis point. Rates have the sign of the
 * side; the columns do not depend on what the screen shows.
 */
export function toCompareCsv(rows: readonly RankedRow[], inputs: CsvInputs, csv: CsvForm = 'full'): string {
  const { heading, lines } = toCompareTable(rows, inputs);
  return toCsvInForm(csv, { heading, provenance: SOURCE_HEADING }, lines);
}

/** Returns the columns of the full form and a line for each row. */
export function toCompareTable(
  rows: readonly RankedRow[],
  { side, rankBy, source, missingBecause, predictedRates }: CsvInputs,
) {
  const windows = listWindows(rows[0]);
  const isRead = predictedRates !== UNREAD_PREDICTED_RATES;
  const heading = toCompareHeading(windows, isRead);
  const lines = rows.map((row): readonly Cell[] => [
    ...[row.symbol, row.productId, row.rank, describeRanking(rankBy, row.chosen.window), side],
    ...[
      row.last?.interval_end ?? null,
      exact(row.settled),
      ...(['apr', 'apy'] as const).map((form) => inForm(row.settled, form, row.last)),
    ],
    ...[
      exact(row.premium),
      toSpreadsheetNumber(toPercentile(row.row.year_rank, side)),
      row.row.year_rank?.intervals ?? null,
    ],
    ...[
      row.latestEstimate?.value.interval_end ?? null,
      exact(row.estimate),
      ...(['apr', 'apy'] as const).map((form) => inForm(row.estimate, form, row.latestEstimate?.value ?? null)),
    ],
    ...[
      row.latestEstimate?.respondedAt ?? null,
      row.latestEstimate === null ? whyNoPredictedRate(missingBecause) : null,
    ],
    ...windows.flatMap(({ id }) => toMeasures(row.windows.get(id) ?? row.chosen, side, row.last)),
    ...[
      exact(row.openInterest),
      row.openInterestDate,
      row.series.faults.map(({ kind }) => kind).join(' '),
      row.row.stale_because ?? (row.overdueRate && describeOverdue('settled rate', row.overdueRate)),
    ],
    ...toSourceCells(withReadTime(source, row.row.read_at)),
    ...(isRead ? toPredictedRateCells(row, predictedRates, side) : []),
  ]);
  return { heading, lines };
}

/**
 * Returns the columns of the full form; those of predicted rates only if they are read.
 *
 * @internal Exported for its test.
 */
export function toCompareHeading(
  windows: readonly Pick<NamedWindow, 'id'>[],
  hasPredictedRates: boolean,
): readonly CsvColumn[] {
  return [
    'base_symbol',
    'product_id',
    'rank',
    'ranked_by',
    'position_side',
    'interval_end',
    'settled_rate_per_8h_fraction',
    'settled_rate_apr_simple_fraction',
    'settled_rate_apy_fraction',
    'premium_fraction',
    'percentile_1y_fraction',
    'percentile_1y_settled_rates',
    'predicted_rate_interval_end',
    'predicted_rate_per_8h_fraction',
    'predicted_rate_apr_simple_fraction',
    'predicted_rate_apy_fraction',
    'predicted_rate_responded_at',
    'predicted_rate_missing_because',
    ...windows.flatMap(({ id }) => MEASURED.map((name) => `${name}_${id}` as const)),
    'open_interest_contracts',
    'open_interest_date',
    'faults',
    'not_current_because',
    ...SOURCE_HEADING,
    ...(hasPredictedRates ? PREDICTED_RATE_HEADING : []),
  ];
}

/** Lists the named windows, and the chosen one if it is another. */
function listWindows(row: RankedRow | undefined): readonly NamedWindow[] {
  if (row === undefined) return [];
  const named = [...row.windows.values()].map(({ window }) => window);
  const { window: chosen } = row.chosen;
  return named.some(({ id }) => id === chosen.id) ? named : [...named, chosen];
}

/** Returns the figures of a window. Sum and means have the sign of the side; counts do not depend on it. */
function toMeasures(
  { window, measures, sum }: WindowFigures,
  side: FundingSide,
  last: FundingInterval | null,
): readonly Cell[] {
  const { prints, intervals, notListed, notRead, notSettled, missing, apr } = measures;
  const mean = measures.sum && toSide(measures.sum.div(prints), side);
  return [
    ...[new Date(window.from).toISOString(), new Date(window.to).toISOString()],
    ...[prints, intervals, notListed, notRead, notSettled, missing],
    ...[
      exact(sum),
      ...[apr && toSide(apr, side), mean, mean && last && toRateForm(mean, 'apy', last)].map(toSpreadsheetNumber),
      toSpreadsheetNumber(measures.standardDeviation),
    ],
    ...[measures.positive, measures.baseline, measures.longestStreak],
  ];
}

function exact(quantity: Quantity | null): Cell {
  return toSpreadsheetNumber(quantity?.value ?? null);
}

function inForm(rate: Quantity | null, form: RateForm, interval: FundingInterval | null): Cell {
  return toSpreadsheetNumber(rate?.value && interval ? toRateForm(rate.value, form, interval) : null);
}
