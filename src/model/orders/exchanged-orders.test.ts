import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Order } from '#contract/exchange/order.ts';
import { readOrders } from '#testing/order-rows.ts';
import { findExchanged } from './exchanged-orders.ts';

const POOL = readOrders(Array.from({ length: 12 }, (_, n) => ({ id: String(1 + (n % 8)) })));
const lists = fc.shuffledSubarray([...POOL]);

it('of any two lists, the first without what is gone, with what has changed and with what has come has the orders of the second', () => {
  fc.assert(
    fc.property(lists, lists, (before, after) => {
      const { gone, come, changed } = findExchanged(before, after);
      const staying = before.filter((order) => !gone.has(order)).map((order) => changed.get(order) ?? order);
      expect(new Set([...staying, ...come])).toEqual(new Set(after));
      expect(staying.length + come.length).toBe(after.length);
    }),
  );
});

it('where a list keeps its order, only what is another object is exchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('same', 'changed', 'gone'), { maxLength: 8 }), fc.nat(3), (fates, added) => {
      const before = POOL.slice(0, fates.length);
      const replaced = before.map((order, place): Order => (fates[place] === 'changed' ? { ...order } : order));
      const news = POOL.slice(8, 8 + added).map((order, place): Order => ({
        ...order,
        id: String(100 + place) as Order['id'],
      }));
      const after = [...replaced.filter((_, place) => fates[place] !== 'gone'), ...news];
      const { gone, come, changed } = findExchanged(before, after);
      const isOf =
        (fate: string) =>
        (_: Order, place: number): boolean =>
          fates[place] === fate;
      expect([...gone]).toEqual(before.filter(isOf('gone')));
      expect([...changed]).toEqual(
        before
          .map((order, place) => [order, replaced[place]] as const)
          .filter((_, place) => fates[place] === 'changed'),
      );
      expect(come).toEqual(news);
    }),
  );
});
