import { type Explain, messageOf, StoreFailure } from '#sql/store-failure.ts';
import type { Changes, FundingQuery, SavedState, Store } from '../core/ports.ts';
import { createStreams } from './streams.ts';
import { columnsOf, type Driver, limitTo, type Read, type ReadPlan, type Step, type Table } from '#sql/driver.ts';
import { readOrdersPage } from './order-pages.ts';
import {
  facts,
  funding,
  isAmong,
  migrations,
  pending,
  samples,
  SCHEMA_FACT,
  sessions,
  streams as streamsTable,
  toFunding,
  toFundingRow,
  toSample,
  toSampleRow,
  toSession,
  toSessionRow,
  toTrade,
  toTradeRow,
  toWorkingOrder,
  trades,
  working,
} from './tables.ts';
import type { Order, Product } from '../core/model.ts';
import { migrate } from '#sql/migrate.ts';
import { type FileDriver, openSqlite } from '#sql/sqlite.ts';
import { createOrderJournal, type Planned } from './order-journal.ts';

/** These callbacks are used only when orders are committed. */
export interface StoreCallbacks {
  /** Writes an order as JSON. */
  readonly toText: (order: Order) => string;
  readonly productOf: (id: number) => Pick<Product, 'symbol' | 'kind'>;
}

/** Opens a store in SQLite: in a file, or in memory (`:memory:`). */
export async function openStore(path: string, callbacks: StoreCallbacks): Promise<Store> {
  const driver = openSqlite(path, explainSqliteErrors(path));
  try {
    return await createStore(driver, callbacks);
  } catch (error) {
    await driver.close();
    throw error;
  }
}

async function createStore(driver: FileDriver, { toText, productOf }: StoreCallbacks): Promise<Store> {
  await migrate(driver, migrations);
  const inOrder = createSerialQueue();
  const streams = createStreams(await driver.read(allOf(streamsTable)), productOf);
  const journal = createOrderJournal(streams, toText, 1 + (await highestSeq(driver, 'pending')));
  let nextTrade = 1 + (await highestSeq(driver, 'trades'));

  const write = async ({ steps, apply }: Planned, lazy = false): Promise<void> => {
    const filled = steps.filter((step) => !('table' in step) || step.rows.length > 0);
    if (filled.length > 0) await driver.write(filled, { lazy });
    apply();
  };

  const commit = async (changes: Changes, projected: boolean): Promise<void> => {
    const planned = journal.plan(changes.orders ?? [], projected);
    const tradeRows = (changes.trades ?? []).map((trade, i) => toTradeRow(trade, nextTrade + i));
    await write({ ...planned, steps: [...planned.steps, { table: trades, rows: tradeRows }, ...marketSteps(changes)] });
    nextTrade += tradeRows.length;
  };

  const project = async (untilNs: bigint): Promise<readonly Order[]> => {
    const planned = journal.planProjection(untilNs);
    // If a power cut undoes this write, the changes are pending again and a restart makes them visible.
    await write(planned, true);
    return planned.changes;
  };

  const load = async (tradesSince: number): Promise<SavedState | null> => {
    await write(journal.planRecovery(await driver.read({ ...allOf(pending), wide: true })));
    return driver.readTogether(readState(tradesSince));
  };

  return {
    load: (tradesSince) => inOrder(() => load(tradesSince)),
    commit: (changes, options) => inOrder(() => commit(changes, options?.projected === true)),
    project: (untilNs) => inOrder(() => project(untilNs)),
    ordersPage: (query) => readOrdersPage(driver, query, streams.indexRanges(query.filter)),
    sessions: (range) => driver.read(sessionsRead(range)).then((rows) => rows.map(toSession)),
    funding: (query) => driver.read(fundingRead(query)).then((rows) => rows.map(toFunding)),
    latestFunding: (ids) => driver.read(latestFundingRead(ids)).then((rows) => rows.map(toFunding)),
    prune: (before) => inOrder(() => driver.write(pruneSteps(before))),
    copyTo: driver.copyTo,
    close: () => inOrder(() => driver.close()),
  };
}

