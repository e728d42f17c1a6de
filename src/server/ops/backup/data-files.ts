import { readdirSync } from 'node:fs';

/** The store, unless it is in PostgreSQL. */
export const STORE_FILE = 'gateway.sqlite';

/** Folders that a backup or a restore which was interrupted may have left, and what a restore has put aside. */
export const COPIES_PREFIX = '.backup-';
export const UNPACKED_PREFIX = '.restore-';
export const REPLACED_PREFIX = 'replaced-';

/** Names that a backup may contain. Also on systems where other characters have a meaning in a path. */
export const FILE_NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;

const DATABASE_SUFFIX = '.sqlite';
/** What belongs to an open database, a copy from before its tables changed, a file that is being written, and a backup. */
const LEFT_OUT = /\.sqlite(?:-wal|-shm|-journal|\.before_step_\d+)$|\.(?:new|part|zip)$/;

export interface DataFiles {
  readonly databases: readonly string[];
  readonly others: readonly string[];
}

/** The files of a data folder that a backup needs. */
export function listDataFiles(dataDir: string): DataFiles {
  const names = readdirSync(dataDir, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && FILE_NAME.test(entry.name) && !LEFT_OUT.test(entry.name) ? [entry.name] : [],
  );
  return { databases: names.filter(isDatabase), others: names.filter((name) => !isDatabase(name)) };
}

function isDatabase(name: string): boolean {
  return name.endsWith(DATABASE_SUFFIX);
}
