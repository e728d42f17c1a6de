import { expect, test } from 'vitest';
import { createRowReader } from '#server/core/row-list.ts';
import { createOrderConflicts } from './order-conflicts.ts';

const FIELDS = {
  ...{ id: '7', account_id: 'A', product_id: 5, side: 'Bid', price: 100, quantity_requested: 5, quantity_filled: 0 },
  last_modified: '2026-11-24T08:00:00Z',
};
const MINUTE = 60_000;

function start() {
  const conflicts = createOrderConflicts();
  const read = createRowReader('id');
  const takeAt = (at: number, ...orders: readonly object[]) => {
    conflicts.take(read([orders.map((order) => JSON.stringify({ ...FIELDS, ...order })).join(',')]), at);
    return conflicts.list();
  };
  return {
    conflicts,
    takeAt,
    take: (...orders: readonly object[]) => takeAt(0, ...orders),
    note: (at: number, ...rows: readonly object[]) => {
      conflicts.noteHistory(
        rows.map((row) => ({ ...FIELDS, ...row })),
        at,
      );
      return conflicts.list();
    },
  };
}

test.each([
  ['account', { account_id: 'B' }, 'account_id was "A" and is now "B"'],
  ['product', { product_id: 6 }, 'product_id was 5 and is now 6'],
  ['side', { side: 'Ask' }, 'side was "Bid" and is now "Ask"'],
])('an order that changes its %s is in conflict until it is gone', (_, change, reason) => {
  const { take } = start();
  expect(take({}, { id: '8' })).toEqual([]);
  const found = [
    {
      ...{ order_id: '7', field: reason.split(' ')[0], differs_from: 'earlier reading' },
      reason: `Order 7: ${reason}, which cannot happen.`,
    },
  ];
  expect(take(change, { id: '8' })).toEqual(found);
  expect(take({ ...change, price: 101 }, { id: '8' })).toEqual(found);
  expect(take({ id: '8' })).toEqual([]);
});

test('an order that is modified or only written differently is in none', () => {
  const { conflicts, take } = start();
  take({});
  expect(take({ price: 101, quantity_filled: 1 })).toEqual([]);
  const text = '{ "product_id": 5.0, "side": "Bid", "account_id": "\\u0041", "id": "7" }';
  conflicts.take(createRowReader('id')([text]), 0);
  expect(conflicts.list()).toEqual([]);
});

test('a page of the history is compared with the orders on it, however many are listed', () => {
  const conflicts = createOrderConflicts();
  const { diff } = createRowReader('id')([JSON.stringify(FIELDS)]);
  const walked = new Proxy({ keys: [], rows: [] }, { get: () => expect.fail('The list was walked.') });
  const reading = { diff, list: walked };
  conflicts.take(reading, 0);
  conflicts.noteHistory([{ id: '8' }, { ...FIELDS, side: 'Ask' }], 0);
  expect(conflicts.list()).toHaveLength(1);
});

test('an order that the history has on another side is in conflict until the history agrees', () => {
  const { conflicts, take } = start();
  take({}, { id: '8' });
  conflicts.noteHistory(
    [{ ...FIELDS, side: 'Ask' }, { ...FIELDS, id: '8', status: 'Closed' }, { id: '9' }, { id: 7 }],
    0,
  );
  const found = [
    {
      ...{ order_id: '7', field: 'side', differs_from: 'order history' },
      reason: 'Order 7: side is "Bid" among the working orders and "Ask" in the order history.',
    },
  ];
  expect(conflicts.list()).toEqual(found);
  expect(take({ price: 101 }, { id: '8' })).toEqual(found);
  conflicts.noteHistory([FIELDS], 0);
  expect(conflicts.list()).toEqual([]);
});

test.each(['price', 'quantity_requested', 'quantity_filled'])(
  'the history must have the %s of an order that neither response has changed for a minute',
  (field) => {
    const { note, takeAt } = start();
    takeAt(0, {});
    expect(note(MINUTE - 1, { [field]: 3 })).toEqual([]);
    expect(note(MINUTE, { [field]: 3, last_modified: '2026-11-24T08:00:01Z' })).toEqual([]);
    expect(note(MINUTE, { [field]: 3 })).toMatchObject([{ order_id: '7', field, differs_from: 'order history' }]);
    expect(takeAt(2 * MINUTE, { last_modified: '2026-11-24T08:02:00Z' })).toEqual([]);
    expect(note(2 * MINUTE, { [field]: 3, last_modified: '2026-11-24T08:02:00Z' })).toEqual([]);
  },
);
