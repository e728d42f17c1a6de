import { EXPORT_EVENT, type Announced, type ExportedRows } from '#model/tables/exported-rows.ts';

/** What happens with exports. Apart from the exports themselves, which every page loads. */

const REFUSED = 'perpdesk-export-refused';

/** Where it rejects, the rows do not leave. */
export function onExport(record: (rows: ExportedRows) => Promise<void>): void {
  addEventListener(EXPORT_EVENT, (event) => {
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
