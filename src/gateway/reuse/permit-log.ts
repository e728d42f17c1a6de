import type { DatabaseSync } from 'node:sqlite';
import { PURPOSES, type Purpose } from '../ports.ts';

/** A request as the budget counts it. */
export interface Spent {
  readonly id: number;
  readonly purpose: Purpose;
  /** Null while the answer is out: the venue may count it at any moment until then. */
  settledAt: number | null;
}

/** What was spent, on disk: a restart must not forget it, or the venue's limit would be passed. */
export interface PermitLog {
  readonly add: (purpose: Purpose, at: number) => Spent;
  readonly settle: (spent: Spent, at: number) => void;
  readonly forget: (settledBefore: number) => void;
  readonly load: (now: number) => Spent[];
}

const SCHEMA = `
  create table if not exists permit (
    id integer primary key, purpose text not null, taken_at integer not null, settled_at integer
  )`;

export function createPermitLog(database: DatabaseSync): PermitLog {
  database.exec(SCHEMA);
  const insert = database.prepare('insert into permit (purpose, taken_at) values (?, ?)');
  const update = database.prepare('update permit set settled_at = ? where id = ?');
  const remove = database.prepare('delete from permit where settled_at < ?');
  const select = database.prepare('select id, purpose, settled_at from permit order by id');
  return {
    add: (purpose, at) => ({ id: Number(insert.run(purpose, at).lastInsertRowid), purpose, settledAt: null }),
    settle: (spent, at) => {
      spent.settledAt = at;
      update.run(at, spent.id);
    },
    forget: (settledBefore) => {
      remove.run(settledBefore);
    },
    load: (now) => {
      // What was out when the process ended may have reached the venue at any moment until now.
      database.prepare('update permit set settled_at = ? where settled_at is null').run(now);
      return select.all().map((row) => ({ id: Number(row['id']), purpose: toPurpose(row['purpose']), settledAt: Number(row['settled_at']) }));
    },
  };
}

function toPurpose(word: unknown): Purpose {
  return PURPOSES.find((purpose) => purpose === word) ?? 'prefetch';
}
