import { expect, test } from 'vitest';
import { startPostgres } from '../postgres-server.ts';
import { startProcess } from '../start-process.ts';
import { runConformance, notPassed, VENUE_ARGUMENTS } from './run-conformance.ts';
import { CHECKS } from './suite.ts';

async function conformsOn(store: string): Promise<void> {
  const venue = await startProcess('src/venue/main.ts', [...VENUE_ARGUMENTS, '--store', store]);
  try {
    const results = await runConformance(venue.address);
    expect(notPassed(results)).toEqual([]);
    expect(results).toHaveLength(CHECKS.length);
  } finally {
    expect(await venue.stop()).toBe(0);
  }
}

test('the exchange conforms to the interface on SQLite', { timeout: 60_000 }, async () => {
  await conformsOn(':memory:');
});

test('an exchange with more working orders than one answer may hold conforms, too', { timeout: 120_000 }, async () => {
  const venue = await startProcess('src/venue/main.ts', [...VENUE_ARGUMENTS, '--working', '12000', '--store', ':memory:']);
  try {
    const results = await runConformance(venue.address);
    const told = notPassed(results);
    // Of the newest order's type there may be more than that, or fewer.
    expect(told.filter((trouble) => !trouble.includes('product_type'))).toEqual(
      ['shapes, /orders/working answers exactly its shape, as JSON', 'agreement, resting orders are in history as working, once persisted'].map(
        (title) => `not tried: ${title}: more orders rest than one answer may hold`,
      ),
    );
    expect(told.every((trouble) => trouble.startsWith('not tried: ') && trouble.endsWith('more orders rest than one answer may hold'))).toBe(true);
  } finally {
    expect(await venue.stop()).toBe(0);
  }
});

test.each(['2026-11-01T21:30:00Z', '2028-11-05T21:59:30Z'])('at %s, in a session of 25 hours, trailing statistics are right', { timeout: 60_000 }, async (clock) => {
  const venue = await startProcess('src/venue/main.ts', [...VENUE_ARGUMENTS, '--store', ':memory:', '--clock', clock]);
  try {
    const checks = CHECKS.filter(({ title }) => title.startsWith('trailing '));
    expect(checks.length).toBeGreaterThan(0);
    expect(notPassed(await runConformance(venue.address, checks))).toEqual([]);
  } finally {
    expect(await venue.stop()).toBe(0);
  }
});

test('the exchange conforms to the interface on PostgreSQL', { timeout: 120_000 }, async () => {
  const postgres = await startPostgres();
  try {
    await conformsOn(await postgres.createDatabase());
  } finally {
    await postgres.stop();
  }
});
