import type { Order, Product } from '../model.ts';
import type { Changes, SavedState, Store } from '../ports.ts';
import type { Driver, Read, Row, Step } from './driver.ts';
import { fundingRead, latestFundingRead, openSamplesRead, sessionsRead, tradesRead } from './history-reads.ts';
import { toFunding, toFundingRow, toSample, toSampleRow, toSession, toSessionRow, toTrade, toTradeRow } from './market-rows.ts';
import { createOrderJournal, type Planned } from './order-journal.ts';
import { readOrdersPage } from './order-pages.ts';
import { prepareSchema, SCHEMA_FACT } from './schema.ts';
import { createStreams } from './streams.ts';
import {
  columnsOf,
  facts,
  funding,
  pending,
  samples,
  sessions,
  streams as streamsTable,
  toWorkingOrder,
  trades,
  working,
} from './tables.ts';
import { createTurns } from './turns.ts';

/** What a store has to know of orders and products. Both are asked only when orders are committed. */
export interface StoreNouns {
  /** The order as it stands on the wire. */
  readonly toText: (order: Order) => string;
  readonly productOf: (id: number) => Pick<Product, 'symbol' | 'kind'>;
}

/** The store's rules, on a database that is open. */
export async function createSqlStore(driver: Driver, { toText, productOf }: StoreNouns): Promise<Store> {
  await prepareSchema(driver);
  const inTurn = createTurns();
  const streams = createStreams(await driver.read(allOf(streamsTable)), productOf);
  const journal = createOrderJournal(streams, toText, 1 + (await highestSeq(driver, 'pending')));
  let nextTrade = 1 + (await highestSeq(driver, 'trades'));

  const write = async ({ steps, keep }: Planned): Promise<void> => {
    const filled = steps.filter((step) => !('table' in step) || step.rows.length > 0);
    if (filled.length > 0) await driver.write(filled);
    keep();
  };

  const commit = async (changes: Changes, projected: boolean): Promise<void> => {
    const planned = journal.plan(changes.orders ?? [], projected);
    const tradeRows = (changes.trades ?? []).map((trade, i) => toTradeRow(trade, nextTrade + i));
    await write({ ...planned, steps: [...planned.steps, { table: trades, rows: tradeRows }, ...marketSteps(changes)] });
    nextTrade += tradeRows.length;
  };

  const project = async (untilNs: bigint): Promise<readonly Order[]> => {
    const planned = journal.planProjection(untilNs);
    await write(planned);
    return planned.changes;
  };

  const load = async (tradesSince: number): Promise<SavedState | null> => {
    await write(journal.planRecovery(await driver.read({ ...allOf(pending), wide: true })));
    return readState(driver, tradesSince);
  };

  return {
    load: (tradesSince) => inTurn(() => load(tradesSince)),
    commit: (changes, options) => inTurn(() => commit(changes, options?.projected === true)),
    project: (untilNs) => inTurn(() => project(untilNs)),
    ordersPage: (query) => readOrdersPage(driver, query, streams.matching(query.filter)),
    sessions: (range) => driver.read(sessionsRead(driver.dialect, range)).then((rows) => rows.map(toSession)),
    funding: (query) => driver.read(fundingRead(driver.dialect, query)).then((rows) => rows.map(toFunding)),
    latestFunding: (ids) => driver.read(latestFundingRead(driver.dialect, ids)).then((rows) => rows.map(toFunding)),
    prune: (before) => inTurn(() => driver.write(pruneSteps(before))),
    close: () => inTurn(() => driver.close()),
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

function allOf(table: typeof streamsTable | typeof pending | typeof working | typeof facts): Read {
  const sql = `SELECT ${columnsOf(table)} FROM ${table.name} ORDER BY ${table.key.join(', ')}`;
  return { name: `all ${table.name}`, sql, values: [] };
}

async function highestSeq(driver: Driver, table: 'pending' | 'trades'): Promise<number> {
  const [row] = await driver.read({ name: `last of ${table}`, sql: `SELECT max(seq) FROM ${table}`, values: [] });
  return Number(row?.[0] ?? 0);
}

const saysWhetherThereIsAny = ['orders', 'trades', 'sessions', 'funding', 'samples']
  .map((table) => `EXISTS (SELECT 1 FROM ${table})`)
  .join(' OR ');

async function readState(driver: Driver, tradesSince: number): Promise<SavedState | null> {
  const known = (await driver.read(allOf(facts))).map(([name, value]) => [String(name), String(value)] as const);
  const told = known.filter(([name]) => name !== SCHEMA_FACT);
  if (told.length === 0 && !(await hasRows(driver))) return null;
  return {
    facts: Object.fromEntries(told),
    working: (await driver.read({ ...allOf(working), wide: true })).map(toWorkingOrder),
    trades: (await driver.read(tradesRead(tradesSince))).map(toTrade),
    samples: (await driver.read(openSamplesRead())).map(toSample),
  };
}

async function hasRows(driver: Driver): Promise<boolean> {
  const sql = `SELECT CASE WHEN ${saysWhetherThereIsAny} THEN 1 ELSE 0 END`;
  const [row]: readonly Row[] = await driver.read({ name: 'any rows', sql, values: [] });
  return Number(row?.[0]) === 1;
}
