import type { HeatmapCell } from '../../funding/heatmap-cells.ts';
import { type FundingSide, toSide } from '../../funding/funding-side.ts';
import type { Source } from '../../source.ts';
import { SOURCE_HEADING, toSourceCells } from '../../format/source-cells.ts';
import { type Cell, type CsvForm, toCsvInForm } from '../../format/csv.ts';
import { withReadTime, type PerpetualSeries } from './perpetual-series.ts';
import { SIGNS } from './signs.ts';
import { formatGap } from './cell-text.ts';

interface HeatmapCsvParts {
  readonly perpetuals: readonly PerpetualSeries[];
  /** A row of cells for each perpetual. */
  readonly rows: readonly (readonly HeatmapCell[])[];
  readonly fundingTimes: readonly number[];
  readonly side: FundingSide;
  readonly source: Source;
}

/** A row for each perpetual: its settled rates with the sign of the side, or in a word why there is none. */
export function toHeatmapCsv(
  { perpetuals, rows, fundingTimes, side, source }: HeatmapCsvParts,
  form: CsvForm = 'full',
): string {
  const heading = ['base_symbol', 'sign', ...fundingTimes.map((end) => new Date(end).toISOString()), ...SOURCE_HEADING];
  const lines = perpetuals.map((perpetual, row): readonly Cell[] => {
    const cells = rows[row] ?? [];
    const texts = cells.map((cell, at): Cell =>
      cell.kind === 'print'
        ? { digits: toSide(perpetual.series.rate(cell.index), side).toFixed() }
        : formatGap(perpetual, cell.kind, fundingTimes[at] ?? 0),
    );
    return [perpetual.symbol, SIGNS[side], ...texts, ...toSourceCells(withReadTime(source, perpetual.row.read_at))];
  });
  return toCsvInForm(form, { heading, provenance: SOURCE_HEADING }, lines);
}
