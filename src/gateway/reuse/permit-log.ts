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
  create table if not exists permit (
    id integer primary key, purpose text not null, taken_at integer not null, settled_at integer
  )`;

/** `now` is this machine's clock: no other is the same after a restart. */
export function createPermitLog({ database, mustWrite, tryToWrite }: Disk, now: () => number): PermitLog {
  database.exec(SCHEMA);
  const insert = database.prepare('insert into permit (purpose, taken_at) values (?, ?)');
  const update = database.prepare('update permit set settled_at = ? where id = ?');
  const remove = database.prepare('delete from permit where id = ?');
  const select = database.prepare('select id, purpose, settled_at from permit order by id');
  return {
    add: (purpose) => mustWrite(() => Number(insert.run(purpose, now()).lastInsertRowid)),
    settle: (id) => {
      tryToWrite(() => update.run(now(), id));
    },
    forget: (id) => {
      tryToWrite(() => remove.run(id));
    },
    load: () => {
      const start = now();
      // What was out when the process ended may have reached the venue at any moment until now. And what was settled
      // after now, by a clock that has been set back since, was settled at the latest now.
      database.prepare('update permit set settled_at = ?1 where settled_at is null or settled_at > ?1').run(start);
      return select.all().map((row) => ({ id: Number(row['id']), purpose: toPurpose(row['purpose']), settledMsAgo: start - Number(row['settled_at']) }));
    },
  };
}

function toPurpose(word: unknown): Purpose {
  return PURPOSES.find((purpose) => purpose === word) ?? 'prefetch';
}
