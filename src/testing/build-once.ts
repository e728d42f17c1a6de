import { buildApp, trustBuiltApp } from './build-app.ts';

/** Vitest calls this before all tests. */
export async function setup(): Promise<void> {
  await buildApp();
  trustBuiltApp();
}
