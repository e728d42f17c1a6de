import { describe, expect, it } from 'vitest';
import type { Order, Trade } from '#venue/model.ts';
import { withStore, type NewLocation } from './store-location.ts';
import { FIRST_NS, makeOrder, readPage, seenOf } from './sample-orders.ts';

const END_OF_TIME = 2n ** 62n;
const trade: Trade = { productId: 1, time: 5, price: 100, quantity: 2, cents: 200 };

export function filledIn(order: Order, filled: number, lastModifiedNs: bigint): Order {
  const status = filled === order.requested ? 'Closed' : 'Working';
  return { ...order, filled, filledTicks: filled * order.price, status, lastModifiedNs };
}

export function journalSuite(newPlace: NewLocation): void {
  describe('order changes', () => {
    it('stay unseen until their time is projected, and are told in the order they came', () =>
      withStore(newPlace, async (store) => {
        const [first, second] = [makeOrder(1), makeOrder(2)];
        await store.commit({ orders: [first, second] });
        expect((await readPage(store)).rows).toEqual([]);
        expect(await store.project(first.lastModifiedNs - 1n)).toEqual([]);
        expect(await store.project(first.lastModifiedNs)).toEqual([first]);
        expect((await readPage(store)).rows).toEqual([seenOf(first)]);
        expect(await store.project(END_OF_TIME)).toEqual([second]);
        expect(await store.project(END_OF_TIME)).toEqual([]);
        expect((await readPage(store)).rows).toEqual([seenOf(second), seenOf(first)]);
      }));

    it('show an order as of the instant projected, not as it is by now', () =>
      withStore(newPlace, async (store) => {
        const order = makeOrder(1);
        const half = filledIn(order, 5, order.timeNs + 10n);
        const whole = filledIn(order, 10, order.timeNs + 20n);
        await store.commit({ orders: [order, half] });
        await store.commit({ orders: [whole] });
        await store.project(order.timeNs);
        expect((await readPage(store)).rows).toEqual([seenOf(order)]);
        await store.project(half.lastModifiedNs);
        expect((await readPage(store)).rows).toEqual([seenOf(half)]);
        await store.project(END_OF_TIME);
        expect((await readPage(store)).rows).toEqual([seenOf(whole)]);
      }));

    it('of one instant replace each other in the order they came', () =>
      withStore(newPlace, async (store) => {
        const order = makeOrder(1);
        const whole = filledIn(order, 10, order.timeNs);
        await store.commit({ orders: [order, filledIn(order, 3, order.timeNs), whole] });
        expect(await store.project(order.timeNs)).toHaveLength(3);
        expect((await readPage(store)).rows).toEqual([seenOf(whole)]);
        expect((await store.load(0))?.working).toEqual([]);
      }));

    it('are seen at once where they are committed projected', () =>
      withStore(newPlace, async (store) => {
        const order = makeOrder(1, { status: 'Closed' });
        await store.commit({ orders: [order] }, { projected: true });
        expect((await readPage(store)).rows).toEqual([seenOf(order)]);
        expect(await store.project(END_OF_TIME)).toEqual([]);
      }));

    it('leave in the book what works by now, seen or not, with every field', () =>
      withStore(newPlace, async (store) => {
        const orders = Array.from({ length: 12 }, (_, n) => makeOrder(n));
        const changes = orders.map((order, n) => filledIn(order, n < 4 ? 10 : n % 10, order.timeNs + 100n));
        await store.commit({ orders }, { projected: true });
        await store.commit({ orders: changes });
        expect((await store.load(0))?.working).toEqual(changes.slice(4));
      }));

    it('keep price and sums below zero, and the largest whole numbers, as they are', () =>
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
    const spoilt = { ...trade, quantity: 0.5 };

    it('leaves nothing of itself', () =>
      withStore(newPlace, async (store) => {
        const order = makeOrder(1);
        const facts = { step: '2' };
        await store.commit({ orders: [order], facts: { step: '1' } });
        const changed = [filledIn(order, 10, order.timeNs + 1n), makeOrder(2)];
        await expect(store.commit({ orders: changed, trades: [trade, spoilt], facts })).rejects.toThrow();
        await expect(store.commit({ orders: changed, trades: [spoilt], facts }, { projected: true })).rejects.toThrow();
        expect(await store.project(END_OF_TIME)).toEqual([order]);
        expect((await readPage(store)).rows).toEqual([seenOf(order)]);
        expect(await store.load(0)).toEqual({ facts: { step: '1' }, working: [order], trades: [], samples: [] });
      }));

    it('stops none of those after it, not even of the same product and account', () =>
      withStore(newPlace, async (store) => {
        const order = makeOrder(1);
        const results = await Promise.allSettled([
          store.commit({ orders: [order], trades: [spoilt] }),
          store.commit({ orders: [order], trades: [trade] }),
          store.commit({ orders: [makeOrder(2)], trades: [trade] }),
        ]);
        expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
        await store.project(FIRST_NS + 2n);
        expect((await readPage(store, { filter: { accountId: order.account.id } })).rows).toEqual([seenOf(order)]);
        expect((await store.load(0))?.trades).toEqual([trade, trade]);
      }));

    it('fails where an id does not fit into 64 bits', () =>
      withStore(newPlace, async (store) => {
        await expect(store.commit({ orders: [makeOrder(1, { id: 2n ** 63n })] })).rejects.toThrow();
        expect(await store.load(0)).toBeNull();
      }));
  });
}
