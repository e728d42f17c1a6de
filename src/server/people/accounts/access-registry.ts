import type { ServerPorts } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import type { Row, Step } from '#sql/driver.ts';
import { createTurns } from '#server/core/in-turn.ts';
import { accessRecords, accessVersions } from '#server/store/tables.ts';
import type { AccessRecords, RecordKind } from './records.ts';

/** All records by ID, as of some moment. */
export type AccessState = { readonly [Kind in RecordKind]: ReadonlyMap<string, AccessRecords[Kind]> };

/** Records to put and IDs to drop. */
interface AccessChange {
  readonly put?: { readonly [Kind in RecordKind]?: readonly AccessRecords[Kind][] };
  readonly drop?: Readonly<Partial<Record<RecordKind, readonly string[]>>>;
  /** Further steps in the same transaction. */
  readonly also?: readonly Step[];
}

/**
 * Records of who may use Perpdesk: in memory, since each request needs them, and in the store, which several servers
 * may share.
 */
export interface AccessRegistry {
  readonly state: () => AccessState;
  /** Plans a change from the latest state and makes it. If the plan throws, nothing changes. */
  readonly change: <Result>(plan: (state: AccessState) => readonly [AccessChange, Result]) => Promise<Result>;
  /** Records when something was last used. Other servers do not need it soon, and it may be lost. */
  readonly note: (kind: 'sessions' | 'tokens', id: string, lastUsedAt: number) => Promise<void>;
  /** Reads the changes of other servers. */
  readonly follow: () => Promise<void>;
  readonly onChange: (listener: () => void) => void;
}

const KINDS = Object.keys(accessRecords) as readonly RecordKind[];

export async function openAccessRegistry(
  store: Pick<Store, 'read' | 'mustWrite' | 'tryToRead' | 'tryToWrite'>,
): Promise<AccessRegistry> {
  const inTurn = createTurns();
  const listeners: (() => void)[] = [];
  let { state, version } = await store.read(loadAll);

  const become = (next: { readonly state: AccessState; readonly version: number }): void => {
    ({ state, version } = next);
    for (const listener of listeners) listener();
  };
  return {
    state: () => state,
    change: (plan) =>
      inTurn(async () => {
        const { next, result } = await store.mustWrite(async (writing) => {
          // Another server may have changed it since.
          const current = (await readVersion(writing)) === version ? { state, version } : await loadAll(writing);
          const [change, planned] = plan(current.state);
          const after = { state: applyChange(current.state, change), version: current.version + 1 };
          await writing.writeThrough([...toSteps(change), { table: accessVersions, rows: [[1, after.version]] }]);
          return { next: after, result: planned };
        });
        become(next);
        return result;
      }),
    note: (kind, id, lastUsedAt) =>
      inTurn(async () => {
        // The current record, since it may have changed while this waited.
        const record = state[kind].get(id);
        if (record === undefined) return;
        const noted = { ...record, lastUsedAt };
        state = applyChange(state, { put: { [kind]: [noted] } });
        // Updates only, so as not to restore a record that another server has dropped.
        const sql = `UPDATE ${accessRecords[kind].name} SET body = $2 WHERE id = $1`;
        await store.tryToWrite(({ write }) =>
          write([{ name: `note ${kind}`, sql, values: [id, JSON.stringify(noted)] }]),
        );
      }),
    follow: () =>
      inTurn(async () => {
        const seen = await store.tryToRead(readVersion);
        if (seen === undefined || seen === version) return;
        const loaded = await store.tryToRead(loadAll);
        if (loaded !== undefined) become(loaded);
      }),
    onChange: (listener) => void listeners.push(listener),
  };
}

type Reading = Parameters<Parameters<Store['read']>[0]>[0];
type ReadOne = Pick<Reading, 'read'>;

async function readVersion({ read }: ReadOne): Promise<number> {
  const [row] = await read({ name: 'access version', sql: 'SELECT version FROM access_version', values: [] });
  return Number(row?.[0] ?? 0);
}

/** Reads the version first, so that the records are read again after a change in between. */
async function loadAll(store: ReadOne): Promise<{ readonly state: AccessState; readonly version: number }> {
  const version = await readVersion(store);
  const entries = await Promise.all(
    KINDS.map(async (kind) => {
      const rows = await store.read({
        name: `access ${kind}`,
        sql: `SELECT id, body FROM ${accessRecords[kind].name}`,
        values: [],
      });
      return [kind, new Map(rows.map(toEntry))] as const;
    }),
  );
  return { state: Object.fromEntries(entries) as unknown as AccessState, version };
}

