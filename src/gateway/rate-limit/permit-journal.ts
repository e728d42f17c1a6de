import type { Disk } from '../disk.ts';
import { PURPOSES, type Purpose } from '../ports.ts';

/** A request sent before this start. */
interface PastPermit {
  readonly id: number;
  readonly purpose: Purpose;
  readonly settledMsAgo: number;
}

/** The permits spent, on disk: a restart that forgot them would exceed the exchange's limit. */
export interface PermitJournal {
  /** Returns the permit's id. Throws if it cannot be written: the permit must not be spent then. */
  readonly add: (purpose: Purpose) => number;
  readonly settle: (id: number) => void;
  readonly forget: (id: number) => void;
  readonly load: () => readonly PastPermit[];
}

const SCHEMA = `
  create table if not exists spent_permit (
    id integer primary key, purpose text not null, settled_at integer, settled_elapsed real
  )`;

/** Neither clock alone survives a restart: `now` may be set in between, and `elapsed` restarts with the machine. */
export interface PermitClocks {
  readonly now: () => number;
  readonly elapsed: () => number;
}

export function createPermitJournal({ database, mustWrite, tryToWrite }: Disk, { now, elapsed }: PermitClocks): PermitJournal {
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
      // Requests in flight when the process ended may have reached the exchange at any moment until now.
      database.prepare('update spent_permit set settled_at = ?, settled_elapsed = ? where settled_at is null').run(at, elapsedAt);
      // A time in the future means that the clock was set back since.
      database.prepare('update spent_permit set settled_at = ?1 where settled_at > ?1').run(at);
      return select.all().map((row) => ({
        id: Number(row['id']),
        purpose: toPurpose(row['purpose']),
        settledMsAgo: Math.min(at - Number(row['settled_at']), elapsedSince(Number(row['settled_elapsed']), elapsedAt)),
      }));
    },
  };
}

/** After a reboot all that is known is that the moment was before it. */
function elapsedSince(before: number, elapsed: number): number {
  return elapsed < before ? elapsed : elapsed - before;
}

/** Older versions wrote `click` for interactive reads. */
function toPurpose(word: unknown): Purpose {
  if (word === 'click') return 'interactive';
  return PURPOSES.find((purpose) => purpose === word) ?? 'prefetch';
}
