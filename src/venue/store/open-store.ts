import type { Store } from '../core/ports.ts';
import type { Driver } from '#sql/driver.ts';
import { openPostgres } from '#sql/postgres.ts';
import { createSqlStore, type StoreCallbacks } from './sql-store.ts';
import { explainSqliteErrors } from './sqlite-errors.ts';
import { openSqlite } from '#sql/sqlite.ts';

const POSTGRES = /^postgres(ql)?:\/\//;
const OTHER_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Opens a store: `:memory:`, the path of a file, or the address of a PostgreSQL database,
 * `postgres://user:password@host/database`.
 */
export async function openStore(spec: string, nouns: StoreCallbacks): Promise<Store> {
  const driver = await openDriver(spec);
  try {
    return await createSqlStore(driver, nouns);
  } catch (error) {
    await driver.close();
    throw error;
  }
}

/** @internal Exported for tests of stores. */
export async function openDriver(spec: string): Promise<Driver> {
  if (POSTGRES.test(spec)) return openPostgres(spec);
  if (spec === '' || OTHER_SCHEME.test(spec)) throw new Error(notAStore(spec));
  return openSqlite(spec, explainSqliteErrors(spec));
}

function notAStore(spec: string): string {
  return `The store must be :memory:, the path of a file or postgres://<user>@<host>/<database>, not "${spec}".`;
}
