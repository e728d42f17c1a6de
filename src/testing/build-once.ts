import { buildApp, trustBuiltApp } from './build-app.ts';

/** Vitest calls it before all tests. */
export async function setup(): Promise<void> {
  await buildApp();
  trustBuiltApp();
}
