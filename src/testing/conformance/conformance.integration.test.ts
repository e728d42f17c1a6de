import { expect, test } from 'vitest';
import { startPostgres } from '../postgres-server.ts';
import { runConformance, notPassed, startVenue } from './run-conformance.ts';
import { CHECKS } from './suite.ts';

async function conformsOn(store: string): Promise<void> {
  const venue = await startVenue(['--store', store]);
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

test('an exchange with more working orders than one response may hold conforms', { timeout: 120_000 }, async () => {
  const venue = await startVenue(['--working', '12000']);
  try {
    const results = await runConformance(venue.address);
    const findings = notPassed(results);
    // The orders of the newest order's type may be more than the limit, or fewer.
    expect(findings.filter((finding) => !finding.includes('product_type'))).toEqual(
      ['shapes, /orders/working matches its schema, as JSON', 'agreement, orders that the history shows as working are in the working set'].map(
        (title) => `skipped: ${title}: more orders are working than one response may hold`,
      ),
    );
    expect(findings.every((finding) => finding.startsWith('skipped: ') && finding.endsWith('more orders are working than one response may hold'))).toBe(true);
  } finally {
    expect(await venue.stop()).toBe(0);
  }
});

test.each(['2026-11-01T21:30:00Z', '2028-11-05T21:59:30Z'])('at %s, in a session of 25 hours, trailing statistics are right', { timeout: 60_000 }, async (clock) => {
  const venue = await startVenue(['--clock', clock]);
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
