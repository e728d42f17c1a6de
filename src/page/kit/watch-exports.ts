import { EXPORT_EVENT, type Announced, type ExportedRows } from '#model/tables/exported-rows.ts';

/** Reactions to exports, kept apart from the exports themselves, which every page loads. */

const REFUSED = 'perpdesk-export-refused';

/** Registers a recorder of exports. If it rejects, nothing is exported. */
export function onExport(record: (rows: ExportedRows) => Promise<void>): void {
  addEventListener(EXPORT_EVENT, (event) => {
    const { records, ...rows } = (event as CustomEvent<Announced>).detail;
    records.push(record(rows));
  });
}

export function announceRejection(reason: string): void {
  dispatchEvent(new CustomEvent(REFUSED, { detail: reason }));
}

/** Listens to rejected exports. Returns a function that stops listening. */
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
