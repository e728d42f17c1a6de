import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDamaged, isOfDatabase } from '../disk.ts';
import { prepareDataFolder } from './data-folder.ts';

const DATABASE = 'gateway.sqlite';

/** Locks the file for as long as it is open: two servers on one folder would each spend the whole budget. */
export function openDatabase(dataDir: string): DatabaseSync {
  prepareDataFolder(dataDir);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(dataDir, DATABASE));
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal');
    database.exec('begin exclusive; commit');
    return database;
  } catch (error) {
    database?.close();
    throw toSentence(dataDir, error);
  }
}

/** SQLite's codes for a locked file, and for a statement that the tables do not allow. */
const IN_USE: readonly unknown[] = [5, 6];
const WRONG_TABLES = 1;

/** An error of the database as a sentence that says what to change; any other error as it is. */
export function toSentence(dataDir: string, error: unknown): unknown {
  return isOfDatabase(error) ? new Error(describeFailure(dataDir, error), { cause: error }) : error;
}

function describeFailure(dataDir: string, error: Error): string {
  const code = 'errcode' in error ? error.errcode : undefined;
  const file = join(dataDir, DATABASE);
  if (IN_USE.includes(code)) return `Another Perpdesk is using ${dataDir}: stop it, or set DESK_DATA_DIR to another folder.`;
  if (isDamaged(error)) return `${file} is damaged: move it elsewhere. ${NEW_ONE}`;
  if (code === WRONG_TABLES) return `${file} belongs to another version of Perpdesk, or to another program (${error.message}): move it elsewhere. ${NEW_ONE}`;
  return `Cannot write to ${dataDir} (${error.message}): set DESK_DATA_DIR to another folder.`;
}

const NEW_ONE = 'Perpdesk then creates a new one and reads the lost data from the exchange again.';