function marketSteps(changes: Changes): readonly Step[] {
  return [
    { table: sessions, rows: (changes.sessions ?? []).map(toSessionRow) },
    { table: funding, rows: (changes.funding ?? []).map(toFundingRow) },
    { table: samples, rows: (changes.samples ?? []).map(toSampleRow) },
    { table: facts, rows: Object.entries(changes.facts ?? {}) },
  ];
}

function pruneSteps(before: Parameters<Store['prune']>[0]): readonly Step[] {
  return [
    { name: 'prune trades', sql: 'DELETE FROM trades WHERE time < $1', values: [before.trades] },
    { name: 'prune samples', sql: 'DELETE FROM samples WHERE interval_start < $1', values: [before.samples] },
  ];
}

async function highestSeq(driver: Driver, table: 'pending' | 'trades'): Promise<number> {
  const [row] = await driver.read({ name: `last of ${table}`, sql: `SELECT max(seq) FROM ${table}`, values: [] });
  return Number(row?.[0] ?? 0);
}

/** Creates a queue that runs tasks one at a time, in call order. A task that fails does not stop the next. */
function createSerialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Reads all rows of a table, in the order of its key. */
function allOf(table: Table): Read {
  const sql = `SELECT ${columnsOf(table)} FROM ${table.name} ORDER BY ${table.key.join(', ')}`;
  return { name: `all ${table.name}`, sql, values: [] };
}

/** Reads, in one snapshot, what a restart needs. Closed orders are not read. Null if nothing was ever stored. */
function* readState(tradesSince: number): ReadPlan<SavedState | null> {
  const known = (yield allOf(facts)).map(([name, value]) => [String(name), String(value)] as const);
  const others = known.filter(([name]) => name !== SCHEMA_FACT);
  const [any] = yield anyRowsRead;
  if (others.length === 0 && Number(any?.[0]) === 0) return null;
  return {
    facts: Object.fromEntries(others),
    working: (yield { ...allOf(working), wide: true }).map(toWorkingOrder),
    trades: (yield tradesRead(tradesSince)).map(toTrade),
    samples: (yield openSamplesRead).map(toSample),
  };
}

const nonEmpty = ['orders', 'trades', 'sessions', 'funding', 'samples'].map(
  (table) => `EXISTS (SELECT 1 FROM ${table})`,
);

const anyRowsRead: Read = {
  name: 'any rows',
  sql: `SELECT CASE WHEN ${nonEmpty.join(' OR ')} THEN 1 ELSE 0 END`,
  values: [],
};

function tradesRead(since: number): Read {
  const sql = `SELECT ${columnsOf(trades)} FROM trades WHERE time >= $1 ORDER BY time, seq`;
  return { name: 'trades', sql, values: [since] };
}

/** Reads the samples of each product's newest interval, unless it has settled. */
const openSamplesRead: Read = {
  name: 'open samples',
  sql: `SELECT ${columnsOf(samples).replaceAll(/\w+/g, 's.$&')}
    FROM (SELECT product_id, max(interval_start) AS newest FROM samples GROUP BY product_id) AS n
    JOIN samples s ON s.product_id = n.product_id AND s.interval_start = n.newest
    WHERE NOT EXISTS (SELECT 1 FROM funding f WHERE f.product_id = n.product_id AND f.start_at = n.newest)
    ORDER BY s.product_id, s.i`,
  values: [],
};

/** Reads the sessions that settled within a range, excluding its end. */
function sessionsRead({ productIds, from, until }: Parameters<Store['sessions']>[0]): Read {
  const which = productIds === undefined ? '' : `${isAmong('product_id', 3)} AND `;
  const sql = `SELECT ${columnsOf(sessions)} FROM sessions
    WHERE ${which}settled_at >= $1 AND settled_at < $2 ORDER BY settled_at, product_id`;
  const name = productIds === undefined ? 'all sessions' : 'sessions';
  return { name, sql, values: [from, until, ...(productIds === undefined ? [] : [productIds])] };
}

