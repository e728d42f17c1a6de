import type { Migration } from '#sql/migrate.ts';
import { createIndex, createTable } from '#sql/tables.ts';
import { indexes, tables } from './tables.ts';

/** The fact in which versions before the steps of a layout recorded theirs. It is internal to the store. */
export const SCHEMA_FACT = 'store schema';

export const migrations: readonly Migration[] = [
  (dialect) => [
    ...tables.map((table) => createTable(table, dialect)),
    ...Object.entries(indexes).map(([name, on]) => createIndex(name, on)),
  ],
];
