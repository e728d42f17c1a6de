import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Order } from '#venue/core/model.ts';
import type { OrderFilter, OrdersQuery, Store } from '#venue/core/ports.ts';
import { withStore, type NewLocation } from './store-location.ts';
import {
  accounts,
  expectedIds,
  FIRST_ID,
  FIRST_NS,
  makeOrder,
  products,
  readAllPages,
  readPage,
} from './sample-orders.ts';

const COUNT = 240;
/** Orders of which three share each nanosecond. Ids do not grow with time, so that neither follows from the other. */
const closed = Array.from({ length: COUNT }, (_, n) =>
  makeOrder(n, { id: FIRST_ID + BigInt((n * 37) % COUNT), after: Math.floor(n / 3), status: 'Closed' }),
);

async function fill(store: Store, orders: readonly Order[]): Promise<void> {
  await store.commit({ orders }, { projected: true });
}

/** Returns every combination of filters, with and without matches. */
function allFilters(): readonly OrderFilter[] {
  const choices: readonly (readonly OrderFilter[])[] = [
    [{}, { productId: 2 }],
    [{}, ...products.map(({ symbol }) => ({ symbol }))],
    [{}, { productType: 'Future' }, { productType: 'Spread' }, { productType: 'Option' }],
    [{}, { firm: 'NORTH' }, { firm: 'nobody' }],
    [{}, { accountId: 'A-2' }],
    [{}, { connectionId: 'b2' }],
    [{}, { accounts: [] }, { accounts: ['A-1', 'A-3'] }, { accounts: accounts.map(({ id }) => id) }],
  ];
  return choices.reduce<readonly OrderFilter[]>(
    (sofar, more) => sofar.flatMap((filter) => more.map((each) => ({ ...filter, ...each }))),
    [{}],
  );
}

/** Returns orders of a hundred accounts in 400 streams, and of another account that has all of the nearest orders. */
function manyStreams(): readonly Order[] {
  const account = (name: number) => ({ id: `M-${String(name)}`, firm: 'MANY', connectionId: 'c3' });
  const old = Array.from({ length: 400 }, (_, n) =>
    makeOrder(n, { account: account(n % 100), productId: 1 + (n % 4) }),
  );
  const near = Array.from({ length: 2_100 }, (_, n) =>
    makeOrder(1_000 + n, { account: { id: 'ONE', firm: 'ONE', connectionId: 'd4' } }),
  );
  return [...old, ...near];
}

