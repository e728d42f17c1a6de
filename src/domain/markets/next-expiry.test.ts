import { expect, it } from 'vitest';
import type { Day } from '#contract/day.ts';
import type { DeskProduct } from '#contract/desk.ts';
import { findNextExpiry } from './next-expiry.ts';

const product = (symbol: string, final_settle_time: string | undefined, product_status = 'active', type = 'future') => ({ symbol, final_settle_time, product_status, type }) as unknown as DeskProduct;

const listed = [
  product('last', '2026-12-25T22:00:00Z'),
  product('next', '2026-11-27T22:00:00Z'),
  product('settled', '2026-11-20T22:00:00Z', 'expired'),
  product('perpetual', '2026-11-26T22:00:00Z', 'active', 'perpetual'),
  product('undated', undefined),
];

it.each([
  ['the day before', '2026-11-26', 'next'],
  ['on its last day', '2026-11-27', 'next'],
  ['once it is over, though still called active', '2026-11-28', 'last'],
  ['after all of them', '2026-12-26', undefined],
  ['without the exchange’s day', null, 'next'],
])('%s', (_, today, symbol) => {
  expect(findNextExpiry(listed, today as Day | null)?.symbol).toBe(symbol);
});

it('is none of products that never expire', () => {
  expect(findNextExpiry([product('perpetual', '2026-11-26T22:00:00Z', 'active', 'perpetual'), product('undated', undefined)], null)).toBeNull();
});
