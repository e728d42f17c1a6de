import { expect, it } from 'vitest';
import type { Day } from '#contract/exchange/instant.ts';
import { toComparePath, toPerpetualPath, toPriceRange } from './perpetual-path.ts';
import { PERPETUAL_PARAMS } from './perpetual-params.ts';

const today = '2026-08-17' as Day;

it.each([
  ['', '?range=7d', ''],
  ['range=24h&side=short&form=apy', '?range=24h&form=apy&side=short', '?range=24h&form=apy&side=short'],
  ['range=30d&rank=rate&pick=BTCUC', '', '?range=30d'],
  ['from=2026-06-01&to=2026-06-30', '?range=90d&from=2026-06-01&to=2026-06-30', '?from=2026-06-01&to=2026-06-30'],
  ['from=2020-01-01', '?range=all&from=2020-01-01', '?from=2020-01-01'],
])('a perpetual and the way back keep range, unit and sign: %s', (comparison, there, back) => {
  const path = toPerpetualPath('BTCUC', new URLSearchParams(comparison), today);
  expect(path).toBe(`/funding/BTCUC${there}`);
  expect(toComparePath(new URL(path, 'http://desk').searchParams)).toBe(`/funding${back}`);
});

it('the times of a carry are no range of the comparison', () => {
  expect(toComparePath(new URLSearchParams('range=1y&from=2026-08-01T08:00&to=2026-08-10T08:00'))).toBe(
    '/funding?range=1y',
  );
  expect(toComparePath(new URLSearchParams('range=all'))).toBe('/funding?range=1y');
});

it('a range chosen for a perpetual ends a custom range', () => {
  const query = new URLSearchParams('range=90d&from=2026-06-01&to=2026-06-30&contracts=2');
  PERPETUAL_PARAMS.range.write(query, '7d');
  expect(query.toString()).toBe('range=7d&contracts=2');
});

it.each([
  ['range=90d&form=apy', 'range=3M'],
  ['range=1y', 'range=1Y'],
  ['range=all', 'range=All'],
  ['range=24h', ''],
  ['', ''],
  ['range=all&from=2026-06-01&to=2026-06-30', 'from=2026-06-01&to=2026-06-30'],
  ['range=90d&from=2026-08-01T08:00&to=2026-08-10T08:00', 'range=3M'],
])('the range of funding, %s, is that of prices: %s', (funding, prices) => {
  expect(toPriceRange(new URLSearchParams(funding)).toString()).toBe(prices);
});
