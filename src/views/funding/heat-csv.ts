import type { HeatCell } from '#domain/funding/heat-cells.ts';
import type { Source } from '#domain/source.ts';
import { SOURCE_HEADING, toSourceCells } from '#domain/source-cells.ts';
import { toCsv, type Cell } from '#ui/csv.ts';
import type { Perpetual } from './compare-row.ts';
import { writeGap } from './heat-text.ts';

interface HeatCsvParts {
  readonly perpetuals: readonly Perpetual[];
  /** A row of cells for each perpetual. */
  readonly rows: readonly (readonly HeatCell[])[];
  readonly boundaries: readonly number[];
  readonly source: Source;
}

/** A line for each perpetual: the rate as it was settled, or in a word why there is none. */
export function toHeatCsv({ perpetuals, rows, boundaries, source }: HeatCsvParts): string {
  const heading = ['base_symbol', 'sign', ...boundaries.map((end) => new Date(end).toISOString()), ...SOURCE_HEADING];
  const lines = perpetuals.map((perpetual, row): readonly Cell[] => {
    const cells = rows[row] ?? [];
    const told = cells.map((cell, at): Cell => (cell.kind === 'print' ? { digits: perpetual.series.rate(cell.index).toFixed() } : writeGap(perpetual, cell.kind, boundaries[at] ?? 0)));
    return [perpetual.symbol, 'positive: longs pay shorts', ...told, ...toSourceCells(source)];
  });
  return toCsv(heading, lines);
}
