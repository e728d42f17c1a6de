import type { EvidenceContent, EvidenceRow, Json } from '#model/evidence/evidence.ts';
import { toCsvLines, toFileTime, type Cell } from '#model/format/csv.ts';
import type { GridColumn } from '#model/tables/grid.ts';

/** Lets the page draw between pieces of work. */
export type Pause = () => Promise<void>;

interface RowsInputs<Row> {
  readonly rows: readonly Row[];
  /** The columns shown, from left to right. */
  readonly columns: readonly GridColumn<Row>[];
  readonly heading: readonly string[];
  readonly toCells: (row: Row) => readonly Cell[];
  readonly pause: Pause;
}

const ROWS_PER_PIECE = 250;

/** Returns the rows of a grid, each as shown and with the values of its CSV file. */
export async function toEvidenceRows<Row>({
  rows,
  columns,
  heading,
  toCells,
  pause,
}: RowsInputs<Row>): Promise<Pick<EvidenceContent, 'columns' | 'rows' | 'csv'>> {
  const made: string[] = [];
  const lines = [toCsvLines([heading])];
  for (let from = 0; from < rows.length; from += ROWS_PER_PIECE) {
    const some = rows.slice(from, from + ROWS_PER_PIECE);
    const cells = some.map(toCells);
    lines.push(toCsvLines(cells));
    made.push(
      ...some.map((row, place) =>
        toRow({ shown: toShown(row, columns), values: toValues(heading, cells[place] ?? []) }),
      ),
    );
    await pause();
  }
  return {
    columns: columns.map(({ id, title, unit = null }) => ({ id, title, unit })),
    rows: made,
    csv: lines.join(''),
  };
}

export function toRow(row: EvidenceRow): string {
  return JSON.stringify(row);
}

function toShown<Row>(row: Row, columns: readonly GridColumn<Row>[]): Readonly<Record<string, string>> {
  return Object.fromEntries(columns.map(({ id, text, copied = text }) => [id, copied(row).trim()]));
}

export function toValues(heading: readonly string[], cells: readonly Cell[]): Readonly<Record<string, Json>> {
  return Object.fromEntries(heading.map((name, place) => [name, toValue(cells[place] ?? null)]));
}

/**
 * Converts a cell to JSON. Texts lose the apostrophes that spreadsheets need; digits stay text, so that none are lost.
 */
function toValue(cell: Cell): Json {
  if (typeof cell === 'bigint') return cell.toString();
  if (typeof cell === 'string') return toFileTime(cell);
  if (cell === null || typeof cell !== 'object') return cell;
  if ('opaqueId' in cell) return cell.opaqueId;
  return 'digits' in cell ? cell.digits : cell.id;
}
