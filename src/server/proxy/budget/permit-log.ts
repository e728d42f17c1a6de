import type { Change, Read, Row, Step } from '#sql/driver.ts';
import { PURPOSES, type Purpose } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import { spentPermits } from '#server/store/tables.ts';
import { createBatch } from './batch.ts';

/** A request sent before this start. */
interface PastPermit {
  readonly id: number;
  readonly purpose: Purpose;
  readonly endedMsAgo: number;
}

/** The log of spent permits in the store: without it, a restart could exceed the exchange’s limit. */
export interface PermitLog {
  /** Returns the permits of earlier starts. Called once, before anything else. */
  readonly load: () => Promise<readonly PastPermit[]>;
  /** Returns the ID at once. `stored` rejects if the permit cannot be written; it must not be spent then. */
  readonly add: (purpose: Purpose) => { readonly id: number; readonly stored: Promise<void> };
  readonly settle: (id: number) => void;
  readonly forget: (ids: readonly number[]) => void;
}

/** Neither clock alone survives a restart: `now` may be set in between, and `elapsed` restarts with the machine. */
export interface PermitClocks {
  readonly now: () => number;
  readonly elapsed: () => number;
}

const all: Read = {
  name: 'permits',
  sql: 'SELECT id, purpose, settled_at, settled_elapsed FROM spent_permit ORDER BY id',
  values: [],
};
const update = (id: number, at: number, elapsed: number): Change => ({
  name: 'settle permit',
  sql: 'UPDATE spent_permit SET settled_at = $1, settled_elapsed = $2 WHERE id = $3',
  values: [Math.round(at), elapsed, id],
});
const settleAll = (at: number, elapsed: number): Change => ({
  name: 'settle permits in flight',
  sql: 'UPDATE spent_permit SET settled_at = $1, settled_elapsed = $2 WHERE settled_at IS NULL',
  values: [Math.round(at), elapsed],
});
const notAfter = (at: number): Change => ({
  name: 'limit times of permits',
  sql: 'UPDATE spent_permit SET settled_at = $1 WHERE settled_at > $1',
  values: [Math.round(at)],
});

export function createPermitLog({ dialect, mustWrite, tryToWrite }: Store, { now, elapsed }: PermitClocks): PermitLog {
  let nextId = 1;
  // Permits taken while another transaction is being written share the next one.
  const add = createBatch<Row>((take) => mustWrite(({ write }) => write([{ table: spentPermits, rows: take() }])));
  const settle = createBatch<Step>((take) => tryToWrite(({ write }) => write(take())));
  const remove = (ids: readonly number[]): Change => ({
    name: 'forget permits',
    sql: `DELETE FROM spent_permit WHERE ${dialect.isAmong('id', 1, 'bigint')}`,
    values: [ids],
  });
  return {
    add: (purpose) => {
      const id = nextId++;
      return { id, stored: add([id, purpose, null, null]) };
    },
    settle: (id) => {
      void settle(update(id, now(), elapsed()));
    },
    forget: (ids) => {
      void tryToWrite(({ write }) => write([remove(ids)]));
    },
    load: async () => {
      const [at, elapsedAt] = [now(), elapsed()];
      const rows = await mustWrite(async ({ read, write }) => {
        // Requests in flight when the process ended may have reached the exchange at any moment until now. A time in
        // the future means that the clock was set back since.
        await write([settleAll(at, elapsedAt), notAfter(at)]);
        return read(all);
      });
      nextId = rows.reduce((highest, [id]) => Math.max(highest, Number(id)), 0) + 1;
      return rows.map(([id, purpose, endedAt, endedElapsed]) => ({
        id: Number(id),
        purpose: toPurpose(purpose),
        endedMsAgo: Math.min(at - Number(endedAt), elapsedSince(Number(endedElapsed), elapsedAt)),
      }));
    },
  };
}

/**
 * Returns the time since an earlier moment by the monotonic clock. After a reboot, it is only known that the moment was
 * before it. A time by another machine’s clock means nothing, but then the wall clock’s limit applies as well.
 */
function elapsedSince(before: number, elapsed: number): number {
  return elapsed < before ? elapsed : elapsed - before;
}

/** Accepts `click`, which older versions wrote for interactive reads. */
export function toPurpose(word: unknown): Purpose {
  if (word === 'click') return 'interactive';
  return PURPOSES.find((purpose) => purpose === word) ?? 'prefetch';
}
