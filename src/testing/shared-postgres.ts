import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { createDatabaseAt, startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string;
  }
}

/** Vitest calls this before all integration tests: one server serves the whole run. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { address, stop } = await startPostgres();
  provide('postgres', address);
  return stop;
}

/** Returns the address of a new, empty database. */
export function createDatabase(): Promise<string> {
  return createDatabaseAt(inject('postgres'));
}
