/** Rows that leave the page in a file or through the clipboard. */
export interface ExportedRows {
  /** Names the file or the copied rows. */
  readonly what: string;
  readonly count: number;
}

export interface Announced extends ExportedRows {
  readonly records: Promise<void>[];
}

export const EXPORT_EVENT = 'perpdesk-export';

/**
 * Records an export. Returns null if exports are not recorded here; otherwise the rows may leave once the promise
 * resolves.
 */
export function recordExport(rows: ExportedRows): Promise<unknown> | null {
  const records: Promise<void>[] = [];
  dispatchEvent(new CustomEvent<Announced>(EXPORT_EVENT, { detail: { ...rows, records } }));
  return records.length > 0 ? Promise.all(records) : null;
}

/** Counts the rows of a CSV file without its heading. Line breaks within a quoted cell are not CRLF. */
export function countRows(csv: string): number {
  return Math.max(0, csv.split('\r\n').length - 2);
}
