import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Read } from '#sql/driver.ts';
import type { IndexRanges } from './streams.ts';
import { allRead, mergeRead, nearestRead, type PageBounds } from './order-pages.ts';
import { migrations } from './tables.ts';
import { migrate } from '#sql/migrate.ts';
import { explainSqliteErrors } from './open-store.ts';
import { openSqlite } from '#sql/sqlite.ts';

const driver = openSqlite(':memory:', explainSqliteErrors(':memory:'));
beforeAll(() => migrate(driver, migrations));
afterAll(() => driver.close());

async function planOf({ name, sql, values }: Read): Promise<readonly string[]> {
  const rows = await driver.read({ name: `plan of ${name}`, sql: `EXPLAIN QUERY PLAN ${sql}`, values });
  return rows.map(([, , , detail]) => String(detail));
}

const place = { timeNs: 1n, id: 1n };
const lanes: readonly IndexRanges[] = [
  { column: 'stream', values: [1, 2, 3] },
  { column: 'account', values: ['A-1', 'A-2'] },
  { column: 'product_id', values: [1] },
];

/** Matches a full scan of a table or index, or a sort. */
const costly = /^SCAN orders|TEMP B-TREE/;

describe.each(['asc', 'desc'] as const)('a page of orders %s', (direction) => {
  const cut: PageBounds = { range: { above: place, below: place }, direction, limit: 100 };

  it('is read from its position, between both of its ends, and never sorted', async () => {
    expect(await planOf(allRead(cut))).toEqual([
      'SEARCH orders USING PRIMARY KEY ((time_ns,id)>(?,?) AND (time_ns,id)<(?,?))',
    ]);
  });

  it.each(lanes)('is merged by $column from index ranges, and never sorted', async (some) => {
    const plan = await planOf(mergeRead(some, cut));
    const searches = plan.filter((detail) => detail.startsWith('SEARCH orders'));
    expect(searches.length).toBeGreaterThanOrEqual(some.values.length);
    const search = `(${some.column}=? AND (time_ns,id)>(?,?) AND (time_ns,id)<(?,?))`;
    expect(searches.filter((detail) => !detail.endsWith(search))).toEqual([]);
    expect(plan.filter((detail) => costly.test(detail))).toEqual([]);
  });

  it.each(lanes)('searches by $column through no more than the nearest orders', async (some) => {
    const plan = await planOf(nearestRead(some, cut));
    expect(plan).toContain('SEARCH orders USING PRIMARY KEY ((time_ns,id)>(?,?) AND (time_ns,id)<(?,?))');
    expect(plan.filter((detail) => costly.test(detail))).toEqual([]);
  });
});
