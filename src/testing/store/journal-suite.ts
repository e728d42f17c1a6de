import { describe, expect, it } from 'vitest';
import type { Order, Trade } from '#venue/core/model.ts';
import { withStore, type NewLocation } from './store-location.ts';
import { FIRST_NS, makeOrder, readPage, stateOf } from './sample-orders.ts';

const END_OF_TIME = 2n ** 62n;
const trade: Trade = { productId: 1, time: 5, price: 100, quantity: 2, cents: 200 };

export function filledIn(order: Order, filled: number, lastModifiedNs: bigint): Order {
  const status = filled === order.requested ? 'Closed' : 'Working';
  return { ...order, filled, filledTicks: filled * order.price, status, lastModifiedNs };
}

export function journalSuite(newPlace: NewLocation): void {
  describe('order changes', () => {
    it('are invisible until their time is projected, and are returned in order of arrival', () =>
      withStore(newPlace, async (store) => {
        const [first, second] = [makeOrder(1), makeOrder(2)];
        await store.commit({ orders: [first, second] });
        expect((await readPage(store)).rows).toEqual([]);
        expect(await store.project(first.lastModifiedNs - 1n)).toEqual([]);
        expect(await store.project(first.lastModifiedNs)).toEqual([first]);
        expect((await readPage(store)).rows).toEqual([stateOf(first)]);
        expect(await store.project(END_OF_TIME)).toEqual([second]);
        expect(await store.project(END_OF_TIME)).toEqual([]);
        expect((await readPage(store)).rows).toEqual([stateOf(second), stateOf(first)]);
      }));

    it('show an order as of the projected instant, not in its current state', () =>
      withStore(newPlace, async (store) => {
        const order = makeOrder(1);
        const half = filledIn(order, 5, order.timeNs + 10n);
        const whole = filledIn(order, 10, order.timeNs + 20n);
        await store.commit({ orders: [order, half] });
        await store.commit({ orders: [whole] });
        await store.project(order.timeNs);
        expect((await readPage(store)).rows).toEqual([stateOf(order)]);
        await store.project(half.lastModifiedNs);
        expect((await readPage(store)).rows).toEqual([stateOf(half)]);
        await store.project(END_OF_TIME);
        expect((await readPage(store)).rows).toEqual([stateOf(whole)]);
      }));

    it('of one instant replace one another in order of arrival', () =>
      withStore(newPlace, async (store) => {
        const order = makeOrder(1);
        const whole = filledIn(order, 10, order.timeNs);
        await store.commit({ orders: [order, filledIn(order, 3, order.timeNs), whole] });
        expect(await store.project(order.timeNs)).toHaveLength(3);
        expect((await readPage(store)).rows).toEqual([stateOf(whole)]);
        expect((await store.load(0))?.working).toEqual([]);
      }));

    it('are visible at once if they are committed as projected', () =>
      withStore(newPlace, async (store) => {
        const order = makeOrder(1, { status: 'Closed' });
        await store.commit({ orders: [order] }, { projected: true });
        expect((await readPage(store)).rows).toEqual([stateOf(order)]);
        expect(await store.project(END_OF_TIME)).toEqual([]);
      }));

    it('leave the working orders in the book with every field, visible or not', () =>
      withStore(newPlace, async (store) => {
        const orders = Array.from({ length: 12 }, (_, n) => makeOrder(n));
        const changes = orders.map((order, n) => filledIn(order, n < 4 ? 10 : n % 10, order.timeNs + 100n));
        await store.commit({ orders }, { projected: true });
        await store.commit({ orders: changes });
        expect((await store.load(0))?.working).toEqual(changes.slice(4));
      }));

    it('keep negative prices and sums, and the largest integers', () =>
      withStore(newPlace, async (store) => {
        const order = makeOrder(3, {
          price: -25,
          filled: 2,
          filledTicks: Number.MIN_SAFE_INTEGER,
          requested: Number.MAX_SAFE_INTEGER,
        });
        await store.commit({ orders: [order] });
        expect((await store.load(0))?.working).toEqual([order]);
      }));
  });

  describe('a commit that fails', () => {
    const invalid = { ...trade, quantity: 0.5 };

    it('changes nothing', () =>
      withStore(newPlace, async (store) => {
        const order = makeOrder(1);
        const facts = { step: '2' };
        await store.commit({ orders: [order], facts: { step: '1' } });
        const changed = [filledIn(order, 10, order.timeNs + 1n), makeOrder(2)];
        await expect(store.commit({ orders: changed, trades: [trade, invalid], facts })).rejects.toThrow();
        await expect(
          store.commit({ orders: changed, trades: [invalid], facts }, { projected: true }),
        ).rejects.toThrow();
        expect(await store.project(END_OF_TIME)).toEqual([order]);
        expect((await readPage(store)).rows).toEqual([stateOf(order)]);
        expect(await store.load(0)).toEqual({ facts: { step: '1' }, working: [order], trades: [], samples: [] });
      }));

    it('does not stop later ones, even of the same product and account', () =>
      withStore(newPlace, async (store) => {
        const order = makeOrder(1);
        const results = await Promise.allSettled([
          store.commit({ orders: [order], trades: [invalid] }),
          store.commit({ orders: [order], trades: [trade] }),
          store.commit({ orders: [makeOrder(2)], trades: [trade] }),
        ]);
        expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
        await store.project(FIRST_NS + 2n);
        expect((await readPage(store, { filter: { accountId: order.account.id } })).rows).toEqual([stateOf(order)]);
        expect((await store.load(0))?.trades).toEqual([trade, trade]);
      }));

    it('fails for an id that exceeds 64 bits', () =>
      withStore(newPlace, async (store) => {
        await expect(store.commit({ orders: [makeOrder(1, { id: 2n ** 63n })] })).rejects.toThrow();
        expect(await store.load(0)).toBeNull();
      }));
  });
}
