import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Driver } from '#sql/driver.ts';
import { COPIES_PREFIX } from './data-files.ts';

/** A database in a file of the data folder. */
export interface DatabaseFile {
  readonly name: string;
  readonly copyTo: NonNullable<Driver['copyTo']>;
}

/** Copies open databases into a new folder of the data folder, which only its owner can read. */
export async function copyDatabases(
  dataDir: string,
  databases: readonly DatabaseFile[],
): Promise<{ readonly folder: string; readonly names: readonly string[] }> {
  const folder = mkdtempSync(join(dataDir, COPIES_PREFIX));
  try {
    for (const { name, copyTo } of databases) await copyTo(join(folder, name));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return { folder: basename(folder), names: databases.map(({ name }) => name) };
}

/** Copies that a backup which was killed has left. */
export function removeCopies(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(COPIES_PREFIX)) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}
