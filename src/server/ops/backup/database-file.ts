import { openSqlite, type FileDriver } from '#sql/sqlite.ts';
import { messageOf, StoreFailure } from '#sql/store-failure.ts';

/** SQLite's codes for a file that another process has locked. */
const IN_USE: readonly unknown[] = [5, 6];

/** Opens a database whose tables are of no concern here. */
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

/** Whether another process has it open. One that is damaged, or no database at all, is not in use. */
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
