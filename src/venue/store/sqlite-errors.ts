import { messageOf, StoreFailure, type Explain } from '#sql/store-failure.ts';

/** Primary result codes: https://sqlite.org/rescode.html. An extended code has its primary one in the lowest byte. */
const [BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB] = [5, 6, 8, 10, 11, 13, 14, 26];

const DAMAGED = 'is damaged. Restore it from a backup, or choose another with --store.';

const SENTENCES: ReadonlyMap<number | undefined, string> = new Map([
  [BUSY, 'is open in another process. Stop that one, or choose another store with --store.'],
  [LOCKED, 'is open in another process. Stop that one, or choose another store with --store.'],
  [READONLY, 'is read-only. Give this user write access to the file and its folder.'],
  [IOERR, 'cannot be read or written: the disk reports an error.'],
  [CORRUPT, DAMAGED],
  [FULL, 'cannot grow: the disk is full. Free some space, then start the exchange again.'],
  [CANTOPEN, 'cannot be opened. Check that its folder exists and that this user may write there.'],
  [NOTADB, 'is not an SQLite database. Choose another with --store.'],
]);

const FILE_SENTENCES: ReadonlyMap<string | undefined, string> = new Map([
  ['EACCES', 'cannot be created: this user may not write to its folder.'],
  ['EPERM', 'cannot be created: this user may not write to its folder.'],
  ['EROFS', 'cannot be created: its disk is read-only.'],
  ['ENOSPC', 'cannot grow: the disk is full. Free some space, then start the exchange again.'],
  ['ENOTDIR', 'cannot be created: a part of its path is a file.'],
  ['EEXIST', 'cannot be created: a part of its path is a file.'],
]);

export function explainSqliteErrors(path: string): Explain {
  return (error) => {
    const { errcode, code } = (error ?? {}) as { readonly errcode?: number; readonly code?: string };
    const known = errcode === undefined ? FILE_SENTENCES.get(code) : SENTENCES.get(errcode & 0xff);
    return new StoreFailure(`The store ${path} ${known ?? `failed: ${messageOf(error)}.`}`, { cause: error });
  };
}
