/** Rows that leave the page, as a file or through the clipboard. */
export interface ExportedRows {
  /** The file, or what is copied. */
  readonly what: string;
  readonly count: number;
}

export interface Announced extends ExportedRows {
  readonly records: Promise<void>[];
}

export const EXPORT_EVENT = 'perpdesk-export';

/** Null: exports are not recorded here. Otherwise the rows may leave once it resolves. */
export function recordExport(rows: ExportedRows): Promise<unknown> | null {
  const records: Promise<void>[] = [];
  dispatchEvent(new CustomEvent<Announced>(EXPORT_EVENT, { detail: { ...rows, records } }));
  return records.length > 0 ? Promise.all(records) : null;
}

/** Of a CSV file, without its heading; lines within a quoted cell do not end in CRLF. */
export function countRows(csv: string): number {
  return Math.max(0, csv.split('\r\n').length - 2);
}
