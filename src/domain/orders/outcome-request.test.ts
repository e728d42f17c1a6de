import { expect, it } from 'vitest';
import { readOrders } from '#testing/order-rows.ts';
import { toOutcomeRequest } from './outcome-request.ts';

const base = { product_id: 1, account_id: 'A-1' };

it('one request covers all orders, by their times and by what they share', () => {
  const orders = readOrders([
    { ...base, id: '1', time: '2026-08-17T10:00:00.123456789Z' },
    { ...base, id: '3', time: '2026-08-17T12:00:00Z', account_id: 'A-2' },
    { ...base, id: '2', time: '2026-08-17T11:00:00Z' },
  ]);
  expect(toOutcomeRequest(orders)).toEqual({ order: 'desc', begin_time: '2026-08-17T09:59:59.123Z', end_time: '2026-08-17T12:00:01.000Z', product_id: 1 });
  expect(toOutcomeRequest(orders.slice(0, 1))).toMatchObject({ product_id: 1, account_id: 'A-1' });
  expect(toOutcomeRequest([])).toBeNull();
});
