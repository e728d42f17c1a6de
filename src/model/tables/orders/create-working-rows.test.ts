import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTerms } from '../../orders/order-terms.ts';
import type { Order } from '#contract/exchange/order.ts';
import { diffRows, type RowDiff } from '#contract/parse/row-diff.ts';
import type { OrderRow } from '../../orders/order-row.ts';
import { compareNewest } from '../../orders/working-set.ts';
import { orderLists, readOrders } from '#testing/order-rows.ts';
import { readCsv } from '#testing/read-csv.ts';
import { exportWorking } from './export-working.ts';
import { createWorkingRows, type OrderReading } from './create-working-rows.ts';

const SOURCE = {
  endpoint: 'desk/working',
  target: '/api/desk/working',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 0,
  cache: 'unknown',
  requestId: null,
} as const;
const termsOf = createTerms([], () => null);

function toReading(parts: readonly object[], orders: readonly Order[]): OrderReading {
  return { orders, source: SOURCE, parts: parts as unknown as OrderReading['parts'], termsOf, offsetMs: 0 };
}

function readRows(parts: readonly object[], orders: readonly object[]) {
  return createWorkingRows()(toReading(parts, readOrders(orders))).rows;
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
  expect(rows.map(({ order, source }) => [order.id, source.respondedAt])).toEqual([
    ['3', '2026-08-17T10:00:09.000Z'],
    ['2', '2026-08-17T10:00:00.000Z'],
    // An order outside all parts is as old as the oldest part.
    ['1', '2026-08-17T10:00:00.000Z'],
  ]);
  expect(rows[0]?.asOf).toBe(Date.parse('2026-08-17T10:00:09Z'));
});

it('duplicates are counted across parts', () => {
  const rows = readRows(PARTS, [...ORDERS.slice(0, 2), { id: '9', product_type: 'Option', account_id: 'A' }]);
  expect(rows.map(({ order, duplicates }) => [order.id, duplicates])).toEqual([
    ['9', 2],
    ['3', 2],
    ['2', 2],
  ]);
});

it('no part means no time', () => {
  expect(readRows([], [{ id: '1' }])[0]?.source.respondedAt).toBeNull();
});

it('an export has the time of the read in each row', async () => {
  const file = await exportWorking({
    rows: readRows(PARTS.slice(0, 1), [{ id: '1' }]),
    form: 'full',
    set: 'complete',
    signal: new AbortController().signal,
    report: () => undefined,
    pause: () => Promise.resolve(),
  });
  const [heading = [], row = []] = readCsv(file ?? '');
  expect(row[heading.indexOf('responded_at')]).toBe('2026-08-17T10:00:00.000000000Z');
});

/** Returns the next list as the page has it after a push: unchanged orders are the same objects in the same places. */
function follow(before: readonly Order[], next: readonly Order[]): readonly Order[] {
  const isSame = (one: Order, other: Order): boolean => JSON.stringify(one) === JSON.stringify(other);
  const kept = before.flatMap((order) =>
    next.filter(({ id }) => id === order.id).map((now) => (isSame(order, now) ? order : now)),
  );
  return [...kept, ...next.filter(({ id }) => !before.some((order) => order.id === id))];
}

function countLike(order: Order, orders: readonly Order[], fields: readonly (keyof Order)[]): number {
  return orders.filter(
    (other) => other !== order && fields.every((field) => String(other[field]) === String(order[field])),
  ).length;
}

/** Applies a difference to the orders of some rows. */
function applied(rows: readonly OrderRow[], { added, changed, gone }: RowDiff<OrderRow>): ReadonlySet<Order> {
  const orders = new Set(rows.map(({ order }) => order));
  for (const { order } of [...gone, ...changed.map(([before]) => before)]) expect(orders.delete(order)).toBe(true);
  for (const { order } of [...added, ...changed.map(([, after]) => after)]) orders.add(order);
  return orders;
}

const SAME = ['account_id', 'product_id', 'side', 'price'] as const;
const otherTerms = createTerms([], () => null);
const readings = fc.array(
  fc.record({
    list: orderLists,
    isPushed: fc.boolean(),
    parts: fc.constantFrom(PARTS, PARTS.slice(0, 1), PARTS.toReversed(), []),
    terms: fc.constantFrom(termsOf, otherTerms),
  }),
  { maxLength: 6 },
);

it('after any sequence of readings, rows are those of the last one alone', () => {
  fc.assert(
    fc.property(readings, (sequence) => {
      const toRows = createWorkingRows();
      let [orders, last]: [readonly Order[], readonly OrderRow[] | null] = [[], null];
      for (const { list, isPushed, parts, terms } of sequence) {
        const next = readOrders(list);
        const from = orders;
        orders = isPushed ? follow(orders, next) : next;
        const change = isPushed ? { from, diff: diffRows(from, orders, ({ id }) => id) } : undefined;
        const reading = { ...toReading(parts, orders), change, termsOf: terms };
        const { rows, from: before, diff } = toRows(reading);
        expect(rows).toEqual(createWorkingRows()({ ...reading, orders: next, change: undefined }).rows);
        expect(before).toBe(last ?? before);
        expect(applied(before, diff)).toEqual(new Set(rows.map(({ order }) => order)));
        last = rows;
        expect(rows.map(({ order }) => order)).toEqual(orders.toSorted(compareNewest));
        expect(rows.every((row) => row.terms === terms(row.order))).toBe(true);
        expect(rows.map(({ duplicates, twins }) => [duplicates, twins])).toEqual(
          rows.map(({ order }) => [
            countLike(order, orders, SAME),
            countLike(order, orders, [...SAME, 'quantity_requested']),
          ]),
        );
      }
    }),
  );
});

it('what is known of an order is computed anew only where the order changed', () => {
  const orders = readOrders([{ id: '1' }, { id: '2' }, { id: '3' }]);
  const asked: string[] = [];
  const counting: typeof termsOf = (order) => {
    asked.push(order.id);
    return termsOf(order);
  };
  const toRows = createWorkingRows();
  const { rows } = toRows({ ...toReading(PARTS, orders), termsOf: counting });
  asked.length = 0;
  const next = follow(orders, readOrders([{ id: '1' }, { id: '2', price: 7 }, { id: '4' }]));
  const after = toRows({ ...toReading(PARTS, next), termsOf: counting }).rows;
  expect(after.filter((row) => rows.includes(row)).map(({ order }) => order.id)).toEqual(['1']);
  expect(asked.toSorted()).toEqual(['2', '4']);
});

it('a row that leaves says what it said last, whatever those that stay say by then', () => {
  const at = (readAt: string) => [{ filter: {}, count: 2, read_at: readAt }];
  const [first, then] = ['2026-08-17T10:00:00.000Z', '2026-08-17T10:00:05.000Z'];
  const orders = readOrders([{ id: '2' }, { id: '1' }]);
  const toRows = createWorkingRows();
  const { rows } = toRows(toReading(at(first), orders));
  const { diff } = toRows(toReading(at(then), orders.slice(1)));
  expect(diff.gone).toMatchObject([{ order: { id: '2' }, source: { respondedAt: first }, duplicates: 1 }]);
  expect([rows[1]?.source.respondedAt, rows[1]?.duplicates]).toEqual([then, 0]);
});
