import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import { rateOf } from './predicted-path-chart.ts';
import { type CsvForm, SOURCE_HEADING, toCsvInForm, toSourceCells } from '../../format/csv.ts';
import type { FundingSide } from '../../funding/funding-rate.ts';
import type { PredictedRate } from '../../funding/predicted-rates.ts';
import type { Source } from '../../response.ts';

const HEADING: readonly CsvColumn[] = [
  'read_at',
  'base_symbol',
  'interval_end',
  'elapsed_fraction',
  'predicted_rate_per_8h_fraction',
  'position_side',
  ...SOURCE_HEADING,
];

interface PathCsvInputs {
  readonly name: string;
  readonly side: FundingSide;
  readonly source: Source;
}

/** Writes the predicted rates of an interval in the order in which they were read. */
export function toPredictedPathCsv(
  path: readonly PredictedRate[],
  { name, side, source }: PathCsvInputs,
  form: CsvForm = 'full',
): string {
  const rows = path.map((each) => [
    ...[each.read_at, name, each.interval_end, each.share],
    ...[{ digits: rateOf(each, side).toFixed() }, side],
    ...toSourceCells(source),
  ]);
  return toCsvInForm(form, { heading: HEADING, provenance: SOURCE_HEADING }, rows);
}
