import { describe, expect, it } from 'vitest';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { toOrderDepth, toSpread, withinOf } from './order-depth.ts';

function spreadOf(product: number, ...orders: readonly (readonly [side: 'Bid' | 'Ask', price: number])[]) {
  const fields = orders.map(([side, price], index) => ({
    id: String(index + 1),
    product_id: product,
    side,
    price,
    quantity_requested: 1,
    quantity_filled: 0,
  }));
  const spread = toSpread(toOrderDepth(toRows(readOrders(fields))));
  return spread && [spread.ticks.toFixed(), spread.usd?.toFixed() ?? null];
}

describe('the spread', () => {
  it.each([
    [
      'lies between the best prices of both sides',
      1,
      [
        ['Bid', 100],
        ['Bid', 60],
        ['Ask', 150],
        ['Ask', 130],
      ],
      ['30', '1.5'],
    ],
    [
      'is negative where orders cross',
      1,
      [
        ['Bid', 100],
        ['Ask', 80],
      ],
      ['-20', '-1'],
    ],
    [
      'is in ticks where prices are',
      4,
      [
        ['Bid', 100],
        ['Ask', 130],
      ],
      ['30', null],
    ],
    ['is null where a side is empty', 1, [['Bid', 100]], null],
  ] as const)('%s', (_, product, orders, expected) => {
    expect(spreadOf(product, ...orders)).toEqual(expected);
  });
});

it('within a share of the market price it keeps cumulative quantities, and counts the orders beyond', () => {
  const order = { product_id: 1, status: 'Working', quantity_requested: 2, quantity_filled: 0, avg_price: null };
  const prices = [
    ['Bid', 95],
    ['Bid', 80],
    ['Bid', 79],
    ['Ask', 120],
    ['Ask', 121],
    ['Ask', 121],
  ] as const;
  const rows = toRows(readOrders(prices.map(([side, price], index) => ({ ...order, id: String(index), side, price }))));
  const { bids, asks, beyond } = withinOf(toOrderDepth(rows), 100, 0.2);
  expect([...bids, ...asks].map(({ ticks, cumulative }) => [ticks.toNumber(), cumulative])).toEqual([
    [95, 2],
    [80, 4],
    [120, 2],
  ]);
  expect(beyond).toBe(3);
});
