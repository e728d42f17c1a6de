/** Rows that leave the page, as a file or through the clipboard. */
export interface ExportedRows {
  /** The file, or what is copied. */
  readonly what: string;
  readonly count: number;
}

interface Announced extends ExportedRows {
  readonly records: Promise<void>[];
}

const EVENT = 'perpdesk-export';
const REFUSED = 'perpdesk-export-refused';

/** Null: exports are not recorded here. Otherwise the rows may leave once it resolves. */
export function recordExport(rows: ExportedRows): Promise<unknown> | null {
  const records: Promise<void>[] = [];
  dispatchEvent(new CustomEvent<Announced>(EVENT, { detail: { ...rows, records } }));
  return records.length > 0 ? Promise.all(records) : null;
}

/** Where it rejects, the rows do not leave. */
export function onExport(record: (rows: ExportedRows) => Promise<void>): void {
  addEventListener(EVENT, (event) => {
    const { records, ...rows } = (event as CustomEvent<Announced>).detail;
    records.push(record(rows));
  });
}

export function announceRefusal(reason: string): void {
  dispatchEvent(new CustomEvent(REFUSED, { detail: reason }));
}

/** Returns a function that ends it. */
export function onExportRefused(listener: (reason: string) => void): () => void {
  const stop = new AbortController();
  const listen = (event: Event): void => {
    listener((event as CustomEvent<string>).detail);
  };
  addEventListener(REFUSED, listen, { signal: stop.signal });
  return () => {
    stop.abort();
  };
}

/** Of a CSV file, without its heading; lines within a quoted cell do not end in CRLF. */
export function countRows(csv: string): number {
  return Math.max(0, csv.split('\r\n').length - 2);
}
