import { expect, it } from 'vitest';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { toFilledTotals } from './filled-totals.ts';

it('adds up what was filled by side, without signs, and counts fills without a value', () => {
  const rows = toRows(
    readOrders([
      { id: '1', side: 'Bid', product_id: 1, quantity_filled: 3, quantity_requested: 5, avg_price: 20_000 },
      {
        id: '2',
        side: 'Bid',
        product_id: 1,
        quantity_filled: 1,
        quantity_requested: 1,
        avg_price: -20_000,
        product_type: 'Spread',
      },
      { id: '3', side: 'Bid', product_id: 4, quantity_filled: 2, quantity_requested: 2, avg_price: 7 },
      { id: '4', side: 'Ask', product_id: 1, quantity_filled: 0, quantity_requested: 2, avg_price: null },
    ]),
  );
  expect(
    toFilledTotals(rows).map(({ filled, value, ...rest }) => ({
      ...rest,
      filled: filled?.toFixed(),
      value: value?.toFixed(),
    })),
  ).toEqual([
    { side: 'Bid', orders: 3, filled: '6', value: '40', unvalued: 1 },
    { side: 'Ask', orders: 1, filled: '0', value: undefined, unvalued: 0 },
  ]);
});
