import { expect, it } from 'vitest';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { Decimal } from '../units/decimal.ts';
import type { UnderlyingValue } from './underlying-value.ts';
import { toExposures } from './account-exposure.ts';

const price = {
  value: new Decimal(100),
  unit: 'USD',
  withheld: null,
  provenance: { kind: 'derived', how: '', from: [] },
} as const;
const underlying: UnderlyingValue = { of: 'product GOOD', units: new Decimal('0.5'), price, usdPerContract: 50 };
const base = { quantity_filled: 0, product_id: 1 };

it('bids and asks of each account are apart, with their difference and their sum; what has no value is counted', () => {
  const orders = readOrders([
    { ...base, id: '1', account_id: 'A', side: 'Bid', quantity_requested: 3 },
    { ...base, id: '2', account_id: 'B', side: 'Ask', quantity_requested: 1 },
    { ...base, id: '3', account_id: 'A', side: 'Ask', quantity_requested: 10 },
    { ...base, id: '4', account_id: 'A', side: 'Ask', quantity_requested: 7, product_id: 4 },
    { ...base, id: '5', account_id: 'C', side: 'Bid', quantity_requested: 7, product_id: 4 },
  ]);
  const valued = toRows(orders).map((row) =>
    row.terms.productId === 1 ? { ...row, terms: { ...row.terms, underlying } } : row,
  );
  const texts = toExposures(valued).map(({ account, orders: count, bid, ask, net, gross, unvalued }) => [
    account,
    count,
    ...[bid, ask, net, gross].map((figure) => figure?.toFixed() ?? null),
    unvalued,
  ]);
  expect(texts).toEqual([
    ['A', 3, '150', '500', '-350', '650', 1],
    ['B', 1, '0', '50', '-50', '50', 0],
    ['C', 1, null, '0', null, null, 1],
  ]);
});
