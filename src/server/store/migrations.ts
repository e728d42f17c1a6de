import type { Table } from '#sql/driver.ts';
import type { Migration } from '#sql/migrate.ts';
import { createIndex, createTable } from '#sql/tables.ts';
import {
  accessIndexes,
  accessTables,
  callIndexes,
  callTables,
  firstIndexes,
  firstTables,
  journalSummaries,
  journalTables,
  providedTables,
  ruleAuthors,
  ruleTables,
  savedTables,
} from './tables.ts';

export const migrations: readonly Migration[] = [
  creating(firstTables, firstIndexes),
  creating(journalTables),
  creating([journalSummaries]),
  creating(callTables, callIndexes),
  creating(ruleTables),
  creating(accessTables, accessIndexes),
  creating(savedTables),
  creating(providedTables),
  creating([ruleAuthors]),
];

function creating(tables: readonly Table[], indexes: Readonly<Record<string, string>> = {}): Migration {
  return (dialect) => [
    ...tables.map((table) => createTable(table, dialect)),
    ...Object.entries(indexes).map(([name, on]) => createIndex(name, on)),
  ];
}
