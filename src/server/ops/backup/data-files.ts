import { type FileDriver, openSqlite } from '#sql/sqlite.ts';
import { messageOf, StoreFailure } from '#sql/store-failure.ts';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Driver } from '#sql/driver.ts';

/**
 * Prefixes of the folders that an interrupted backup or restore may leave behind, and in which a restore puts earlier
 * files.
 */
const COPIES_PREFIX = '.backup-';
export const UNPACKED_PREFIX = '.restore-';
export const REPLACED_PREFIX = 'replaced-';

/** Characters without a special meaning in the paths of any system. */
const FILE_NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;

const DATABASE_SUFFIX = '.sqlite';
/** The companions of an open database, copies made before its tables changed, unfinished files, backups and sockets. */
const LEFT_OUT = /\.sqlite(?:-wal|-shm|-journal|\.before_step_\d+)$|\.(?:new|part|zip|sock)$/;

/** Whether a backup may contain a file of this name. */
export function isBackedUp(name: string): boolean {
  return FILE_NAME.test(name) && !LEFT_OUT.test(name);
}

export interface DataFiles {
  readonly databases: readonly string[];
  readonly others: readonly string[];
}

/** Lists the files of a data folder that belong in a backup. */
export function listDataFiles(dataDir: string): DataFiles {
  const names = readdirSync(dataDir, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && isBackedUp(entry.name) ? [entry.name] : [],
  );
  return { databases: names.filter(isDatabase), others: names.filter((name) => !isDatabase(name)) };
}

function isDatabase(name: string): boolean {
  return name.endsWith(DATABASE_SUFFIX);
}

/** SQLite's codes for a file that another process has locked. */
const IN_USE: readonly unknown[] = [5, 6];

/** Opens a database regardless of its tables. */
export function openDatabaseFile(path: string, shownAs: string): FileDriver {
  return openSqlite(
    path,
    (error) =>
      new StoreFailure(
        `${shownAs} ${isLocked(error) ? 'is open in another program' : `cannot be read: ${messageOf(error)}`}.`,
        { cause: error },
      ),
  );
}

/** Returns whether another process has the database open. A damaged file or one that is no database is not in use. */
export async function isInUse(path: string): Promise<boolean> {
  try {
    await openDatabaseFile(path, path).close();
    return false;
  } catch (error) {
    return error instanceof StoreFailure && isLocked(error.cause);
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && IN_USE.includes(error.errcode);
}

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

/** Deletes copies that an interrupted backup left behind. */
export function removeCopies(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(COPIES_PREFIX)) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}
