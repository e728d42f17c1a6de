import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Driver } from '#sql/driver.ts';
import { migrations, streams, trades } from './tables.ts';
import { migrate } from '#sql/migrate.ts';
import { explainSqliteErrors } from './open-store.ts';
import { openSqlite } from '#sql/sqlite.ts';

let driver: Driver;
beforeEach(async () => {
  driver = openSqlite(':memory:', explainSqliteErrors(':memory:'));
  await migrate(driver, migrations);
});
afterEach(() => driver.close());

function countOf(table: string): Promise<unknown> {
  return driver.read({ name: table, sql: `SELECT count(*) FROM ${table}`, values: [] }).then(([row]) => row?.[0]);
}

describe('the tables', () => {
  it('are unchanged when they are prepared again', async () => {
    await driver.write([{ table: trades, rows: [[1, 1, 1, 1, 1, 1]] }]);
    await migrate(driver, migrations);
    expect(await countOf('trades')).toBe(1);
  });

  it('never replace one trade by another, nor one account’s orders by another’s', async () => {
    const first = [
      { table: trades, rows: [[1, 1, 1, 1, 1, 1]] },
      { table: streams, rows: [[1, 1, 'S', 'Future', 'F', 'A', 'c']] },
    ];
    await driver.write(first);
    await expect(driver.write([{ table: trades, rows: [[1, 2, 2, 2, 2, 2]] }])).rejects.toThrow('UNIQUE');
    await expect(driver.write([{ table: streams, rows: [[1, 1, 'S', 'Future', 'F', 'B', 'c']] }])).rejects.toThrow(
      'UNIQUE',
    );
    expect(await countOf('trades')).toBe(1);
  });

  it('hold integers for money and counts, and no nulls where a value is required', async () => {
    for (const row of [
      [1, 1, 1, 1, 1, 0.5],
      [1, 1, 1, 1, 1, null],
      [1, 1, 1, 1, 1, 'much'],
    ]) {
      await expect(driver.write([{ table: trades, rows: [row] }])).rejects.toThrow(/cannot store|NOT NULL/);
    }
    expect(await countOf('trades')).toBe(0);
  });
});
