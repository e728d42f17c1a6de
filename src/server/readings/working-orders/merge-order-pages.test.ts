import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { isVisible, toOrderFilter, type Pairs } from '#server/core/order-rows.ts';
import type { Scope } from '#server/core/viewer.ts';
import {
  mergeOrderPages,
  type OrderPage,
  type OrderSequence,
  type Place,
  planOrderReads,
  START,
} from './merge-order-pages.ts';

const toRow = (
  order: { readonly minute: number; readonly account: string; readonly firm: string; readonly connection: string },
  index: number,
): string =>
  JSON.stringify({
    id: String(index),
    time: `2026-01-01T00:${String(order.minute).padStart(2, '0')}:00Z`,
    account_id: order.account,
    clearing_firm_code: order.firm,
    connection_id: order.connection,
  });

const order = fc.record({
  minute: fc.nat(9),
  account: fc.constantFrom('A', 'B', 'C'),
  firm: fc.constantFrom('X', 'Y'),
  connection: fc.constantFrom('aa', 'bb'),
});
const codes = (...all: readonly string[]) => fc.uniqueArray(fc.constantFrom(...all)).map((list) => new Set(list));
const limitedScope = fc.record({ accounts: codes('A', 'B', 'D'), firms: codes('X'), connections: codes('bb') });

const minuteOf = (row: string): string => (JSON.parse(row) as { readonly time: string }).time;

/** Pages like an exchange: its cursor says how many orders precede a page. */
function createExchange(rows: readonly string[], largest = 3) {
  return (sequence: Pick<OrderSequence, 'filter'>, cursor: string | null, size: number): Promise<OrderPage> => {
    const all = rows.filter(toOrderFilter(sequence.filter));
    const start = Number(cursor ?? 0);
    const end = start + Math.min(size, largest);
    return Promise.resolve({ rows: all.slice(start, end), next: end < all.length ? String(end) : null });
  };
}

async function readAll(
  rows: readonly string[],
  sequences: readonly OrderSequence[],
  limits: readonly number[],
): Promise<readonly string[]> {
  const found: string[] = [];
  let places: readonly Place[] = sequences.map(() => START);
  for (let page = 0; places.some((place) => place !== null); page++) {
    const limit = limits[page % limits.length] ?? 1;
    const merged = await mergeOrderPages({
      sequences,
      places,
      limit,
      isNewestFirst: true,
      maxReads: 50,
      read: createExchange(rows),
    });
    expect(merged.rows.length).toBeLessThanOrEqual(limit);
    found.push(...merged.rows);
    places = merged.places;
  }
  return found;
}

test('each order of a scope is read once, the newest first, however pages are cut', async () => {
  const filter = fc.constantFrom<Pairs>(
    [],
    [['account_id', 'A']],
    [['account_id', 'C']],
    [['clearing_member_code', 'X']],
    [['connection_id', 'BB']],
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(order, { maxLength: 20 }),
      limitedScope,
      filter,
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
      async (orders, scope, query, limits) => {
        const rows = orders.toSorted((a, b) => b.minute - a.minute).map(toRow);
        const found = await readAll(rows, planOrderReads(query, scope), limits);
        const expected = rows.filter((row) => isVisible(scope, row) && toOrderFilter(query)(row));
        expect(found.toSorted()).toEqual(expected.toSorted());
        expect(found.map(minuteOf)).toEqual(expected.map(minuteOf));
      },
    ),
  );
});

test('newer orders that come between two pages neither repeat nor hide any', async () => {
  const rows = Array.from({ length: 9 }, (_, index) =>
    toRow({ minute: 9 - index, account: index === 0 ? 'B' : 'A', firm: 'X', connection: 'aa' }, index),
  );
  const sequences = planOrderReads([], { accounts: new Set(['A', 'B']), firms: new Set(), connections: new Set() });
  const request = { sequences, isNewestFirst: true, maxReads: 50 };
  const first = await mergeOrderPages({
    ...request,
    places: sequences.map(() => START),
    limit: 2,
    read: createExchange(rows),
  });
  const newer = [11, 12, 13, 14].map((minute, index) =>
    toRow({ minute, account: 'A', firm: 'X', connection: 'aa' }, 100 + index),
  );
  const second = await mergeOrderPages({
    ...request,
    places: first.places,
    limit: 7,
    read: createExchange([...newer, ...rows]),
  });
  expect([...first.rows, ...second.rows]).toEqual(rows);
});

test('a page that is smaller than the one before begins where that ended, with one read for each sequence', async () => {
  const rows = Array.from({ length: 2_000 }, (_, index) =>
    toRow(
      { minute: 19 - Math.floor(index / 100), account: index % 2 === 0 ? 'A' : 'B', firm: 'X', connection: 'aa' },
      index,
    ),
  );
  const sequences = planOrderReads([], { accounts: new Set(['A', 'B']), firms: new Set(), connections: new Set() });
  const read = vi.fn(createExchange(rows, 1_000));
  const request = { sequences, isNewestFirst: true, maxReads: 22, read };
  const first = await mergeOrderPages({ ...request, places: sequences.map(() => START), limit: 700 });
  read.mockClear();
  const second = await mergeOrderPages({ ...request, places: first.places, limit: 10 });
  expect(second.rows).toEqual(rows.slice(700, 720).filter((_, index) => index % 2 === 0));
  expect(read).toHaveBeenCalledTimes(2);
});

test('a page is short where its orders take too many reads, and is not the last one', async () => {
  const rows = Array.from({ length: 30 }, (_, index) =>
    toRow({ minute: 0, account: index === 1 || index === 29 ? 'A' : 'B', firm: 'X', connection: 'aa' }, index),
  );
  const scope: Scope = { accounts: new Set(['A']), firms: new Set(), connections: new Set() };
  const sequences = [{ filter: [], counts: (row: string) => isVisible(scope, row), isMixed: true }];
  const request = { sequences, limit: 5, isNewestFirst: true, maxReads: 4, read: createExchange(rows) };
  const first = await mergeOrderPages({ ...request, places: [START] });
  expect(first).toMatchObject({ rows: [rows[1]], places: [{ cursor: '12' }] });
  const second = await mergeOrderPages({ ...request, maxReads: 50, places: first.places });
  expect(second).toEqual({ rows: [rows[29]], places: [null] });
});

test('an order that is gone from where a page began after is no reason to begin anew in silence', async () => {
  const sequences = planOrderReads([], { accounts: new Set(['A']), firms: new Set(), connections: new Set() });
  const read = createExchange([toRow({ minute: 0, account: 'A', firm: 'X', connection: 'aa' }, 0)]);
  await expect(
    mergeOrderPages({
      sequences,
      places: [{ cursor: null, after: '77', size: 5 }],
      limit: 5,
      isNewestFirst: true,
      maxReads: 9,
      read,
    }),
  ).rejects.toMatchObject({ problem: { type: 'bad-parameter', parameter: 'cursor' } });
});
