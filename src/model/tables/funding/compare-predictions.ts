import type { DeskEstimates } from '#contract/desk/funding.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { type Cell, toSpreadsheetNumber } from '../../format/csv.ts';
import { formatMissing } from '../../format/number.ts';
import type { FundingSide, RateForm } from '../../funding/funding-rate.ts';
import type { PerpetualSeries } from '../../funding/funding-series.ts';
import type { FundingWindow } from '../../funding/funding-window.ts';
import {
  measurePredictedRates,
  type PredictedRateFigures,
  type Settlement,
  toSettlements,
} from '../../funding/prediction-errors.ts';
import type { ApiResponse, Source } from '../../response.ts';
import type { Decimal } from '../../units/decimal.ts';
import type { CompareRow } from './compare-row.ts';
import type { CompareColumn } from './figure-column.ts';
import {
  explainFigure,
  formatError,
  formatRightSign,
  type PredictedRateSources,
  toPredictedRateCoverage,
} from './predictions.ts';
import { FORM_HEADERS } from './rate-text.ts';

/** In the middle of the interval, a quarter of the weight of the settled rate is known. */
const POINT = 50;

/** The predictions of all perpetuals with their settled rates in a window. */
export interface ComparedPredictedRates {
  /** By base symbol; null if they have not been read. */
  readonly settlements: ReadonlyMap<string, readonly Settlement[]> | null;
  readonly sources: PredictedRateSources | null;
  /** Why they are missing; null while they load. */
  readonly missingBecause: string | null;
}

/** Predictions that no column shows. Files leave them out. */
export const UNREAD_PREDICTED_RATES: ComparedPredictedRates = {
  settlements: null,
  sources: null,
  missingBecause: null,
};

/** Returns the time from which to read predictions: a midnight, so that the request stays the same all day. */
export function toPredictedRatesBegin({ from }: FundingWindow): Instant {
  return `${new Date(from).toISOString().slice(0, 'YYYY-MM-DD'.length)}T00:00:00Z` as Instant;
}

export function comparePredictedRates(
  perpetuals: readonly Pick<PerpetualSeries, 'symbol' | 'series'>[],
  response: ApiResponse<DeskEstimates>,
  settled: Source,
  window: FundingWindow,
): ComparedPredictedRates {
  const bySymbol = Map.groupBy(response.value.estimates, ({ base_symbol }) => base_symbol);
  return {
    settlements: new Map(
      perpetuals.map(({ symbol, series }) => [symbol, toSettlements(series, bySymbol.get(symbol) ?? [], window)]),
    ),
    sources: { predicted: response, settled },
    missingBecause: null,
  };
}

interface ColumnInputs {
  readonly form: RateForm;
  readonly side: FundingSide;
  readonly chosen: { readonly label: string };
  readonly predictedRates: ComparedPredictedRates;
}

/** Creates the columns of how good predicted rates were in the chosen window. */
export function createPredictedRateErrorColumns({
  form,
  side,
  chosen,
  predictedRates,
}: ColumnInputs): readonly CompareColumn[] {
  const { settlements, sources, missingBecause } = predictedRates;
  // Sorting compares each row many times.
  const known = new Map<string, PredictedRateFigures | null>();
  const read = ({ symbol }: CompareRow): PredictedRateFigures | null => {
    const own = settlements?.get(symbol);
    if (!known.has(symbol)) known.set(symbol, own ? measurePredictedRates(own, POINT, form, side) : null);
    return known.get(symbol) ?? null;
  };
  const column = (
    id: string,
    title: string,
    computed: string,
    figure: (figures: PredictedRateFigures) => Decimal | null,
    format: (figures: PredictedRateFigures) => string,
  ): CompareColumn => {
    const text = (row: CompareRow): string => {
      const figures = read(row);
      return figures === null ? formatMissing(missingBecause === null) : format(figures);
    };
    return {
      ...{ id, title, kind: 'number', width: 128, hidden: true, text },
      tooltip: `Over ${chosen.label}, of the predicted rates read last in the 5 % of the interval before ${String(POINT)} %.`,
      value: (row) => {
        const figures = read(row);
        return (figures && figure(figures))?.toNumber() ?? null;
      },
      explain: (row) => {
        const figures = read(row);
        return {
          title: `${row.symbol} ${title.toLowerCase()} over ${chosen.label}: ${text(row)}`,
          facts:
            figures === null || sources === null
              ? [{ name: 'Missing', value: missingBecause ?? 'Being read.' }]
              : explainFigure(figures, computed, figure(figures), sources),
        };
      },
    };
  };
  const { unit } = FORM_HEADERS[form];
  return [
    {
      ...column(
        'prediction-error',
        'Prediction error',
        'Mean of |predicted − settled rate|',
        ({ meanAbsolute }) => meanAbsolute,
        ({ meanAbsolute }) => formatError(meanAbsolute, form, false),
      ),
      unit,
    },
    {
      ...column(
        'prediction-bias',
        'Prediction bias',
        'Mean of predicted − settled rate',
        ({ bias }) => bias,
        ({ bias }) => formatError(bias, form, true),
      ),
      unit,
    },
    {
      ...column(
        'prediction-sign',
        'Predicted sign right',
        'Share of predictions with the sign of the settled rate',
        ({ rightSign }) => rightSign,
        (figures) =>
          figures.predicted === 0
            ? formatRightSign(figures)
            : `${formatRightSign(figures)} · ${toPredictedRateCoverage(figures)}`,
      ),
      ...{ unit: '% · settled rates', width: 168 },
    },
  ];
}

/** The columns of a file, per interval whatever the rate unit. */
export const PREDICTED_RATE_HEADING = [
  'predicted_rate_error_per_8h_fraction_point_50',
  'predicted_rate_bias_per_8h_fraction_point_50',
  'predicted_sign_right_fraction_point_50',
  'predicted_rates_point_50',
  'predicted_and_settled_rates_point_50',
  'predicted_rates_missing_because',
] as const;

export function toPredictedRateCells(
  { symbol }: CompareRow,
  { settlements, missingBecause }: ComparedPredictedRates,
  side: FundingSide,
): readonly Cell[] {
  const own = settlements?.get(symbol);
  if (own === undefined) return [null, null, null, null, null, missingBecause ?? 'Being read.'];
  const {
    meanAbsolute,
    bias,
    rightSign,
    predicted,
    settlements: settled,
  } = measurePredictedRates(own, POINT, 'interval', side);
  return [...[meanAbsolute, bias, rightSign].map(toSpreadsheetNumber), predicted, settled, null];
}
