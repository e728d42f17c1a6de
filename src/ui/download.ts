import { announceExport, countRows } from './exported-rows.ts';

/** Saves content as a file, through the browser’s download. */
export function download(name: string, content: string | Blob, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
  if (typeof content === 'string' && name.endsWith('.csv')) announceExport({ what: name, count: countRows(content) });
}
