import type {
  Changes,
  FundingQuery,
  OrderPosition,
  OrdersPage,
  OrdersQuery,
  SavedState,
  Store,
} from '../core/ports.ts';
import type { IndexRanges } from './index-ranges.ts';
import { type Driver, limitTo, type Read, type ReadPlan, type Row, type Step, type Table } from '#sql/driver.ts';
import { allRead, mergeRead, nearestRead, type PageBounds, type PositionRange } from './order-reads.ts';
import {
  facts,
  funding,
  isAmong,
  pending,
  samples,
  sessions,
  streams as streamsTable,
  toBigInt,
  toWorkingOrder,
  trades,
  working,
} from './tables.ts';
import {
  toFunding,
  toFundingRow,
  toSample,
  toSampleRow,
  toSession,
  toSessionRow,
  toTrade,
  toTradeRow,
} from './market-rows.ts';
import { migrations, SCHEMA_FACT } from './schema.ts';
import { columnsOf } from '#sql/tables.ts';
import type { Order, Product } from '../core/model.ts';
import { migrate } from '#sql/migrate.ts';
import { type FileDriver, openSqlite } from '#sql/sqlite.ts';
import { createOrderJournal, type Planned } from './order-journal.ts';
import { explainSqliteErrors } from './sqlite-errors.ts';
import { createStreams } from './streams.ts';

/** Index ranges merged by one statement; more are merged in groups. */
const LARGEST_MERGE = 32;

const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;

/** Reads a page of the orders in some index ranges, or of all (null). The cost depends on the size of the page only. */
async function readOrdersPage(driver: Driver, query: OrdersQuery, ranges: IndexRanges | null): Promise<OrdersPage> {
  const bounds = { range: rangeOf(query), direction: query.direction, limit: query.limit };
  return toPage(await readRows(driver, bounds, ranges));
}

async function readRows(driver: Driver, bounds: PageBounds, ranges: IndexRanges | null): Promise<readonly Row[]> {
  if (ranges === null) return driver.read(allRead(bounds));
  if (ranges.values.length === 0) return [];
  if (ranges.values.length <= LARGEST_MERGE) return driver.read(mergeRead(ranges, bounds));
  return driver.readTogether(readManyRanges(ranges, bounds));
}

/** For many ranges: the nearest orders are likely to fill the page. If not, every range is read. */
function* readManyRanges(ranges: IndexRanges, bounds: PageBounds): ReadPlan<readonly Row[]> {
  const near = yield nearestRead(ranges, bounds);
  if (near.length === bounds.limit) return near;
  let rows: readonly Row[] = [];
  let { range } = bounds;
  for (let from = 0; from < ranges.values.length; from += LARGEST_MERGE) {
    const group = { ...ranges, values: ranges.values.slice(from, from + LARGEST_MERGE) };
    const found = yield mergeRead(group, { ...bounds, range });
    rows = [...rows, ...found].sort(byPosition(bounds.direction)).slice(0, bounds.limit);
    const last = rows.length === bounds.limit ? positionOf(rows.at(-1)) : null;
    if (last) range = rangeBefore(last, range, bounds.direction);
  }
  return rows;
}

function rangeOf({ fromNs, untilNs, direction, after }: OrdersQuery): PositionRange {
  const above = { timeNs: fromNs ?? LOWEST, id: LOWEST };
  const below = { timeNs: untilNs ?? HIGHEST, id: untilNs === undefined ? HIGHEST : LOWEST };
  if (!after) return { above, below };
  if (direction === 'asc') return { above: compare(after, above) > 0 ? after : above, below };
  return { above, below: compare(after, below) < 0 ? after : below };
}

/** The part of the range before a position, in the direction of reading. */
function rangeBefore(
  position: OrderPosition,
  { above, below }: PositionRange,
  direction: PageBounds['direction'],
): PositionRange {
  return direction === 'asc' ? { above, below: position } : { above: position, below };
}

function toPage(rows: readonly Row[]): OrdersPage {
  return { rows: rows.map(([, , body]) => body).join(','), count: rows.length, last: positionOf(rows.at(-1)) };
}

function positionOf(row: Row | undefined): OrderPosition | null {
  return row ? { timeNs: toBigInt(row[0]), id: toBigInt(row[1]) } : null;
}

function byPosition(direction: PageBounds['direction']): (a: Row, b: Row) => number {
  const sign = direction === 'asc' ? 1 : -1;
  return ([timeA, idA], [timeB, idB]) =>
    sign * (compareBigints(toBigInt(timeA), toBigInt(timeB)) || compareBigints(toBigInt(idA), toBigInt(idB)));
}

function compare(a: OrderPosition, b: OrderPosition): number {
  return compareBigints(a.timeNs, b.timeNs) || compareBigints(a.id, b.id);
}

function compareBigints(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** All rows of a table, in the order of its key. */
function allOf(table: Table): Read {
  const sql = `SELECT ${columnsOf(table)} FROM ${table.name} ORDER BY ${table.key.join(', ')}`;
  return { name: `all ${table.name}`, sql, values: [] };
}

/** What a restart needs, from one snapshot; null where nothing was ever stored. Closed orders are not read. */
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

/** The samples of each product's newest interval, unless it has settled. */
const openSamplesRead: Read = {
  name: 'open samples',
  sql: `SELECT ${columnsOf(samples).replaceAll(/\w+/g, 's.$&')}
    FROM (SELECT product_id, max(interval_start) AS newest FROM samples GROUP BY product_id) AS n
    JOIN samples s ON s.product_id = n.product_id AND s.interval_start = n.newest
    WHERE NOT EXISTS (SELECT 1 FROM funding f WHERE f.product_id = n.product_id AND f.start_at = n.newest)
    ORDER BY s.product_id, s.i`,
  values: [],
};

/** Sessions settled within a range, its end excluded. */
function sessionsRead({ productIds, from, until }: Parameters<Store['sessions']>[0]): Read {
  const which = productIds === undefined ? '' : `${isAmong('product_id', 3)} AND `;
  const sql = `SELECT ${columnsOf(sessions)} FROM sessions
    WHERE ${which}settled_at >= $1 AND settled_at < $2 ORDER BY settled_at, product_id`;
  const name = productIds === undefined ? 'all sessions' : 'sessions';
  return { name, sql, values: [from, until, ...(productIds === undefined ? [] : [productIds])] };
}

/** Intervals that ended within a range, its end excluded, after a position. */
function fundingRead(query: FundingQuery): Read {
  const { productIds, from, until, direction, after, limit } = query;
  const forward = direction === 'asc';
  // Both ends are positions between intervals, so that one statement serves every combination. No product has the id -1.
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
