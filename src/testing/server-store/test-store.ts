import type { Driver, Row } from '#sql/driver.ts';
import { openSqlite } from '#sql/sqlite.ts';
import { prepareTables } from '#server/store/open-store.ts';
import { explainOpening, sqliteSentences } from '#server/store/sqlite-sentences.ts';
import { createStore, type OpenDatabase, type Store, type StoreDeps } from '#server/store/store.ts';
import { tables } from '#server/store/tables.ts';

/** A store, and its database behind it. */
export interface TestStore extends Store {
  readonly driver: Driver;
  readonly query: (sql: string) => Promise<readonly Row[]>;
  /** Makes every write fail from now on, as when the disk is full or the system has made it read-only after a fault. */
  readonly stopWrites: () => Promise<void>;
  readonly allowWrites: () => Promise<void>;
}

const quiet: StoreDeps = { now: () => 0, elapsed: () => 0, report: () => undefined };

/** Creates a store in memory whose failures are not reported. */
export async function openTestStore(deps: Partial<StoreDeps> = {}): Promise<TestStore> {
  return toTestStore(await openMemory(), deps);
}

/** Opens a database in memory. `before` are statements of an earlier version. */
export async function openMemory(before: readonly string[] = []): Promise<OpenDatabase> {
  const driver = openSqlite(':memory:', explainOpening('.perpdesk'));
  await driver.define(before);
  await prepareTables(driver);
  return { kind: 'SQLite', place: ':memory:', isShared: false, driver, ...sqliteSentences };
}

export function toTestStore(database: OpenDatabase, deps: Partial<StoreDeps> = {}): TestStore {
  const { driver, kind } = database;
  const [stop, allow] =
    kind === 'SQLite' ? [['PRAGMA query_only = 1'], ['PRAGMA query_only = 0']] : [STOP_POSTGRES, ALLOW_POSTGRES];
  return {
    ...createStore(database, { ...quiet, ...deps }),
    driver,
    query: (sql) => driver.read({ name: sql.slice(0, 60), sql, values: [] }),
    stopWrites: () => driver.define(stop),
    allowWrites: () => driver.define(allow),
  };
}

/** Makes PostgreSQL fail each write as if its disk were full. */
export const STOP_POSTGRES = [
  `CREATE OR REPLACE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '53100'; END $$`,
  ...tables.map(
    ({ name }) => `CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE OR DELETE ON ${name} EXECUTE FUNCTION disk_full()`,
  ),
];
export const ALLOW_POSTGRES = tables.map(({ name }) => `DROP TRIGGER full_disk ON ${name}`);
