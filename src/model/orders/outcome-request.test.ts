import { expect, it } from 'vitest';
import type { OrderId } from '#contract/exchange/ids.ts';
import { readOrders } from '#testing/order-rows.ts';
import { toOutcomeRequest, toTimesAround } from './outcome-request.ts';

const base = { product_id: 1, account_id: 'A-1' };

it('one request covers the orders of an hour, by their times and by what they share', () => {
  const orders = readOrders([
    { ...base, id: '1', time: '2026-08-17T11:10:00.123456789Z' },
    { ...base, id: '3', time: '2026-08-17T12:00:00Z', account_id: 'A-2' },
    { ...base, id: '2', time: '2026-08-17T11:30:00Z' },
  ]);
  expect(toOutcomeRequest(orders)).toEqual({
    order: 'desc',
    begin_time: '2026-08-17T11:09:59.123Z',
    end_time: '2026-08-17T12:00:01.000Z',
    product_id: 1,
  });
  expect(toOutcomeRequest(orders.slice(0, 1))).toMatchObject({ product_id: 1, account_id: 'A-1' });
  expect(toOutcomeRequest([])).toBeNull();
});

it('a request is never wider than an hour: it is for where most of the orders are', () => {
  const orders = readOrders([
    { ...base, id: '1', time: '2026-04-13T10:00:00Z' },
    { ...base, id: '2', time: '2026-08-16T10:00:00Z' },
    { ...base, id: '3', time: '2026-08-16T10:59:00Z', product_id: 2 },
    { ...base, id: '4', time: '2026-08-17T12:00:00Z' },
  ]);
  expect(toOutcomeRequest(orders)).toEqual({
    order: 'desc',
    begin_time: '2026-08-16T09:59:59.000Z',
    end_time: '2026-08-16T10:59:01.000Z',
    account_id: 'A-1',
  });
  const apart = orders.filter(({ id }) => id !== '3');
  expect(toOutcomeRequest(apart)).toMatchObject({
    begin_time: '2026-08-17T11:59:59.000Z',
    end_time: '2026-08-17T12:00:01.000Z',
  });
});

it('an order of which only the id is known was accepted between its neighbours by id', () => {
  const orders = readOrders([
    { id: '9', time: '2026-08-17T10:00:00Z' },
    { id: '20', time: '2026-08-17T12:00:00Z' },
    { id: '100', time: '2026-08-17T13:00:00Z' },
  ]);
  expect(toTimesAround('15' as OrderId, orders)).toEqual({
    from: '2026-08-17T09:59:59.000Z',
    to: '2026-08-17T12:00:01.000Z',
  });
  expect(toTimesAround('101' as OrderId, orders)).toEqual({ from: '2026-08-17T12:59:59.000Z', to: null });
  expect(toTimesAround('1' as OrderId, orders)).toEqual({ from: null, to: '2026-08-17T10:00:01.000Z' });
});
