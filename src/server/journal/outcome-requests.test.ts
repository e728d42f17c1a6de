import { expect, test } from 'vitest';
import type { Change } from './segment/change.ts';
import { findClosed, toOutcomeRequests } from './find-outcomes.ts';

function toRow(id: string, time: string, product = 5_599, status = 'Working'): string {
  return JSON.stringify({ symbol: 'BUSZ26', time, product_id: product, id, status });
}

function gone(id: string, time: string, product?: number): Change {
  return { kind: 'gone', id, from: 1, to: 2, row: toRow(id, time, product) };
}

test('orders of one product and day are one request, the largest group first', () => {
  const requests = toOutcomeRequests([
    gone('1', '2026-08-17T23:59:59.999999999Z'),
    gone('2', '2026-08-18T00:00:00.5Z'),
    gone('3', '2026-08-18T10:00:00Z'),
    gone('4', '2026-08-18T09:00:00Z', 7_001),
  ]);
  expect(requests).toEqual([
    { productId: '5599', begin: '2026-08-17T23:59:59.500Z', end: '2026-08-18T10:00:01.000Z', ids: new Set(['2', '3']) },
    { productId: '5599', begin: '2026-08-17T23:59:58.999Z', end: '2026-08-18T00:00:00.999Z', ids: new Set(['1']) },
    { productId: '7001', begin: '2026-08-18T08:59:59.000Z', end: '2026-08-18T09:00:01.000Z', ids: new Set(['4']) },
  ]);
});

test('an order whose row does not say when it was accepted, or in which product, cannot be looked up', () => {
  expect(
    toOutcomeRequests([
      { kind: 'gone', id: '1', from: 1, to: 2, row: '{"id":"1","time":"soon","product_id":5}' },
      { kind: 'gone', id: '2', from: 1, to: 2, row: '{"id":"2"}' },
    ]),
  ).toEqual([]);
});

test('only closed orders that are wanted explain anything', () => {
  const rows = [
    toRow('1', '2026-08-18T10:00:00Z', 5_599, 'Closed'),
    toRow('2', '2026-08-18T10:00:00Z'),
    toRow('3', '2026-08-18T10:00:00Z', 5_599, 'Closed'),
  ];
  expect([...findClosed(rows, new Set(['1', '2']))]).toEqual([['1', rows[0]]]);
});
