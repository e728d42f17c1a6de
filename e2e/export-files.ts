import { readFileSync } from 'node:fs';
import { expect, type Download, type Page } from '@playwright/test';

interface ExportFiles {
  readonly csv: Download;
  readonly statement: Download;
  readonly read: (file: Download) => Promise<string>;
}

/** Returns the two files of an export, in any order. */
export async function takeExport(page: Page, press: () => Promise<void>): Promise<ExportFiles> {
  const files: Download[] = [];
  page.on('download', (file) => files.push(file));
  await press();
  await expect.poll(() => files.length).toBe(2);
  const [csv, statement] = ['.csv', '.completeness.json'].map((end) =>
    files.find((file) => file.suggestedFilename().endsWith(end)),
  );
  if (csv === undefined || statement === undefined) throw new Error('There are two files, one of either kind.');
  return { csv, statement, read: async (file) => readFileSync(await file.path(), 'utf8') };
}
