import type { DatabaseSync } from 'node:sqlite';
import { isProblemOf, VenueFailure } from './venue-failure.ts';

/** The database. The disk may be full, or no longer writable, at any moment. */
export interface Disk {
  readonly database: DatabaseSync;
  /** For writes that can be lost: a failure is reported, and nothing else stops. */
  readonly tryToWrite: (write: () => unknown) => void;
  /** For data that can be read elsewhere: a failure is reported, and counts as not found. */
  readonly tryToRead: <Found>(read: () => Found) => Found | undefined;
  /** For writes that must not be lost: throws a `VenueFailure` that says what to do. */
  readonly mustWrite: <Written>(write: () => Written) => Written;
  readonly failedWrites: () => number;
}

interface DiskParts {
  readonly elapsed: () => number;
  /** Receives the first failure, and while failures continue, one from time to time. */
  readonly report: (failure: Error) => void;
}

/** A full disk fails with every request, and one report is as good as a thousand. */
const REPORTED_EVERY_MS = 600_000;

export function createDisk(database: DatabaseSync, { elapsed, report }: DiskParts): Disk {
  let failed = 0;
  let quietUntil = -Infinity;
  const reportFailure = (error: unknown): Error => {
    if (!isOfDatabase(error)) throw error;
    if (elapsed() >= quietUntil) {
      quietUntil = elapsed() + REPORTED_EVERY_MS;
      report(error);
    }
    return error;
  };
  const countFailedWrite = (error: unknown): Error => {
    const failure = reportFailure(error);
    failed += 1;
    return failure;
  };
  return {
    database,
    tryToWrite: (write) => {
      try {
        write();
      } catch (error) {
        countFailedWrite(error);
      }
    },
    tryToRead: (read) => {
      try {
        return read();
      } catch (error) {
        reportFailure(error);
        return undefined;
      }
    },
    mustWrite: (write) => {
      try {
        return write();
      } catch (error) {
        throw toFailure(countFailedWrite(error));
      }
    },
    failedWrites: () => failed,
  };
}

/** Finds out whether the disk can be written, by writing; returns a sentence if not. */
export function createWriteCheck({ database, mustWrite }: Pick<Disk, 'database' | 'mustWrite'>): () => string | null {
  database.exec('create table if not exists write_check (id integer primary key)');
  const write = database.prepare('insert or replace into write_check (id) values (1)');
  return () => {
    try {
      mustWrite(() => write.run());
      return null;
    } catch (error) {
      if (isProblemOf(error, 'desk-cannot-write')) return error.problem.detail;
      throw error;
    }
  };
}

/** Any other error is a bug, which a full disk must not hide. */
export function isOfDatabase(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

/** SQLite's codes for a file that is corrupt or no database. */
const DAMAGED: readonly unknown[] = [11, 26];
const DAMAGED_ADVICE = 'its database is damaged. Stop Perpdesk and move gateway.sqlite elsewhere; the next start creates a new one and reads the lost data from the exchange again.';

export function isDamaged(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && DAMAGED.includes(error.errcode);
}

function toFailure(error: Error): VenueFailure {
  const advice = isDamaged(error) ? DAMAGED_ADVICE : 'free some disk space, or set DESK_DATA_DIR to a writable folder.';
  const detail = `Perpdesk cannot write to its data folder (${error.message}): ${advice}`;
  return new VenueFailure({ type: 'desk-cannot-write', detail }, error);
}
