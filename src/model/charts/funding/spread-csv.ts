import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import { invert } from './spread-chart.ts';
import { type Cell, type CsvForm, SOURCE_HEADING, toCsvInForm, toSourceCells } from '../../format/csv.ts';
import type { PerpetualSeries } from '../../funding/funding-series.ts';
import type { FundingSpread } from '../../funding/funding-spread.ts';
import type { FundingWindow } from '../../funding/funding-window.ts';
import type { Source } from '../../response.ts';

const HEADING: readonly CsvColumn[] = [
  'interval_end',
  'long_base_symbol',
  'short_base_symbol',
  'long_settled_rate_per_8h_fraction',
  'short_settled_rate_per_8h_fraction',
  'spread_received_per_8h_fraction',
  'carry_so_far_fraction',
  ...SOURCE_HEADING,
];

interface SpreadCsvInputs {
  readonly long: PerpetualSeries;
  readonly short: PerpetualSeries;
  readonly window: FundingWindow;
  readonly source: Source;
}

/** Writes the intervals of the window that both legs have in common. Carry begins with the window. */
export function toSpreadCsv(
  { common, difference, sums }: FundingSpread,
  { long, short, window: { from, to }, source }: SpreadCsvInputs,
  form: CsvForm = 'full',
): string {
  const first = common.findIndex(({ end }) => end > from);
  const legs = common.filter(({ end }) => end > from && end <= to);
  const rows = legs.map((leg, index): readonly Cell[] => [
    ...[new Date(leg.end).toISOString(), long.symbol, short.symbol],
    ...[
      long.series.rate(leg.long),
      short.series.rate(leg.short),
      invert(difference(first + index)),
      invert(sums.sum(first, first + index + 1)),
    ].map((value) => ({ digits: value.toFixed() })),
    ...toSourceCells(source),
  ]);
  return toCsvInForm(form, { heading: HEADING, provenance: SOURCE_HEADING }, rows);
}
