import type { Schedule, ServerPorts } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import type { Change, Read, ReadPlan, Row, Step, WritePlan } from '#sql/driver.ts';
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
  /** Reads everything again, also when sessions and tokens were last used at other servers. */
  readonly reload: () => Promise<void>;
  readonly onChange: (listener: () => void) => void;
}

const KINDS = Object.keys(accessRecords) as readonly RecordKind[];

export async function openAccessRegistry(
  store: Pick<Store, 'read' | 'mustWrite' | 'tryToRead' | 'tryToWrite'>,
): Promise<AccessRegistry> {
  const inTurn = createTurns();
  const listeners: (() => void)[] = [];
  let { state, version } = await store.read(({ readTogether }) => readTogether(planLoading()));

  const become = (next: Loaded): void => {
    ({ state, version } = next);
    for (const listener of listeners) listener();
  };
  const reload = async (): Promise<void> => {
    const loaded = await store.tryToRead(({ readTogether }) => readTogether(planLoading()));
    if (loaded !== undefined) become(loaded);
  };
  return {
    state: () => state,
    change: <Result>(plan: (state: AccessState) => readonly [AccessChange, Result]) =>
      inTurn(async () => {
        const planFromLatest = function* (): WritePlan<{ readonly next: Loaded; readonly result: Result }> {
          const [row] = yield COUNT_CHANGE;
          const next = Number(row?.[0]);
          // Another server may have changed it since.
          const latest = next === version + 1 ? state : yield* planRecords();
          const [change, result] = plan(latest);
          for (const step of toSteps(change)) yield step;
          return { next: { state: applyChange(latest, change), version: next }, result };
        };
        const { next, result } = await store.mustWrite(({ transact }) => transact(planFromLatest));
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
        // Updates only, and only what is known here, so as not to undo what another server has done with the record.
        const sql = `UPDATE ${accessRecords[kind].name} SET body = $2 WHERE id = $1 AND body = $3`;
        await store.tryToWrite(({ write }) =>
          write([{ name: `note ${kind}`, sql, values: [id, JSON.stringify(noted), JSON.stringify(record)] }]),
        );
      }),
    follow: () =>
      inTurn(async () => {
        const seen = await store.tryToRead(async ({ read }) => toVersion(await read(READ_VERSION)));
        if (seen !== undefined && seen !== version) await reload();
      }),
    reload: () => inTurn(reload),
    onChange: (listener) => void listeners.push(listener),
  };
}

interface Loaded {
  readonly state: AccessState;
  readonly version: number;
}

const READ_VERSION: Read = { name: 'access version', sql: 'SELECT version FROM access_version', values: [] };
const COUNT_CHANGE = toVersionChange('count access change', 1);

/** Makes other changes of these records, and of what people save, wait for the end of the transaction. */
export const LOCK_ACCESS = toVersionChange('lock access', 0);

/** Creates the row if there is none. */
function toVersionChange(name: string, by: number): Change {
  const sql = `INSERT INTO ${accessVersions.name} (id, version) VALUES (1, ${String(by)})
    ON CONFLICT (id) DO UPDATE SET version = ${accessVersions.name}.version + ${String(by)} RETURNING version`;
  return { name, sql, values: [] };
}

function toVersion([row]: readonly Row[]): number {
  return Number(row?.[0] ?? 0);
}

function* planLoading(): ReadPlan<Loaded> {
  const version = toVersion(yield READ_VERSION);
  return { state: yield* planRecords(), version };
}

function* planRecords(): ReadPlan<AccessState> {
  const entries: (readonly [RecordKind, unknown])[] = [];
  for (const kind of KINDS) {
    const sql = `SELECT id, body FROM ${accessRecords[kind].name}`;
    entries.push([kind, new Map((yield { name: `access ${kind}`, sql, values: [] }).map(toEntry))]);
  }
  return Object.fromEntries(entries) as unknown as AccessState;
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

/** The latest use of a session may not be noted yet, or not be known here. */
const NOTED_WITHIN_MS = 600_000;

function findExpired({ sessions, tokens, invitations }: AccessState, idleMs: number, now: number): Expired {
  return {
    sessions: idsOf(
      [...sessions.values()].filter(
        ({ endsAt, lastUsedAt }) => endsAt <= now || lastUsedAt + idleMs + NOTED_WITHIN_MS <= now,
      ),
    ),
    tokens: idsOf([...tokens.values()].filter(({ expiresAt }) => expiresAt <= now)),
    invitations: idsOf([...invitations.values()].filter(({ expiresAt }) => expiresAt <= now)),
  };
}

function idsOf(records: readonly { readonly id: string }[]): readonly string[] {
  return records.map(({ id }) => id);
}

/**
 * Strangers must not make a desk read for each of their requests.
 *
 * @internal Exported for tests.
 */
export const CATCH_UP_MS = 100;

/** Reads the changes of other desks, once for all requests of a moment. Null if no other desk can have made any. */
export function createCatchUp(
  { follow }: Pick<AccessRegistry, 'follow'>,
  { isShared }: Pick<Store, 'isShared'>,
  schedule: Schedule,
): (() => Promise<void>) | null {
  if (!isShared) return null;
  let next: Promise<void> | null = null;
  return () =>
    (next ??= new Promise<void>((resolve) => schedule(CATCH_UP_MS, resolve)).then(() => {
      next = null;
      return follow();
    }));
}

interface SweeperDeps extends Pick<ServerPorts, 'now' | 'schedule'> {
  readonly store: Pick<Store, 'isShared'>;
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
/** As precise as the last use of a session is noted. */
const RELOAD_MS = 60_000;
const DROP_MS = 3_600_000;

/** Follows the changes of other servers and the passing of time. */
export function createSweeper({ store, book, idleMs, sweep, now, schedule }: SweeperDeps): Sweeper {
  let cancel = (): void => undefined;
  let cancelDropping = (): void => undefined;
  let cancelReload = (): void => undefined;
  let isOpen = true;
  let following: Promise<void> | null = null;
  const sweepNow = (): void => {
    // A database that does not respond must not keep sessions from ending here.
    if (store.isShared) {
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
  const reloadSoon = (): void => {
    cancelReload = schedule(RELOAD_MS, () => {
      void book.reload();
      reloadSoon();
    });
  };
  return {
    start: () => {
      sweepNow();
      dropNow();
      if (store.isShared) reloadSoon();
    },
    close: async () => {
      isOpen = false;
      cancel();
      cancelDropping();
      cancelReload();
      await following;
    },
  };
}
