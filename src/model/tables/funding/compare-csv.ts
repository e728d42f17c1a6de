import { toYearPercentile } from '../../funding/rate-distribution.ts';
import {
  type FundingInterval,
  type FundingSide,
  RATE_FORM_LABELS,
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
  'from',
  'to',
  'prints',
  'intervals',
  'not_listed',
  'not_read',
  'not_settled',
  'missing',
  'sum',
  'mean',
  'apr_simple',
  'deviation',
  'longs_paid',
  'baseline',
  'longest_run',
] as const;
/** `mean` has always been the simple APR, the default rate unit. These columns are the same mean in the other units. */
const MEANS = ['mean_per_8h', 'apy'] as const;

/**
 * Writes the table with every figure behind it, as fractions: 0.0001 is one basis point. Rates have the sign of the
 * side; the columns do not depend on what the screen shows. New columns come last, so that the others keep their
 * positions.
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
  const [first, later] = [windows.filter(({ id }) => id !== '1y'), windows.filter(({ id }) => id === '1y')];
  const heading = [
    ...[
      'base_symbol',
      'product_id',
      'rank',
      'last_settled',
      'interval_end',
      'last_settled_apr',
      'mark_over_index',
      'estimate',
      'estimate_interval_end',
    ],
    ...first.flatMap(({ id }) => MEASURED.map((name) => `${name}_${id}`)),
    ...[
      'open_interest_contracts',
      'open_interest_date',
      'faults',
      'not_current_because',
      'form_of_mean',
      'side',
      ...SOURCE_HEADING,
      'ranked_by',
      'estimate_missing_because',
      'percentile_1y',
      'year_settled',
    ],
    ...later.flatMap(({ id }) => MEASURED.map((name) => `${name}_${id}`)),
    ...[
      'last_settled_apy',
      'estimate_apr',
      'estimate_apy',
      'estimate_answered_at',
      ...windows.flatMap(({ id }) => MEANS.map((name) => `${name}_${id}`)),
    ],
    ...(isRead ? PREDICTED_RATE_HEADING : []),
  ];
  const lines = rows.map((row): readonly Cell[] => [
    ...[row.symbol, row.productId, row.rank],
    ...[
      exact(row.settled),
      row.last?.interval_end ?? null,
      inForm(row.settled, 'apr', row.last),
      exact(row.premium),
      exact(row.estimate),
      row.latestEstimate?.value.interval_end ?? null,
    ],
    ...first.flatMap(({ id }) => toMeasures(row.windows.get(id) ?? row.chosen, side)),
    ...[
      exact(row.openInterest),
      row.openInterestDate,
      row.series.faults.map(({ kind }) => kind).join(' '),
      row.row.stale_because ?? (row.overdueRate && describeOverdue('settled rate', row.overdueRate)),
    ],
    ...[
      RATE_FORM_LABELS.apr.name,
      side,
      ...toSourceCells(withReadTime(source, row.row.read_at)),
      describeRanking(rankBy, row.chosen.window),
      row.latestEstimate === null ? whyNoPredictedRate(missingBecause) : null,
    ],
    ...[toSpreadsheetNumber(toYearPercentile(row.row.year_rank, side)), row.row.year_rank?.intervals ?? null],
    ...later.flatMap(({ id }) => toMeasures(row.windows.get(id) ?? row.chosen, side)),
    ...[
      inForm(row.settled, 'apy', row.last),
      ...(['apr', 'apy'] as const).map((form) => inForm(row.estimate, form, row.latestEstimate?.value ?? null)),
      row.latestEstimate?.respondedAt ?? null,
    ],
    ...windows.flatMap(({ id }) => toMeans(row.windows.get(id) ?? row.chosen, side, row.last)),
    ...(isRead ? toPredictedRateCells(row, predictedRates, side) : []),
  ]);
  return { heading, lines };
}

/** Lists the named windows, and the chosen one if it is another. */
function listWindows(row: RankedRow | undefined): readonly NamedWindow[] {
  if (row === undefined) return [];
  const named = [...row.windows.values()].map(({ window }) => window);
  const { window: chosen } = row.chosen;
  return named.some(({ id }) => id === chosen.id) ? named : [...named, chosen];
}

/** Returns the figures of a window. Sum, mean and APR have the sign of the side; counts do not depend on it. */
function toMeasures({ window, measures, sum }: WindowFigures, side: FundingSide): readonly Cell[] {
  const {
    prints,
    intervals,
    notListed,
    notRead,
    notSettled,
    missing,
    apr,
    standardDeviation,
    positive,
    baseline,
    longestStreak,
  } = measures;
  const mean = toSpreadsheetNumber(apr && toSide(apr, side));
  return [
    ...[new Date(window.from).toISOString(), new Date(window.to).toISOString()],
    ...[prints, intervals, notListed, notRead, notSettled, missing],
    ...[exact(sum), mean, mean, toSpreadsheetNumber(standardDeviation)],
    ...[positive, baseline, longestStreak],
  ];
}

function toMeans(
  { measures: { sum, prints } }: WindowFigures,
  side: FundingSide,
  last: RankedRow['last'],
): readonly Cell[] {
  const mean = sum && toSide(sum.div(prints), side);
  return [toSpreadsheetNumber(mean), toSpreadsheetNumber(mean && last && toRateForm(mean, 'apy', last))];
}

function exact(quantity: Quantity | null): Cell {
  return toSpreadsheetNumber(quantity?.value ?? null);
}

function inForm(rate: Quantity | null, form: RateForm, interval: FundingInterval | null): Cell {
  return toSpreadsheetNumber(rate?.value && interval ? toRateForm(rate.value, form, interval) : null);
}
