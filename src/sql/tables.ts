import type { Dialect, Table } from './driver.ts';

/** Leaves a table that exists as it is. */
export function createTable({ name, columns, key, nullable }: Table, { types, tableEnd }: Dialect): string {
  const limit = (column: string): string => (nullable?.includes(column) === true ? '' : ' NOT NULL');
  const defined = Object.entries(columns).map(([column, type]) => `${column} ${types[type]}${limit(column)}`);
  return `CREATE TABLE IF NOT EXISTS ${name} (${defined.join(', ')}, PRIMARY KEY (${key.join(', ')}))${tableEnd}`;
}

/** `on` is a table with columns, such as `orders (account, time_ns)`. */
export function createIndex(name: string, on: string): string {
  return `CREATE INDEX IF NOT EXISTS ${name} ON ${on}`;
}

/** The columns of a table for a select. */
export function columnsOf({ columns }: Table): string {
  return Object.keys(columns).join(', ');
}
