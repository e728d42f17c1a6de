import { expect, test } from 'vitest';
import { runConformance, notPassed, startVenue } from './run-conformance.ts';
import { CHECKS } from './suite.ts';

test('the exchange conforms to the interface', { timeout: 60_000 }, async () => {
  const venue = await startVenue();
  try {
    const results = await runConformance(venue.address);
    expect(notPassed(results)).toEqual([]);
    expect(results).toHaveLength(CHECKS.length);
  } finally {
    expect(await venue.stop()).toBe(0);
  }
});

test('an exchange with more working orders than one response may hold conforms', { timeout: 120_000 }, async () => {
  const venue = await startVenue(['--working', '12000']);
  try {
    const results = await runConformance(venue.address);
    const findings = notPassed(results);
    // The orders of the newest order's type may be more or fewer than the limit.
    expect(findings.filter((finding) => !finding.includes('product_type'))).toEqual(
      [
        'shapes, /orders/working matches its schema, as JSON',
        'agreement, orders that the history shows as working are in the working set',
      ].map((title) => `skipped: ${title}: more orders are working than one response may hold`),
    );
    expect(
      findings.every(
        (finding) =>
          finding.startsWith('skipped: ') && finding.endsWith('more orders are working than one response may hold'),
      ),
    ).toBe(true);
  } finally {
    expect(await venue.stop()).toBe(0);
  }
});

const sessionPrices = CHECKS.filter(({ area }) => area === 'session prices');
const figures = [...sessionPrices, ...CHECKS.filter(({ title }) => title.startsWith('trailing '))];

test.each([
  ['as funding settles at midnight', '2026-08-20T00:00:00Z'],
  ['a second before a settlement', '2026-08-19T20:59:59Z'],
  ['at a settlement', '2026-08-19T21:00:00Z'],
  ['in the session in which clocks go forward', '2026-03-08T20:30:00Z'],
  ['in a session of 25 hours', '2026-11-01T21:30:00Z'],
  ['at the end of a session of 25 hours', '2028-11-05T21:59:30Z'],
])('%s (%s), session prices agree and trailing statistics are right', { timeout: 60_000 }, async (_, clock) => {
  const venue = await startVenue(['--clock', clock]);
  try {
    expect(figures.length).toBeGreaterThan(sessionPrices.length);
    expect(notPassed(await runConformance(venue.address, figures))).toEqual([]);
  } finally {
    expect(await venue.stop()).toBe(0);
  }
});

async function lastSettledDay(address: string): Promise<unknown> {
  const response = await fetch(`${address}/web/charts/price/5614`);
  return ((await response.json()) as readonly { readonly date: string }[]).at(-1)?.date;
}

test('session prices agree in a live market, while it settles and after', { timeout: 60_000 }, async () => {
  expect(sessionPrices.length).toBeGreaterThan(0);
  const venue = await startVenue(['--live', 'on', '--clock', '2026-08-19T20:59:30Z', '--speed', '20']);
  try {
    let before: unknown;
    do {
      before = await lastSettledDay(venue.address);
      expect(notPassed(await runConformance(venue.address, sessionPrices))).toEqual([]);
    } while (before !== '2026-08-19');
  } finally {
    expect(await venue.stop()).toBe(0);
  }
});
