import { describe, expect, it } from 'vitest';
import { schemaSteps } from '#sql/migrate.ts';
import { openSqlite } from '#sql/sqlite.ts';
import { explainSqliteErrors, openStore } from '#venue/store/open-store.ts';
import { filledIn } from './journal-suite.ts';
import type { NewLocation } from './store-location.ts';
import { FIRST_NS, makeOrder, readPage, stateOf } from './sample-orders.ts';

export function reopeningSuite(newPlace: NewLocation): void {
  describe('reopened', () => {
    it('has everything that was committed, and shows what was not yet projected', async () => {
      const place = newPlace();
      const orders = [makeOrder(1), makeOrder(2)];
      const before = await place.open();
      await before.commit({
        orders,
        facts: { clock: '12' },
        trades: [{ productId: 1, time: 1, price: 2, quantity: 3, cents: 4 }],
      });
      await before.project(FIRST_NS + 1n);
      await before.close();
      const after = await place.open();
      expect(await after.load(0)).toEqual({
        facts: { clock: '12' },
        working: orders,
        trades: [{ productId: 1, time: 1, price: 2, quantity: 3, cents: 4 }],
        samples: [],
      });
      expect((await readPage(after)).rows).toEqual(orders.map(stateOf).toReversed());
      expect(await after.project(2n ** 62n)).toEqual([]);
      await after.close();
    });

    it('resumes where it was: the order of trades, the filters of orders and the order of changes are kept', async () => {
      const place = newPlace();
      const order = makeOrder(1);
      const trade = { productId: 1, time: 1, price: 2, quantity: 3, cents: 4 };
      for (const step of [1, 2, 3]) {
        const store = await place.open();
        await store.load(0);
        await store.commit({
          orders: [filledIn(order, step, order.timeNs + BigInt(step))],
          trades: [{ ...trade, price: step }],
        });
        await store.commit({ orders: [makeOrder(1 + 12 * step)] });
        await store.close();
      }
      const store = await place.open();
      expect((await store.load(0))?.trades.map(({ price }) => price)).toEqual([1, 2, 3]);
      const { rows } = await readPage(store, { filter: { accountId: order.account.id, productId: order.productId } });
      expect(rows.map(({ filled }) => filled)).toEqual([0, 0, 0, 3]);
      await store.close();
    });

    it('needs no products to show orders that an earlier process left pending', async () => {
      const place = newPlace();
      const before = await place.open();
      await before.commit({ orders: [makeOrder(1)] });
      await before.close();
      const fail = (): never => {
        throw new Error('The products are not known yet.');
      };
      const after = await openStore(place.path, { toText: fail, productOf: fail });
      expect((await after.load(0))?.working).toEqual([makeOrder(1)]);
      expect((await readPage(after)).rows).toEqual([stateOf(makeOrder(1))]);
      await after.close();
    });

    it('refuses a store of a later version, with a sentence', async () => {
      const place = newPlace();
      const before = await place.open();
      await before.close();
      const driver = openSqlite(place.path, explainSqliteErrors(place.path));
      await driver.write([{ table: schemaSteps, rows: [[1_000]] }]);
      await driver.close();
      await expect(place.open()).rejects.toThrow(
        'The store was written by a later version of Perpdesk (schema 1000; this version reads up to ',
      );
    });
  });
}
