import type { Disk } from '../disk.ts';
import { PURPOSES, type Purpose } from '../ports.ts';

/** A request of before the start. */
interface Past {
  readonly id: number;
  readonly purpose: Purpose;
  readonly settledMsAgo: number;
}

/** What was spent, on disk: a restart must not forget it, or the venue's limit would be passed. */
export interface PermitLog {
  /** Gives the id under which it is settled and forgotten. Throws where it cannot be written: it must not be spent then. */
  readonly add: (purpose: Purpose) => number;
  readonly settle: (id: number) => void;
  readonly forget: (id: number) => void;
  readonly load: () => readonly Past[];
}

const SCHEMA = `
  create table if not exists spent_permit (
    id integer primary key, purpose text not null, settled_at integer, settled_elapsed real
  )`;

/** Neither clock alone outlasts the process: `now` may be set in between, and `elapsed` begins anew with the machine. */
export interface PermitClocks {
  readonly now: () => number;
  readonly elapsed: () => number;
}

export function createPermitLog({ database, mustWrite, tryToWrite }: Disk, { now, elapsed }: PermitClocks): PermitLog {
  database.exec(SCHEMA);
  const insert = database.prepare('insert into spent_permit (purpose) values (?)');
  const update = database.prepare('update spent_permit set settled_at = ?, settled_elapsed = ? where id = ?');
  const remove = database.prepare('delete from spent_permit where id = ?');
  const select = database.prepare('select id, purpose, settled_at, settled_elapsed from spent_permit order by id');
  return {
    add: (purpose) => mustWrite(() => Number(insert.run(purpose).lastInsertRowid)),
    settle: (id) => {
      tryToWrite(() => update.run(now(), elapsed(), id));
    },
    forget: (id) => {
      tryToWrite(() => remove.run(id));
    },
    load: () => {
      const [at, elapsedAt] = [now(), elapsed()];
      // What was out when the process ended may have reached the venue at any moment until now.
      database.prepare('update spent_permit set settled_at = ?, settled_elapsed = ? where settled_at is null').run(at, elapsedAt);
      // What was settled after now, by a clock that has been set back since, was settled at the latest now.
      database.prepare('update spent_permit set settled_at = ?1 where settled_at > ?1').run(at);
      return select.all().map((row) => ({
        id: Number(row['id']),
        purpose: toPurpose(row['purpose']),
        settledMsAgo: Math.min(at - Number(row['settled_at']), elapsedSince(Number(row['settled_elapsed']), elapsedAt)),
      }));
    },
  };
}

/** Of a moment before the machine was started anew, no more is known than that it was before that. */
function elapsedSince(before: number, elapsed: number): number {
  return elapsed < before ? elapsed : elapsed - before;
}

function toPurpose(word: unknown): Purpose {
  return PURPOSES.find((purpose) => purpose === word) ?? 'prefetch';
}
