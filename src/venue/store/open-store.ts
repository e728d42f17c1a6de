import type { Order, Product } from '../core/model.ts';
import type { Changes, SavedState, Store } from '../core/ports.ts';
import type { Driver, Step } from '#sql/driver.ts';
import { migrate } from '#sql/migrate.ts';
import { openSqlite, type FileDriver } from '#sql/sqlite.ts';
import { fundingRead, latestFundingRead, sessionsRead } from './history-reads.ts';
import { toFunding, toFundingRow, toSampleRow, toSession, toSessionRow, toTradeRow } from './market-rows.ts';
import { createOrderJournal, type Planned } from './order-journal.ts';
import { readOrdersPage } from './order-pages.ts';
import { allOf, readState } from './saved-state.ts';
import { migrations } from './schema.ts';
import { explainSqliteErrors } from './sqlite-errors.ts';
import { createStreams } from './streams.ts';
import { facts, funding, pending, samples, sessions, streams as streamsTable, trades } from './tables.ts';

/** Used only when orders are committed. */
export interface StoreCallbacks {
  /** The order as JSON. */
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
    // If a power cut undoes it, the changes are pending again, and a restart makes them visible.
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

/** Runs one piece of work after another. A failure does not stop those after it. */
function createSerialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
