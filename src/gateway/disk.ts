import type { DatabaseSync } from 'node:sqlite';
import { VenueFailure } from './ports.ts';

/** The file of what a restart must not forget. It may be full, or no longer writable, at any moment. */
export interface Disk {
  readonly database: DatabaseSync;
  /** For what is known without it: where it cannot be written, that is reported, and all else goes on. */
  readonly tryToWrite: (write: () => unknown) => void;
  /** For what can be had elsewhere: where it cannot be read, that is reported, and it is as if it was not there. */
  readonly tryToRead: <Found>(read: () => Found) => Found | undefined;
  /** For what must not go on unwritten: throws a `VenueFailure` that says what to do. */
  readonly mustWrite: <Written>(write: () => Written) => Written;
  readonly failedWrites: () => number;
}

interface DiskParts {
  readonly elapsed: () => number;
  /** Told of the first failure, and while they go on from time to time. */
  readonly report: (failure: Error) => void;
}

/** A full disk fails with every request: one report tells it as well as a thousand. */
const REPORTED_EVERY_MS = 600_000;

export function createDisk(database: DatabaseSync, { elapsed, report }: DiskParts): Disk {
  let failed = 0;
  let quietUntil = -Infinity;
  const tell = (error: unknown): Error => {
    if (!isOfDatabase(error)) throw error;
    if (elapsed() >= quietUntil) {
      quietUntil = elapsed() + REPORTED_EVERY_MS;
      report(error);
    }
    return error;
  };
  const tellUnwritten = (error: unknown): Error => {
    const failure = tell(error);
    failed += 1;
    return failure;
  };
  return {
    database,
    tryToWrite: (write) => {
      try {
        write();
      } catch (error) {
        tellUnwritten(error);
      }
    },
    tryToRead: (read) => {
      try {
        return read();
      } catch (error) {
        tell(error);
        return undefined;
      }
    },
    mustWrite: (write) => {
      try {
        return write();
      } catch (error) {
        throw toFailure(tellUnwritten(error));
      }
    },
    failedWrites: () => failed,
  };
}

/** What else is thrown is a mistake of the code, which a full disk must not excuse. */
function isOfDatabase(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

function toFailure(error: Error): VenueFailure {
  const detail = `The desk cannot write to its folder (${error.message}): make room on its disk, or set DESK_DATA_DIR to a folder that can be written.`;
  return new VenueFailure({ type: 'desk-cannot-write', detail }, error);
}
