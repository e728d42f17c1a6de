import { countOf, formatCount } from '../../format/count.ts';
import { type CompletenessCheck, toSetWord } from '../../orders/working-set.ts';
import { APOSTROPHES, PRODUCT_TYPES_NOTE, toOrderCells, toOrderHeading } from './order-csv.ts';
import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import type { OrderRow } from '../../orders/order-row.ts';
import { type Cell, type CsvForm, toCsvLines } from '../../format/csv.ts';

export interface StatementSubject {
  readonly completeness: CompletenessCheck;
  /** Whether a newer read failed, so that the list may have changed since. */
  readonly isStale: boolean;
  readonly exported: number;
  readonly file: string;
  /** The filters of the list, one sentence each. */
  readonly filters: readonly string[];
  readonly exportedAt: string;
  readonly request: string;
}

/** Writes the completeness report that accompanies an export. */
export function toWorkingStatement(subject: StatementSubject): string {
  const { completeness, isStale, exported, file, filters, exportedAt, request } = subject;
  const { complete, reasons, parts, orders, repeated, readFrom, readTo } = completeness;
  const statement = {
    file,
    set: toSetWord(subject),
    statement: complete
      ? (isStale
          ? `STALE: the exchange could not be read again since ${readTo ?? 'the last read'}, ` +
            'so orders may have changed. Then complete: '
          : 'Complete: ') +
        `every part was read and no order is in two parts. The file holds ${formatCount(exported)} of ` +
        `${countOf(orders, 'working order')}.`
      : `INCOMPLETE: working orders may be missing. The file holds ${formatCount(exported)} of the ` +
        `${countOf(orders, 'working order')} that were read.`,
    unproven: reasons,
    exported_orders: exported,
    working_orders: orders,
    repeated_orders: repeated,
    filters,
    read_from: readFrom,
    read_to: readTo,
    stale: isStale,
    age_seconds: readTo === null ? null : Math.round((Date.parse(exportedAt) - Date.parse(readTo)) / 1_000),
    parts: parts.map(({ filter, count, readAt }) => ({ asked: filter, count, read_at: readAt })),
    request: `GET ${request}`,
    exported_at: exportedAt,
    reading: [
      'UTF-8, RFC 4180. Times are UTC, as reported by the exchange.',
      APOSTROPHES,
      PRODUCT_TYPES_NOTE,
      'responded_at is when the row’s part was read.',
      'avg_price and last_modified may lag behind quantities; an order accepted just before the read may be missing.',
    ],
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}

export interface AddedColumns {
  readonly heading: readonly CsvColumn[];
  readonly cells: (row: OrderRow) => readonly Cell[];
}

export interface ExportInputs {
  readonly rows: readonly OrderRow[];
  /** The completeness of the list, for each row. */
  readonly set: string;
  /** Columns that only this file has, placed after those that every file has. */
  readonly added?: AddedColumns | undefined;
  readonly form: CsvForm;
  readonly signal: AbortSignal;
  readonly report: (done: number) => void;
  /** Yields to the page between pieces. */
  readonly pause: () => Promise<void>;
}

const ROWS_PER_PIECE = 500;

/** Writes the file piece by piece; null if cancelled. */
export async function exportWorking({
  rows,
  set,
  added,
  form,
  signal,
  report,
  pause,
}: ExportInputs): Promise<string | null> {
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
