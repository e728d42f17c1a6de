import type { OrderRow } from '#domain/orders/order-row.ts';
import { toCsvLines } from '#ui/csv.ts';
import { ORDER_CSV_HEADING, toOrderCells } from './order-csv.ts';

export interface ExportParts {
  readonly rows: readonly OrderRow[];
  /** What each row says of its list. */
  readonly set: string;
  readonly signal: AbortSignal;
  readonly report: (done: number) => void;
  /** Lets the page breathe. */
  readonly pause: () => Promise<void>;
}

const ROWS_AT_ONCE = 500;

/** The file, piece by piece; null where somebody cancelled it. */
export async function exportOrders({ rows, set, signal, report, pause }: ExportParts): Promise<string | null> {
  const pieces = [toCsvLines([ORDER_CSV_HEADING])];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    if (signal.aborted) return null;
    const some = rows.slice(from, from + ROWS_AT_ONCE);
    pieces.push(toCsvLines(some.map((row) => toOrderCells(row, set))));
    report(from + some.length);
    await pause();
  }
  return signal.aborted ? null : pieces.join('');
}
