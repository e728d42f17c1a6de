import type { Dialect, Driver, Table } from './driver.ts';
import { facts, indexes, tables } from './tables.ts';

/** The version of the table layout. A higher one was written by a later version of this program. */
const SCHEMA_VERSION = 1;

/** The fact that holds the layout's version. It is internal to the store. */
export const SCHEMA_FACT = 'store schema';

function createTable({ name, columns, key, nullable }: Table, { types, tableEnd }: Dialect): string {
  const limit = (column: string): string => (nullable?.includes(column) === true ? '' : ' NOT NULL');
  const defined = Object.entries(columns).map(([column, type]) => `${column} ${types[type]}${limit(column)}`);
  return `CREATE TABLE IF NOT EXISTS ${name} (${defined.join(', ')}, PRIMARY KEY (${key.join(', ')}))${tableEnd}`;
}

/** Creates missing tables; refuses those of a later version. */
export async function prepareSchema(driver: Driver): Promise<void> {
  await driver.define([createTable(facts, driver.dialect)]);
  const found = await readVersion(driver);
  if (found === SCHEMA_VERSION) return;
  if (found !== null) throw new Error(mismatch(found));
  const created = tables.map((table) => createTable(table, driver.dialect));
  const indexed = Object.entries(indexes).map(([name, on]) => `CREATE INDEX IF NOT EXISTS ${name} ON ${on}`);
  await driver.define([...created, ...indexed]);
  await driver.write([{ table: facts, rows: [[SCHEMA_FACT, String(SCHEMA_VERSION)]] }]);
}

async function readVersion(driver: Driver): Promise<number | null> {
  const sql = 'SELECT value FROM facts WHERE name = $1';
  const [row] = await driver.read({ name: 'schema version', sql, values: [SCHEMA_FACT] });
  return row === undefined ? null : Number(row[0]);
}

function mismatch(found: number): string {
  const known = `this version reads schema ${SCHEMA_VERSION}`;
  return found > SCHEMA_VERSION
    ? `The store was written by a later version (schema ${found}; ${known}). Update the program or choose another store.`
    : `The store has a schema that is no longer supported (schema ${found}; ${known}). Choose another store.`;
}
