import { expect, it } from 'vitest';
import type { DeskWorking } from '#contract/desk.ts';
import { createTerms } from '#domain/orders/order-terms.ts';
import { readOrders } from '#testing/order-rows.ts';
import { readCsv } from '#testing/read-csv.ts';
import { exportWorking } from '../export/export-working.ts';
import { toWorkingRows } from './to-working-rows.ts';

const SOURCE = { endpoint: 'desk/working', target: '/api/desk/working', answeredAt: null, receivedAt: 0, ageSeconds: 0, cache: 'unknown', requestId: null } as const;
const termsOf = createTerms([], () => null);

function readRows(parts: readonly object[], orders: readonly object[]) {
  return toWorkingRows(readOrders(orders), { source: SOURCE, parts: parts as DeskWorking['parts'], termsOf, offsetMs: 0 });
}

const PARTS = [
  { filter: { product_type: 'Future', account_id: 'A' }, count: 1, read_at: '2026-08-17T10:00:00.000Z' },
  { filter: { product_type: 'Option' }, count: 1, read_at: '2026-08-17T10:00:09.000Z' },
];
const ORDERS = [
  { id: '3', product_type: 'Option', account_id: 'A' },
  { id: '2', product_type: 'Future', account_id: 'A' },
  { id: '1', product_type: 'Future', account_id: 'B' },
];

it('each working order knows when its part was read', () => {
  const rows = readRows(PARTS, ORDERS);
  expect(rows.map(({ order, source }) => [order.id, source.answeredAt])).toEqual([
    ['3', '2026-08-17T10:00:09.000Z'],
    ['2', '2026-08-17T10:00:00.000Z'],
    // Of no part: as old as the oldest.
    ['1', '2026-08-17T10:00:00.000Z'],
  ]);
  expect(rows[0]?.asOf).toBe(Date.parse('2026-08-17T10:00:09Z'));
});

it('duplicates are counted across parts', () => {
  const rows = readRows(PARTS, [...ORDERS.slice(0, 2), { id: '9', product_type: 'Option', account_id: 'A' }]);
  expect(rows.map(({ order, duplicates }) => [order.id, duplicates])).toEqual([['9', 2], ['3', 2], ['2', 2]]);
});

it('no part means no time', () => {
  expect(readRows([], [{ id: '1' }])[0]?.source.answeredAt).toBeNull();
});

it('an export has the time of the read in each row', async () => {
  const file = await exportWorking({ rows: readRows(PARTS.slice(0, 1), [{ id: '1' }]), form: 'full', set: 'complete', signal: new AbortController().signal, report: () => undefined, pause: () => Promise.resolve() });
  const [heading = [], row = []] = readCsv(file ?? '');
  expect(row[heading.indexOf('answered_at')]).toBe('2026-08-17T10:00:00.000Z');
});
