import { beforeEach, expect, test } from 'vitest';
import type { Pairs } from '#server/core/order-rows.ts';
import { createRowReader } from '#server/core/row-list.ts';
import { createUnlistedOrders, type UnlistedOrders } from './unlisted-orders.ts';

const MINUTE = 60_000;
const toOrder = (id: string, status = 'Working', acceptedAt = 0) => ({
  ...{ id, status, account_id: id < '5' ? 'A' : 'B', product_id: 5 },
  time: new Date(acceptedAt).toISOString(),
});
const upTo = (count: number) => Array.from({ length: count }, (_, at) => toOrder(String(at)));

let unlisted: UnlistedOrders;
let asked: Pairs[];
let readRows: ReturnType<typeof createRowReader>;
let now: number;

beforeEach(() => {
  [asked, now] = [[], 0];
  readRows = createRowReader('id');
  unlisted = createUnlistedOrders({ now: () => now, log: (_, event) => expect.fail(event) });
});

async function take(at: number, orders: readonly object[], isComplete = true): Promise<readonly string[]> {
  now = at;
  const text = orders.map((order) => JSON.stringify(order)).join(',');
  unlisted.take({ parts: [{ text, at }], isComplete, rows: readRows([text]) }, async (query) => {
    asked.push(query);
    return Promise.resolve({ rows: [], cursor: null });
  });
  await new Promise((resolve) => setImmediate(resolve));
  return unlisted.describe([], orders as never);
}

function note(at: number, ...orders: readonly object[]): readonly string[] {
  unlisted.noteHistory(orders as never, at);
  return unlisted.describe([], []);
}

const EIGHT = ['The order history has 8 working orders that are not listed.'];

test.each([
  ['empty', []],
  ['cut off', upTo(2)],
])('a first list that is %s is not complete if the history has working orders that it lacks', async (_, listed) => {
  expect(await take(MINUTE, listed)).toEqual([]);
  note(2 * MINUTE, ...upTo(10).slice(2), toOrder('11', 'Closed'));
  expect(await take(2 * MINUTE, listed)).toEqual(EIGHT);
  expect(unlisted.describe([['account_id', 'B']], [])).toEqual([
    'The order history has 5 working orders that are not listed.',
  ]);
  expect(unlisted.describe([['account_id', 'B']], upTo(9))).toEqual([
    'The order history has 1 working order that is not listed.',
  ]);
});

test('it is complete as soon as the list has them, the history has them as closed, or has not shown them for long', async () => {
  await take(MINUTE, []);
  expect(note(2 * MINUTE, ...upTo(10).slice(2))).toEqual(EIGHT);
  expect(await take(3 * MINUTE, upTo(9))).toEqual(['The order history has 1 working order that is not listed.']);
  expect(note(3 * MINUTE, toOrder('9', 'Closed'))).toEqual([]);
  expect(note(5 * MINUTE, toOrder('12'))).not.toEqual([]);
  expect(await take(15 * MINUTE, upTo(9))).not.toEqual([]);
  expect(await take(15 * MINUTE + 1, upTo(9))).toEqual([]);
});

test('an order is not missed while either response may be behind the other', async () => {
  await take(MINUTE, upTo(3));
  expect(note(2 * MINUTE - 1, toOrder('5'))).toEqual([]);
  expect(note(2 * MINUTE, toOrder('5', 'Working', 1))).toEqual([]);
  // It was closed between the two readings.
  await take(3 * MINUTE, upTo(2));
  expect(note(4 * MINUTE - 1, toOrder('2'))).toEqual([]);
  expect(note(4 * MINUTE, toOrder('2'))).toHaveLength(1);
});

test('a reading that is not complete proves nothing', async () => {
  await take(MINUTE, [], false);
  expect(note(9 * MINUTE, ...upTo(3))).toEqual([]);
});

test('the history is read a minute after the first reading, and seldom after that unless it contradicts the list', async () => {
  const listed = [toOrder('7', 'Working', 3 * MINUTE), toOrder('6', 'Working', 2 * MINUTE)];
  for (const at of [4, 4.5, 5, 6]) await take(at * MINUTE, listed);
  expect(asked).toEqual([
    [['order', 'desc']],
    [
      ['end_time', '1970-01-01T00:02:00.000Z'],
      ['order', 'desc'],
    ],
  ]);
  for (const at of [14, 15]) await take(at * MINUTE, listed);
  expect(asked).toHaveLength(4);
  note(16 * MINUTE, toOrder('1'));
  for (const at of [24, 25, 26]) {
    note(at * MINUTE, toOrder('1'));
    await take(at * MINUTE, listed);
  }
  expect(asked.slice(4)).toEqual(
    [0, 1].map(() => [
      ['product_id', '5'],
      ['account_id', 'A'],
      ['begin_time', '1969-12-31T23:59:59.000Z'],
      ['end_time', '1970-01-01T00:00:01.000Z'],
      ['order', 'desc'],
    ]),
  );
});
