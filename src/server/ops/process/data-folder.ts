import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makePrivate } from '#files/private-folder.ts';

/** Other users of the machine must not read it. */
const OWNER_ONLY = 0o700;

/**
 * Creates the data folder if it is missing, checks that it is writable, and takes access from other users, which it
 * reports. Throws a sentence that says what to change.
 * Creates one folder at a time: where the system only pretends to accept new folders, as in /proc, Node's own recursion
 * never ends.
 */
export function prepareDataFolder(dataDir: string, report: (sentence: string) => void): void {
  const path = resolve(dataDir);
  try {
    createFolder(path);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `${path} cannot be the data folder: ${reasonOf(error)}. Set DESK_DATA_DIR to a folder that this ` +
        'user may write to.',
      { cause: error },
    );
  }
  const sentence = makePrivate(path);
  if (sentence !== null) report(sentence);
}

function createFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  if (found !== undefined) throw new Error(`${path} is a file`);
  createFolder(dirname(path));
  mkdirSync(path, { mode: OWNER_ONLY });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path } = error as NodeJS.ErrnoException;
  switch (code) {
    case undefined:
      return error.message;
    case 'EACCES':
    case 'EPERM':
      return `this user has no access to ${path ?? 'it'}`;
    case 'EROFS':
      return 'its disk is read-only';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'its disk is full';
    case 'ENOENT':
      return `no folder can be created at ${path ?? 'it'}`;
    default:
      return `the system reports ${code}`;
  }
}

/** The store, unless it is in PostgreSQL. */
export const STORE_FILE = 'gateway.sqlite';
/** The file with the address of a store in PostgreSQL, without its password. */
const ADDRESS_FILE = 'store-address';

/** Keeps the address of the store in use, for commands that run without the settings of Perpdesk; null for SQLite. */
export function rememberStore(dataDir: string, address: string | null): void {
  const path = join(dataDir, ADDRESS_FILE);
  if (address === null) rmSync(path, { force: true });
  else writeFileSync(path, `${address}\n`);
}

/** Returns the address of the store that Perpdesk last used on a data folder; null for SQLite. */
export function recallStore(dataDir: string): string | null {
  const path = join(dataDir, ADDRESS_FILE);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}

/**
 * Throws a sentence unless the data folder has a store in SQLite. Only a start of Perpdesk creates one: a command would
 * otherwise work on an empty store without notice, beside the one that is meant.
 */
export function requireStoreFile(dataDir: string): void {
  const address = recallStore(dataDir);
  if (address !== null)
    throw new Error(
      `The store of ${dataDir} is in PostgreSQL, at ${address}, and Perpdesk is not running on this data folder. ` +
        'Start it, or run the command where it runs.',
    );
  if (!existsSync(join(dataDir, STORE_FILE)))
    throw new Error(
      `There is no Perpdesk data in ${resolve(dataDir)}. Set DESK_DATA_DIR, or --config, as for the Perpdesk you mean.`,
    );
}
