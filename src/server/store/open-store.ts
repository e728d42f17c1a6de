import { type Change, columnsOf, createIndex, createTable, type Driver, type Table } from '#sql/driver.ts';
import { migrate, type Migration } from '#sql/migrate.ts';
import { openPostgres } from '#sql/postgres.ts';
import { withoutPassword } from '#sql/postgres-errors.ts';
import { openSqlite } from '#sql/sqlite.ts';
import type { StoreFailure } from '#sql/store-failure.ts';
import {
  accessIndexes,
  accessTables,
  callIndexes,
  failureIndexes,
  firstIndexes,
  firstTables,
  fundingChecks,
  fundingRevisions,
  journalSummaries,
  journalTables,
  notificationTables,
  providedTables,
  ruleAuthors,
  ruleTables,
  savedTables,
  sharedTables,
  watchTables,
  tables,
} from './tables.ts';
import { findOlder } from './join-desks.ts';
import { explainOpening, sqliteSentences, toDatabasePath } from './sqlite-sentences.ts';
import { createStore, type OpenDatabase, type Store, type StoreDeps } from './store.ts';

export interface StorePlace {
  /** The existing folder of the database, unless there is an address. */
  readonly dataDir: string;
  /** The address of a PostgreSQL database. */
  readonly databaseUrl: string | null;
}

/** Opens the store. A file stays locked while it is open; any number of desks may have PostgreSQL open. */
export async function openStore(place: StorePlace, deps: StoreDeps): Promise<Store> {
  return createStore(await openDatabase(place), deps);
}

/** @internal Exported for tests of stores. */
export async function openDatabase({ dataDir, databaseUrl }: StorePlace): Promise<OpenDatabase> {
  const database = databaseUrl === null ? openFile(dataDir) : await openAddress(databaseUrl);
  try {
    await prepareTables(database.driver);
    return database;
  } catch (error) {
    await database.driver.close();
    throw error;
  }
}

/** @internal Exported for tests of stores. */
export async function prepareTables(driver: Driver): Promise<void> {
  await migrate(driver, migrations, (usableFrom) => findOlder(usableFrom, driver.dialect));
  await driver.write(tables.map(toColumnCheck));
}

function openFile(dataDir: string): OpenDatabase {
  const place = toDatabasePath(dataDir);
  return {
    kind: 'SQLite',
    place,
    isShared: false,
    driver: openSqlite(place, explainOpening(dataDir)),
    ...sqliteSentences,
  };
}

async function openAddress(url: string): Promise<OpenDatabase> {
  return {
    kind: 'PostgreSQL',
    place: toPlace(url),
    isShared: true,
    driver: await openPostgres(url),
    event: 'database failure',
    reasonOf: messageOf,
    cannotRead: messageOf,
    cannotWrite: messageOf,
    plain: 'Perpdesk cannot use its database. Its log gives the reason, as does its Status screen for administrators.',
  };
}

/** Returns the address of a database without its password and parameters. */
export function toPlace(url: string): string {
  return withoutPassword(url).split('?')[0] ?? '';
}

function messageOf({ message }: StoreFailure): string {
  return message;
}

/** Adds nothing, and fails if a table of another program has the name but not the columns. */
function toColumnCheck(table: Table): Change {
  const columns = columnsOf(table);
  const sql = `INSERT INTO ${table.name} (${columns}) SELECT ${columns} FROM ${table.name} WHERE 1 = 0`;
  return { name: `check ${table.name}`, sql, values: [] };
}

export const migrations: readonly Migration[] = [
  creating(firstTables, firstIndexes),
  creating(journalTables),
  creating([journalSummaries]),
  creating(notificationTables, callIndexes),
  creating(ruleTables),
  creating(accessTables, accessIndexes),
  creating(savedTables),
  creating(providedTables),
  creating([ruleAuthors]),
  creating([fundingRevisions, fundingChecks]),
  creating(sharedTables, failureIndexes),
  creating(watchTables),
];

function creating(tables: readonly Table[], indexes: Readonly<Record<string, string>> = {}): Migration {
  return {
    statementsOf: (dialect) => [
      ...tables.map((table) => createTable(table, dialect)),
      ...Object.entries(indexes).map(([name, on]) => createIndex(name, on)),
    ],
  };
}
