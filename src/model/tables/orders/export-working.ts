import type { OrderRow } from '../../orders/order-row.ts';
import { toCsvLines, type Cell, type CsvForm } from '../../format/csv.ts';
import { toOrderCells, toOrderHeading } from './order-csv.ts';

export interface AddedColumns {
  readonly heading: readonly string[];
  readonly cells: (row: OrderRow) => readonly Cell[];
}

export interface ExportParts {
  readonly rows: readonly OrderRow[];
  /** The completeness of the list, for each row. */
  readonly set: string;
  /** Columns that only this file has, after those that every file has. */
  readonly added?: AddedColumns | undefined;
  readonly form: CsvForm;
  readonly signal: AbortSignal;
  readonly report: (done: number) => void;
  /** Yields to the page between pieces. */
  readonly pause: () => Promise<void>;
}

const ROWS_PER_PIECE = 500;

/** The file, written piece by piece; null if cancelled. */
export async function exportWorking({
  rows,
  set,
  added,
  form,
  signal,
  report,
  pause,
}: ExportParts): Promise<string | null> {
  const pieces = [toCsvLines([[...toOrderHeading(form), ...(added?.heading ?? [])]])];
  for (let from = 0; from < rows.length; from += ROWS_PER_PIECE) {
    if (signal.aborted) return null;
    const some = rows.slice(from, from + ROWS_PER_PIECE);
    pieces.push(toCsvLines(some.map((row) => [...toOrderCells(row, set, form), ...(added?.cells(row) ?? [])])));
    report(from + some.length);
    await pause();
  }
  return signal.aborted ? null : pieces.join('');
}
