import type { Migration } from '#sql/migrate.ts';
import { createIndex, createTable } from '#sql/tables.ts';
import { indexes, tables } from './tables.ts';

export const migrations: readonly Migration[] = [
  (dialect) => [
    ...tables.map((table) => createTable(table, dialect)),
    ...Object.entries(indexes).map(([name, on]) => createIndex(name, on)),
  ],
];
