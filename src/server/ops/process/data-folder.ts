import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
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
