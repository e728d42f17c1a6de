import type { Row, Step } from '#sql/driver.ts';
import { createTurns } from '#server/core/in-turn.ts';
import type { Store } from '#server/store/store.ts';
import { accessRecords, accessVersions } from '#server/store/tables.ts';
import type { AccessRecords, RecordKind } from './records.ts';

/** All records by their ids, as of some moment. */
export type AccessState = { readonly [Kind in RecordKind]: ReadonlyMap<string, AccessRecords[Kind]> };

/** Records to put and ids to drop. */
interface AccessChange {
  readonly put?: { readonly [Kind in RecordKind]?: readonly AccessRecords[Kind][] };
  readonly drop?: Readonly<Partial<Record<RecordKind, readonly string[]>>>;
  /** What else goes with it, in the same transaction. */
  readonly also?: readonly Step[];
}

/** Who may use a desk, in memory, since each request needs it, and in the store, which several desks may share. */
export interface AccessBook {
  readonly state: () => AccessState;
  /** Plans a change from the newest state, and makes it. Whatever the plan throws changes nothing. */
  readonly change: <Result>(plan: (state: AccessState) => readonly [AccessChange, Result]) => Promise<Result>;
  /** Records when something was last used, which no other desk needs to know at once. It may be lost. */
  readonly note: (kind: 'sessions' | 'tokens', id: string, lastUsedAt: number) => Promise<void>;
  /** Reads what another desk has changed. */
  readonly follow: () => Promise<void>;
  readonly onChange: (listener: () => void) => void;
}

const KINDS = Object.keys(accessRecords) as readonly RecordKind[];

export async function openAccessBook(
  store: Pick<Store, 'read' | 'mustWrite' | 'tryToRead' | 'tryToWrite'>,
): Promise<AccessBook> {
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
          // Another desk may have changed it since.
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
        // As it is now, since it may have been changed while this waited.
        const record = state[kind].get(id);
        if (record === undefined) return;
        const noted = { ...record, lastUsedAt };
        state = applyChange(state, { put: { [kind]: [noted] } });
        // Puts no record back that another desk has dropped.
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

/** The version first: of a change in between, the records are then read once more. */
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