function toEntry([id, body]: Row): readonly [string, unknown] {
  return [String(id), JSON.parse(String(body))];
}

function toSteps({ put = {}, drop = {}, also = [] }: AccessChange): readonly Step[] {
  const ofRecords = KINDS.flatMap((kind): readonly Step[] => {
    const table = accessRecords[kind];
    const rows = (put[kind] ?? []).map((record) => [record.id, JSON.stringify(record)]);
    const drops = (drop[kind] ?? []).map((id) => ({
      name: `drop of ${kind}`,
      sql: `DELETE FROM ${table.name} WHERE id = $1`,
      values: [id],
    }));
    return rows.length === 0 ? drops : [...drops, { table, rows }];
  });
  return [...ofRecords, ...also];
}

function applyChange(state: AccessState, { put = {}, drop = {} }: AccessChange): AccessState {
  const entries = KINDS.map((kind): readonly [string, unknown] => {
    const [added, dropped] = [put[kind] ?? [], drop[kind] ?? []];
    if (added.length === 0 && dropped.length === 0) return [kind, state[kind]];
    const next = new Map<string, unknown>(state[kind]);
    for (const id of dropped) next.delete(id);
    for (const record of added) next.set(record.id, record);
    return [kind, next];
  });
  return Object.fromEntries(entries) as unknown as AccessState;
}

/** IDs of records that can no longer be used. */
interface Expired {
  readonly sessions: readonly string[];
  readonly tokens: readonly string[];
  readonly invitations: readonly string[];
}

/** Deletes expired records from the store. A failed write does not matter, since they are unusable anyway. */
async function dropExpired(
  book: Pick<AccessRegistry, 'state' | 'change'>,
  idleMs: number,
  now: () => number,
): Promise<void> {
  const { sessions, tokens, invitations } = findExpired(book.state(), idleMs, now());
  if (sessions.length + tokens.length + invitations.length === 0) return;
  await book.change((state) => [{ drop: findExpired(state, idleMs, now()) }, undefined]).catch(() => undefined);
}

function findExpired({ sessions, tokens, invitations }: AccessState, idleMs: number, now: number): Expired {
  return {
    sessions: idsOf(
      [...sessions.values()].filter(({ endsAt, lastUsedAt }) => endsAt <= now || lastUsedAt + idleMs <= now),
    ),
    tokens: idsOf([...tokens.values()].filter(({ expiresAt }) => expiresAt <= now)),
    invitations: idsOf([...invitations.values()].filter(({ expiresAt }) => expiresAt <= now)),
  };
}

function idsOf(records: readonly { readonly id: string }[]): readonly string[] {
  return records.map(({ id }) => id);
}

interface SweeperDeps extends Pick<ServerPorts, 'now' | 'schedule'> {
  readonly store: Pick<Store, 'canBeTakenOver'>;
  readonly book: AccessRegistry;
  readonly idleMs: number;
  /** Ends viewers whose access has ended. */
  readonly sweep: () => void;
}

interface Sweeper {
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

/** A person who loses access to something stops seeing it within a second, even if another server made the change. */
const SWEEP_MS = 400;
const DROP_MS = 3_600_000;

/** Follows the changes of other servers and the passing of time. */
export function createSweeper({ store, book, idleMs, sweep, now, schedule }: SweeperDeps): Sweeper {
  let cancel = (): void => undefined;
  let cancelDropping = (): void => undefined;
  let isOpen = true;
  let following: Promise<void> | null = null;
  const sweepNow = (): void => {
    // A database that does not respond must not keep sessions from ending here.
    if (store.canBeTakenOver) {
      following ??= book.follow().finally(() => {
        following = null;
      });
    }
    sweep();
    if (isOpen) cancel = schedule(SWEEP_MS, sweepNow);
  };
  const dropNow = (): void => {
    void dropExpired(book, idleMs, now);
    cancelDropping = schedule(DROP_MS, dropNow);
  };
  return {
    start: () => {
      sweepNow();
      dropNow();
    },
    close: async () => {
      isOpen = false;
      cancel();
      cancelDropping();
      await following;
    },
  };
}
