import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Other users of the machine must not read it. */
const OWNER_ONLY = 0o700;
const DATABASE = 'gateway.sqlite';

/** Locks the file for as long as it is open: two servers on one folder would each spend the whole budget. */
export function openDatabase(dataDir: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY });
    database = new DatabaseSync(join(dataDir, DATABASE));
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal');
    database.exec('begin exclusive; commit');
    return database;
  } catch (error) {
    database?.close();
    throw new Error(describeFailure(dataDir, error), { cause: error });
  }
}

/** SQLite's codes for a locked file, and for a file that is corrupt or no database. */
const IN_USE: readonly unknown[] = [5, 6];
const DAMAGED: readonly unknown[] = [11, 26];

function describeFailure(dataDir: string, error: unknown): string {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  if (IN_USE.includes(code)) return `Another Perpdesk is using ${dataDir}: stop it, or set DESK_DATA_DIR to another folder.`;
  if (DAMAGED.includes(code)) return `${join(dataDir, DATABASE)} is damaged: move it away. Perpdesk then creates a new one and reads the lost data from the exchange again.`;
  const reason = error instanceof Error ? error.message : String(error);
  return `Cannot write to ${dataDir} (${reason}): set DESK_DATA_DIR to another folder.`;
}
