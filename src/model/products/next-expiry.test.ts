import { expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { findNextExpiry } from './next-expiry.ts';

const product = (symbol: string, final_settle_time: string | undefined, product_status = 'active', type = 'future') =>
  ({ symbol, final_settle_time, product_status, type }) as unknown as DeskProduct;

const listed = [
  product('last', '2026-12-25T22:00:00Z'),
  product('next', '2026-11-27T22:00:00Z'),
  product('settled', '2026-11-20T22:00:00Z', 'expired'),
  product('perpetual', '2026-11-26T22:00:00Z', 'active', 'perpetual'),
  product('undated', undefined),
];

it.each([
  ['the day before', '2026-11-26T12:00:00Z', 'next'],
  ['on its last day', '2026-11-27T21:59:00Z', 'next'],
  ['once it is over, though still called active', '2026-11-27T22:01:00Z', 'last'],
  ['after all of them', '2026-12-26T00:00:00Z', undefined],
  ['without the exchange’s time', null, 'next'],
])('%s', (_, now, symbol) => {
  expect(findNextExpiry(listed, now === null ? null : Date.parse(now))?.symbol).toBe(symbol);
});

it('is none of products that never expire', () => {
  expect(
    findNextExpiry(
      [product('perpetual', '2026-11-26T22:00:00Z', 'active', 'perpetual'), product('undated', undefined)],
      null,
    ),
  ).toBeNull();
});
