import { join } from 'node:path';
import { StoreFailure, type Explain } from '#sql/store-failure.ts';
import type { OpenDatabase } from './store.ts';

/**
 * SQLite’s codes for a locked file; `WRONG_TABLES` is for a statement that does not fit the tables, `DAMAGED` for a
 * file that is corrupt or not a database.
 */
const IN_USE: readonly unknown[] = [5, 6];
const WRONG_TABLES = 1;
const DAMAGED: readonly unknown[] = [11, 26];

/** Thrown by `node:sqlite` if the database itself fails or is already closed; anything else is a bug. */
const DATABASE_ERRORS: readonly unknown[] = ['ERR_SQLITE_ERROR', 'ERR_INVALID_STATE'];

export function toDatabasePath(dataDir: string): string {
  return join(dataDir, 'gateway.sqlite');
}

/** Returns why the database in a data folder cannot be opened, and what to change. */
export function explainOpening(dataDir: string): Explain {
  return (error) => {
    if (!(error instanceof Error && 'code' in error && DATABASE_ERRORS.includes(error.code))) throw error;
    return new StoreFailure(describeOpening(dataDir, error), { cause: error });
  };
}

function describeOpening(dataDir: string, error: Error): string {
  const code = codeOf(error);
  const file = toDatabasePath(dataDir);
  if (IN_USE.includes(code))
    return `Another Perpdesk is using ${dataDir}: stop it, or set DESK_DATA_DIR to another folder.`;
  if (DAMAGED.includes(code)) return `${file} is damaged: ${REPLACE}`;
  if (code === WRONG_TABLES)
    return `${file} belongs to another version of Perpdesk, or to another program (${error.message}): ${REPLACE}`;
  return `Cannot write to ${dataDir} (${error.message}): set DESK_DATA_DIR to another folder.`;
}

const LOST = 'people, rules and the journal are lost.';
const REPLACE =
  'move it elsewhere, then restore a backup. Without one, Perpdesk creates an empty ' + `database, and ${LOST}`;

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'errcode' in error ? error.errcode : undefined;
}

function reasonOf({ message, cause }: StoreFailure): string {
  return cause instanceof Error ? cause.message : message;
}

function withAdvice(what: string, advice: string): (failure: StoreFailure) => string {
  return (failure) =>
    `${what} (${reasonOf(failure)}): ${DAMAGED.includes(codeOf(failure.cause)) ? DAMAGED_ADVICE : advice}`;
}

const DAMAGED_ADVICE =
  'its database is damaged. Stop Perpdesk, move gateway.sqlite elsewhere, then ' +
  'restore a backup. Without one, the next start creates an empty database, and ' +
  LOST;

/** Failures while Perpdesk runs. */
export const sqliteSentences: Pick<OpenDatabase, 'event' | 'reasonOf' | 'cannotRead' | 'cannotWrite' | 'plain'> = {
  event: 'disk failure',
  reasonOf,
  cannotRead: withAdvice('Perpdesk cannot read its data folder', 'check its disk, and that this user may read it.'),
  cannotWrite: withAdvice(
    'Perpdesk cannot write to its data folder',
    'free some disk space, or set DESK_DATA_DIR to a writable folder.',
  ),
  plain: null,
};
