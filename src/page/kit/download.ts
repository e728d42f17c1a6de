import { countRows, recordExport } from '#model/tables/exported-rows.ts';

/** Saves content as a file, through the browser’s download. */
export function download(name: string, content: string | Blob, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Saves rows as a file. Rejects, and saves nothing, if the export must be recorded and cannot be. */
export async function downloadRows(
  name: string,
  csv: string | Blob,
  count = typeof csv === 'string' ? countRows(csv) : 0,
): Promise<void> {
  await recordExport({ what: name, count });
  download(name, csv);
}