export function orderPagesSuite(newPlace: NewLocation, propertyRuns: number): void {
  describe('pages of orders', () => {
    it(
      'return exactly the orders that match each combination of filters',
      () =>
        withStore(newPlace, async (store) => {
          await fill(store, closed);
          const filters = allFilters();
          expect(filters.length).toBeGreaterThan(900);
          for (const filter of filters) {
            const { rows } = await readPage(store, { filter });
            expect(
              rows.map(({ id }) => id),
              JSON.stringify(filter),
            ).toEqual(expectedIds(closed, { filter }));
          }
        }),
      60_000,
    );

    it.each(['asc', 'desc'] as const)(
      'return every order once, %s, where a page ends between orders of the same instant',
      (direction) =>
        withStore(newPlace, async (store) => {
          await fill(store, closed);
          for (const filter of [{}, { firm: 'NORTH' }, { accountId: 'A-3' }]) {
            for (const limit of [1, 2, 7]) {
              const query = { filter, direction, limit };
              expect(await readAllPages(store, query)).toEqual(expectedIds(closed, query));
            }
          }
        }),
      60_000,
    );

    it('include the start of a range and exclude its end', () =>
      withStore(newPlace, async (store) => {
        await fill(store, closed);
        const at = (after: number) => FIRST_NS + BigInt(after);
        for (const direction of ['asc', 'desc'] as const) {
          for (const [from, until] of [
            [0, 1],
            [10, 20],
            [79, 500],
            [-5, 2],
            [20, 20],
            [300, 400],
          ] as const) {
            const query = { direction, fromNs: at(from), untilNs: at(until), limit: 4 };
            expect(await readAllPages(store, query)).toEqual(expectedIds(closed, query));
            const filtered = { ...query, filter: { connectionId: 'b2' } };
            expect(await readAllPages(store, filtered)).toEqual(expectedIds(closed, filtered));
          }
        }
      }));

    it('stay within the range when they continue from a position outside it', () =>
      withStore(newPlace, async (store) => {
        await fill(store, closed);
        const range = { fromNs: FIRST_NS + 10n, untilNs: FIRST_NS + 20n };
        const before = { timeNs: FIRST_NS, id: FIRST_ID + 100n };
        const behind = { timeNs: FIRST_NS + 70n, id: FIRST_ID + 100n };
        const ids = async (query: Partial<OrdersQuery>) =>
          (await readPage(store, { ...range, ...query })).rows.map(({ id }) => id);
        expect(await ids({ direction: 'asc', after: before })).toEqual(
          expectedIds(closed, { ...range, direction: 'asc' }),
        );
        expect(await ids({ direction: 'desc', after: behind })).toEqual(expectedIds(closed, range));
        expect(await ids({ direction: 'asc', after: behind })).toEqual([]);
        expect(await ids({ direction: 'desc', after: before })).toEqual([]);
      }));

    it('sort ids above 2^53 of the same instant by all of their digits', () =>
      withStore(newPlace, async (store) => {
        const ids = [2n ** 63n - 1n, 2n ** 53n + 1n, 2n ** 53n, 2n ** 63n - 2n, FIRST_ID + 1n, FIRST_ID];
        await fill(
          store,
          ids.map((id) => makeOrder(0, { id })),
        );
        const sorted = ids.toSorted((a, b) => (a < b ? -1 : 1)).map(String);
        expect(await readAllPages(store, { direction: 'asc', limit: 1 })).toEqual(sorted);
        expect(await readAllPages(store, { direction: 'desc', limit: 1 })).toEqual(sorted.toReversed());
      }));

    it('find rare orders of many accounts and products behind thousands of others', () =>
      withStore(newPlace, async (store) => {
        const orders = manyStreams();
        await fill(store, orders);
        for (const direction of ['asc', 'desc'] as const) {
          const query = { filter: { firm: 'MANY' }, direction, limit: 37 };
          expect(await readAllPages(store, query)).toEqual(expectedIds(orders, query));
        }
      }));

    it('have the position of the last row, or null without rows', () =>
      withStore(newPlace, async (store) => {
        expect(await store.ordersPage({ filter: {}, direction: 'asc', limit: 5 })).toEqual({
          rows: '',
          count: 0,
          last: null,
        });
        await fill(store, closed);
        const { count, last } = await readPage(store, { direction: 'asc', limit: 5 });
        const id = BigInt(expectedIds(closed, { direction: 'asc' })[4] ?? 0);
        expect({ count, last }).toEqual({ count: 5, last: { timeNs: FIRST_NS + 1n, id } });
      }));

    it('show every order once to a reader, whatever arrives and changes meanwhile', async () => {
      const runs = fc.asyncProperty(
        fc.constantFrom('asc' as const, 'desc' as const),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 25 }),
        fc.array(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 4 }), { maxLength: 8 }),
        fc.constantFrom<OrderFilter>({}, { accounts: ['A-1', 'A-2'] }),
        (direction, limit, gaps, arrivals, filter) =>
          withStore(newPlace, (store) => readWhileOrdersArrive(store, { direction, limit, filter }, gaps, arrivals)),
      );
      await fc.assert(runs, { numRuns: propertyRuns });
    }, 120_000);
  });
}

async function readWhileOrdersArrive(
  store: Store,
  query: Pick<OrdersQuery, 'direction' | 'limit' | 'filter'>,
  gaps: readonly number[],
  arrivals: readonly (readonly number[])[],
): Promise<void> {
  const orders: Order[] = [];
  let after = 0;
  const arrive = async (more: readonly number[]): Promise<void> => {
    const arriving = more.map((gap, i) => makeOrder(orders.length + i, { after: (after += gap) }));
    const ended = orders
      .filter((_, i) => i % 3 === 0)
      .map((order): Order => ({ ...order, status: 'Closed', filled: order.filled + 1 }));
    orders.push(...arriving);
    await store.commit({ orders: [...arriving, ...ended] });
    await store.project(FIRST_NS + BigInt(after));
  };
  await arrive(gaps);
  const initially = expectedIds(orders, query);
  const remaining = [...arrivals];
  const seen = await readAllPages(store, query, () => arrive(remaining.shift() ?? []));
  const visibleInTheEnd = expectedIds(orders, query);
  // Backward in time, orders newer than the first page are not included. Forward, those that arrive in time are.
  if (query.direction === 'desc') expect(seen).toEqual(initially);
  else expect(seen).toEqual(visibleInTheEnd.slice(0, seen.length));
  expect(seen.length).toBeGreaterThanOrEqual(initially.length);
}