/** Reads the intervals after a position that ended within a range, excluding its end. */
function fundingRead(query: FundingQuery): Read {
  const { productIds, from, until, direction, after, limit } = query;
  const forward = direction === 'asc';
  // Both bounds are positions between intervals, so that one statement serves every combination. No product has the id
  // -1.
  const above = forward && after && after.end >= from ? [after.end, after.productId] : [from, -1];
  const below = !forward && after && after.end < until ? [after.end, after.productId] : [until, -1];
  const one = productIds.length === 1;
  const which = one ? 'product_id = $6' : isAmong('product_id', 6);
  const word = forward ? 'ASC' : 'DESC';
  const sql = `SELECT ${columnsOf(funding)} FROM funding
    WHERE ${which} AND (end_at, product_id) > ($1, $2) AND (end_at, product_id) < ($3, $4)
    ORDER BY end_at ${word}, product_id ${word} ${limitTo(5)}`;
  const name = `funding of ${one ? 'one' : 'several'} ${direction}`;
  return { name, sql, values: [...above, ...below, limit, one ? (productIds[0] ?? -1) : productIds] };
}

function latestFundingRead(productIds: readonly number[]): Read {
  const listed = columnsOf(funding).replaceAll(/\w+/g, 'f.$&');
  const sql = `SELECT ${listed} FROM json_each($1) AS p JOIN funding f ON f.product_id = p.value
    AND f.end_at = (SELECT max(g.end_at) FROM funding g WHERE g.product_id = p.value) ORDER BY f.product_id`;
  return { name: 'latest funding', sql, values: [[...new Set(productIds)]] };
}

/**
 * These are primary result codes: https://sqlite.org/rescode.html. An extended code has its primary one in the lowest
 * byte.
 */
const [BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB] = [5, 6, 8, 10, 11, 13, 14, 26];

const NAMED = 'DESK_DATA_DIR names its folder, and --store of perpdesk venue the file itself';
const DAMAGED = `is damaged. Restore it from a backup, or choose another: ${NAMED}.`;

const SENTENCES: ReadonlyMap<number | undefined, string> = new Map([
  [BUSY, `is open in another process. Stop that one, or choose another: ${NAMED}.`],
  [LOCKED, `is open in another process. Stop that one, or choose another: ${NAMED}.`],
  [READONLY, 'is read-only. Give this user write access to the file and its folder.'],
  [IOERR, 'cannot be read or written: the disk reports an error.'],
  [CORRUPT, DAMAGED],
  [FULL, 'cannot grow: the disk is full. Free some space, then start the exchange again.'],
  [CANTOPEN, 'cannot be opened. Check that its folder exists and that this user may write there.'],
  [NOTADB, `is not an SQLite database. Choose another: ${NAMED}.`],
]);

const FILE_SENTENCES: ReadonlyMap<string | undefined, string> = new Map([
  ['EACCES', 'cannot be created: this user may not write to its folder.'],
  ['EPERM', 'cannot be created: this user may not write to its folder.'],
  ['EROFS', 'cannot be created: its disk is read-only.'],
  ['ENOSPC', 'cannot grow: the disk is full. Free some space, then start the exchange again.'],
  ['ENOTDIR', 'cannot be created: a part of its path is a file.'],
  ['EEXIST', 'cannot be created: a part of its path is a file.'],
]);

/** @internal Exported for its test. */
export function explainSqliteErrors(path: string): Explain {
  return (error) => {
    const { errcode, code } = (error ?? {}) as { readonly errcode?: number; readonly code?: string };
    const known = errcode === undefined ? FILE_SENTENCES.get(code) : SENTENCES.get(errcode & 0xff);
    return new StoreFailure(`The store ${path} ${known ?? `failed: ${messageOf(error)}.`}`, { cause: error });
  };
}
