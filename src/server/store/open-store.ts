import type { Change, Driver, Table } from '#sql/driver.ts';
import { migrate } from '#sql/migrate.ts';
import { openPostgres } from '#sql/postgres.ts';
import { withoutPassword } from '#sql/postgres-errors.ts';
import { openSqlite } from '#sql/sqlite.ts';
import type { StoreFailure } from '#sql/store-failure.ts';
import { columnsOf } from '#sql/tables.ts';
import { migrations } from './migrations.ts';
import { explainOpening, sqliteSentences, toDatabasePath } from './sqlite-sentences.ts';
import { createStore, type OpenDatabase, type Store, type StoreParts } from './store.ts';
import { tables } from './tables.ts';

export interface StorePlace {
  /** Has the database unless there is an address; exists. */
  readonly dataDir: string;
  /** Of a PostgreSQL database. */
  readonly databaseUrl: string | null;
}

/**
 * Opens the store. A file is locked for as long as it is open: two servers would each spend the whole budget. In
 * PostgreSQL, the last one to open it alone may write.
 */
export async function openStore(place: StorePlace, parts: StoreParts): Promise<Store> {
  return createStore(await openDatabase(place), parts);
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
  await migrate(driver, migrations);
  await driver.write(tables.map(toColumnCheck));
}

function openFile(dataDir: string): OpenDatabase {
  const place = toDatabasePath(dataDir);
  return {
    kind: 'SQLite',
    place,
    canBeTakenOver: false,
    driver: openSqlite(place, explainOpening(dataDir)),
    ...sqliteSentences,
  };
}

async function openAddress(url: string): Promise<OpenDatabase> {
  const [place = ''] = withoutPassword(url).split('?');
  return {
    kind: 'PostgreSQL',
    place,
    canBeTakenOver: true,
    driver: await openPostgres(url),
    event: 'database failure',
    reasonOf: messageOf,
    cannotRead: messageOf,
    cannotWrite: messageOf,
  };
}

function messageOf({ message }: StoreFailure): string {
  return message;
}

/** Adds nothing, and fails where a table of another program has the name but not the columns. */
function toColumnCheck(table: Table): Change {
  const columns = columnsOf(table);
  const sql = `INSERT INTO ${table.name} (${columns}) SELECT ${columns} FROM ${table.name} WHERE 1 = 0`;
  return { name: `check ${table.name}`, sql, values: [] };
}
