import type { MoreColumns } from '../../format/csv.ts';
import type { ChartData } from '../chart-data.ts';
import { type FundingOfBars, toFundingColumns, withFunding } from './funding-panes.ts';
import type { IndicatorKind, IndicatorSpec } from './indicator-spec.ts';
import {
  describeIndicators,
  type DrawingOptions,
  type Indicators,
  inkOf,
  toIndicatorColumns,
  withIndicators,
} from './with-indicators.ts';

// All that charts with indicators need, in one chunk.
export { toFundingOfBars } from './funding-panes.ts';
export { computeRateIndicators, describeRateIndicators, toRateColumns, withRateIndicators } from './rate-indicators.ts';
export { computeIndicators } from './with-indicators.ts';

interface Computed {
  readonly ofPrices: Indicators;
  /** Null while the settled rates are not known, or if no indicator needs them. */
  readonly ofFunding: FundingOfBars | null;
}

interface Options extends DrawingOptions {
  readonly specs: readonly IndicatorSpec[];
}

/** Adds all chosen indicators to a chart of prices. */
export function drawIndicators(bare: ChartData, { ofPrices, ofFunding }: Computed, options: Options): ChartData {
  const { specs, isHidden } = options;
  const drawn = withIndicators(bare, ofPrices, options);
  if (ofFunding === null) return drawn;
  return specs.reduce(
    (chartData, { kind, name }, place) =>
      withFunding(chartData, ofFunding, { kind, name, ink: inkOf(place), isHidden: isHidden(name) }),
    drawn,
  );
}

/** Returns the columns of a CSV file for all chosen indicators. */
export function toColumns({ ofPrices, ofFunding }: Computed, specs: readonly IndicatorSpec[]): MoreColumns {
  const prices = toIndicatorColumns(ofPrices);
  if (ofFunding === null) return prices;
  const funding = toFundingColumns(
    ofFunding,
    specs.map(({ kind }) => kind),
  );
  return {
    heading: [...prices.heading, ...funding.heading],
    cells: (index) => [...prices.cells(index), ...funding.cells(index)],
  };
}

const FUNDING_NOTES: Partial<Readonly<Record<IndicatorKind, string>>> = {
  funding: 'Funding: the settled rates of a bar added up; positive, longs pay. A bar that lacks one has no sum.',
  premium: 'Premium: mark ÷ index − 1 at the last funding time of a bar.',
};

/** Says in sentences what the indicators are of, and which have no value in this range. */
export function describeAll({ ofPrices }: Computed, specs: readonly IndicatorSpec[]): readonly string[] {
  return [...describeIndicators(ofPrices), ...specs.flatMap(({ kind }) => FUNDING_NOTES[kind] ?? [])];
}
