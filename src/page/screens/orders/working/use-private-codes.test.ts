import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareNewest } from '#model/orders/working-set.ts';
import { orderLists, readOrders, toRows } from '#testing/order-rows.ts';
import { createCodeMemory } from './use-private-codes.ts';

it('all codes of all lists so far are known, whatever came, changed and went', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(orderLists, fc.boolean()), { maxLength: 6 }), (lists) => {
      const rememberCodes = createCodeMemory();
      const seen = new Set<string>();
      let kept = readOrders([]);
      for (const [list, isKept] of lists) {
        const orders = readOrders(list);
        kept = isKept ? [...kept.filter(({ id }) => !orders.some((order) => order.id === id)), ...orders] : orders;
        for (const { account_id: account, clearing_firm_code: firm, connection_id: connection } of kept)
          seen.add(account).add(firm).add(connection);
        expect(rememberCodes(toRows(kept.toSorted(compareNewest)))).toEqual(seen);
      }
    }),
  );
});

it('nothing new is the same set', () => {
  const rememberCodes = createCodeMemory();
  const orders = readOrders([{ id: '2' }, { id: '1' }]);
  const codes = rememberCodes(toRows(orders));
  expect(rememberCodes(toRows(orders.slice(1)))).toBe(codes);
});
