import { expect, it } from 'vitest';
import { readOrders, readOrderText } from '#testing/order-rows.ts';
import type { Order } from '#contract/exchange/order.ts';
import { createRepetitionCount } from './duplicates.ts';

function count(orders: readonly Order[]) {
  const repetitions = createRepetitionCount();
  const each = orders.map(repetitions.add);
  return {
    ...repetitions,
    duplicates: () => each.map(({ duplicates }) => duplicates.others),
    twins: () => each.map(({ twins }) => twins.others),
  };
}

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
  const counts = count(orders);
  expect(counts.duplicates()).toEqual([2, 2, 2, 0, 0, 0, 0]);
  expect(counts.twins()).toEqual([1, 0, 1, 0, 0, 0, 0]);
  for (const order of orders.slice(0, 1)) counts.remove(order);
  expect([counts.duplicates().slice(1, 3), counts.twins().slice(1, 3)]).toEqual([
    [1, 1],
    [0, 0],
  ]);
});

it('distinguishes prices that are equal as floats', () => {
  const [order] = readOrders([{ id: '1', price: 12_345 }]);
  const orders = readOrderText(
    `[${['9007199254740992', '9007199254740993'].map((price) => JSON.stringify(order).replace('12345', price)).join()}]`,
  );
  expect(count(orders).duplicates()).toEqual([0, 0]);
});
