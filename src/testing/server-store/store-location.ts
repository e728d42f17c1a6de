import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDatabase, type StorePlace } from '#server/store/open-store.ts';
import type { StoreDeps } from '#server/store/store.ts';
import { openMemory, toTestStore, type TestStore } from './test-store.ts';

/** A place where a store can be opened, closed and reopened. */
export interface StoreLocation {
  readonly open: (deps?: Partial<StoreDeps>) => Promise<TestStore>;
}

/** Returns an empty location each time. */
export type NewLocation = () => Promise<StoreLocation>;

/**
 * Returns a location in memory. One database stays open for the whole test: closing a store on it only ends that
 * store's writes.
 */
export async function newMemory(): Promise<StoreLocation> {
  const database = await openMemory();
  const driver = { ...database.driver, close: () => Promise.resolve() };
  return { open: (parts) => Promise.resolve(toTestStore({ ...database, driver }, parts)) };
}

export function newFile(): Promise<StoreLocation> {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-store-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return Promise.resolve(locationAt({ dataDir: folder, databaseUrl: null }));
}

export function locationAt(place: StorePlace): StoreLocation {
  return {
    open: async (parts) => {
      const { driver, ...database } = await openDatabase(place);
      let closing: Promise<void> | null = null;
      const close = (): Promise<void> => (closing ??= driver.close());
      onTestFinished(close);
      return toTestStore({ ...database, driver: { ...driver, close } }, parts);
    },
  };
}
