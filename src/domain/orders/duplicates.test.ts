import { expect, it } from 'vitest';
import { readOrders, readOrderText } from '#testing/order-rows.ts';
import { createRepetitionCount } from './duplicates.ts';

it('counts other orders with the same account, product, side and price, and those of the same quantity', () => {
  const first = { id: '1', product_id: 1, account_id: 'A', side: 'Bid', price: 100, quantity_requested: 5 };
  const orders = readOrders([
    first,
    { ...first, id: '2', quantity_requested: 7 },
    { ...first, id: '3' },
    { ...first, id: '4', account_id: 'B' },
    { ...first, id: '5', product_id: 2 },
    { ...first, id: '6', side: 'Ask' },
    { ...first, id: '7', price: 101 },
  ]);
  const counts = orders.map(createRepetitionCount(orders));
  expect(counts.map(({ duplicates }) => duplicates)).toEqual([2, 2, 2, 0, 0, 0, 0]);
  expect(counts.map(({ twins }) => twins)).toEqual([1, 0, 1, 0, 0, 0, 0]);
});

it('distinguishes prices that are equal as floats', () => {
  const [order] = readOrders([{ id: '1', price: 12_345 }]);
  const orders = readOrderText(`[${['9007199254740992', '9007199254740993'].map((price) => JSON.stringify(order).replace('12345', price)).join()}]`);
  expect(orders.map(createRepetitionCount(orders)).map(({ duplicates }) => duplicates)).toEqual([0, 0]);
});
