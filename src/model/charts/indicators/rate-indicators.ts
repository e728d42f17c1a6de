import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { countOf } from '../../format/count.ts';
import type { Cell, MoreColumns } from '../../format/csv.ts';
import { formatPercent, formatRate, NO_VALUE } from '../../format/number.ts';
import { type FundingSide, signOf } from '../../funding/funding-rate.ts';
import { toDecimal } from '../../units/decimal.ts';
import { type ChartData, type Pane, type Readout, SERIES_INKS, type SeriesInk } from '../chart-data.ts';
import type { ChartInterval } from '../funding/rate-chart.ts';
import { type Fixed, fromFixed, toFixed, toPoint } from './fixed-point.ts';
import type { IndicatorSpec } from './indicator-spec.ts';
import { toSimpleAverages } from './moving-averages.ts';

export interface RateIndicator {
  readonly spec: IndicatorSpec;
  /** For each interval, in the sign convention of the side. */
  readonly values: readonly (Fixed | null)[];
  readonly column: CsvColumn;
}

/**
 * Computes indicators of settled rates. A mean has no value while one of its intervals is missing; a cumulative sum
 * leaves missing intervals out, as the sums of windows do.
 */
export function computeRateIndicators(
  intervals: readonly ChartInterval[],
  specs: readonly IndicatorSpec[],
  side: FundingSide,
): readonly RateIndicator[] {
  const rates = intervals.map(
    ({ print }) => print && toFixed(wireText(print.row, 'funding_rate')) * BigInt(signOf(side)),
  );
  return specs.map((spec) =>
    spec.kind === 'mean'
      ? {
          spec,
          values: toMeans(rates, Number(spec.parameters[0])),
          column: `mean_${Number(spec.parameters[0])}_per_8h_fraction`,
        }
      : { spec, values: toCumulativeSums(rates), column: 'cumulative_sum_fraction' },
  );
}

function toMeans(rates: readonly (Fixed | null)[], count: number): readonly (Fixed | null)[] {
  const means: (Fixed | null)[] = [];
  let run: Fixed[] = [];
  const close = (): void => {
    means.push(...toSimpleAverages(run, count));
    run = [];
  };
  for (const rate of rates)
    if (rate === null) {
      close();
      means.push(null);
    } else run.push(rate);
  close();
  return means;
}

function toCumulativeSums(rates: readonly (Fixed | null)[]): readonly (Fixed | null)[] {
  let sum = 0n;
  return rates.map((rate) => (rate === null ? null : (sum += rate)));
}

/** The inks of indicators by their place: those that the rates, the mark and the index do not have. */
const RATE_INKS = SERIES_INKS.slice(3);

function inkOf(place: number): SeriesInk {
  return RATE_INKS[place % RATE_INKS.length] ?? 'series-4';
}

interface RateDrawing {
  /** Converts a rate to the form in which rates are drawn. */
  readonly toDrawn: (rate: number) => number;
  readonly isHidden: (name: string) => boolean;
}

/** Adds means to the pane of rates, in the same form as they, and the sum in a pane of its own. */
export function withRateIndicators(
  chartData: ChartData,
  indicators: readonly RateIndicator[],
  { toDrawn, isHidden }: RateDrawing,
): ChartData {
  const { length } = chartData.times;
  const shown = indicators
    .map((indicator, place) => ({ ...indicator, ink: inkOf(place) }))
    .filter(({ spec }) => !isHidden(spec.name));
  const toValues = (values: RateIndicator['values'], draw: (rate: number) => number): readonly (number | null)[] =>
    Array.from({ length }, (_, index) => {
      const point = toPoint(values[index] ?? null);
      return point === null ? null : draw(point);
    });
  const means = shown.flatMap(({ spec, values, ink }) =>
    spec.kind === 'mean' ? [{ kind: 'line', ink, steps: true, values: toValues(values, toDrawn) } as const] : [],
  );
  const sums = shown.flatMap(({ spec, values, ink }): readonly Pane[] =>
    spec.kind === 'mean'
      ? []
      : [
          {
            name: spec.name,
            unit: '%',
            share: 2,
            format: (value) => formatPercent(toDecimal(String(value)), { digits: 2, signed: true }),
            series: [{ kind: 'line', ink, steps: true, values: toValues(values, (sum) => sum) }],
            levels: [{ name: '', value: 0, ink: 'faint' }],
          },
        ],
  );
  return {
    ...chartData,
    panes: [
      ...chartData.panes.map((pane) => (pane.name === 'Rate' ? { ...pane, series: [...pane.series, ...means] } : pane)),
      ...sums,
    ],
    readouts: [...chartData.readouts, ...indicators.map(toReadout)],
  };
}

function toReadout({ spec, values }: RateIndicator, place: number): Readout {
  const isMean = spec.kind === 'mean';
  const [count = ''] = spec.parameters;
  const how = isMean
    ? `Mean of the last ${count} settled rates in a row, none of them missing.`
    : 'Sum of the settled rates since the start of the chart. Intervals without a valid rate are not in it.';
  return {
    name: spec.name,
    unit: isMean ? '% per 8 h' : '%',
    ink: inkOf(place),
    isSettledOnly: true,
    text: (index) => {
      const value = values[index] ?? null;
      return value === null ? NO_VALUE : formatRate(fromFixed(value));
    },
    explain: (index) => {
      const value = values[index] ?? null;
      if (value !== null) return [{ name: 'Computed', value: how }];
      const why = isMean
        ? `Fewer than ${count} settled rates in a row end here.`
        : 'This interval has no valid settled rate.';
      return [
        { name: 'No value', value: why },
        { name: 'Computed', value: how },
      ];
    },
  };
}

/** Says which indicators have no value in this range, in sentences. */
export function describeRateIndicators(indicators: readonly RateIndicator[]): readonly string[] {
  return indicators.flatMap(({ spec, values }) =>
    values.some((value) => value !== null)
      ? []
      : [
          `${spec.name} needs ${countOf(Number(spec.parameters[0] ?? 1), 'settled rate')} in a row. Choose a longer range.`,
        ],
  );
}

/** As for all that is computed by division. */
const SIGNIFICANT_DIGITS = 15;

export function toRateColumns(indicators: readonly RateIndicator[]): MoreColumns {
  return {
    heading: indicators.map(({ column }) => column),
    cells: (index) =>
      indicators.map(({ values }): Cell => {
        const value = values[index] ?? null;
        return value === null ? null : { digits: fromFixed(value).toSignificantDigits(SIGNIFICANT_DIGITS).toFixed() };
      }),
  };
}
