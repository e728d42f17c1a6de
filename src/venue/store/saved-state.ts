import type { SavedState } from '../core/ports.ts';
import type { Read, ReadPlan, Table } from '#sql/driver.ts';
import { toSample, toTrade } from './market-rows.ts';
import { SCHEMA_FACT } from './schema.ts';
import { columnsOf } from '#sql/tables.ts';
import { facts, samples, toWorkingOrder, trades, working } from './tables.ts';

/** All rows of a table, in the order of its key. */
export function allOf(table: Table): Read {
  const sql = `SELECT ${columnsOf(table)} FROM ${table.name} ORDER BY ${table.key.join(', ')}`;
  return { name: `all ${table.name}`, sql, values: [] };
}

/** What a restart needs, from one snapshot; null where nothing was ever stored. Closed orders are not read. */
export function* readState(tradesSince: number): ReadPlan<SavedState | null> {
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
