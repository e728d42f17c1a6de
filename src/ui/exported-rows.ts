/** Rows that left the page, as a file or through the clipboard. */
export interface ExportedRows {
  /** The file, or what was copied. */
  readonly what: string;
  readonly count: number;
}

const EVENT = 'perpdesk-exported';

export function announceExport(rows: ExportedRows): void {
  dispatchEvent(new CustomEvent(EVENT, { detail: rows }));
}

export function onExport(listener: (rows: ExportedRows) => void): void {
  addEventListener(EVENT, (event) => {
    listener((event as CustomEvent<ExportedRows>).detail);
  });
}

/** Of a CSV file, without its heading; lines within a quoted cell do not end in CRLF. */
export function countRows(csv: string): number {
  return Math.max(0, csv.split('\r\n').length - 2);
}
