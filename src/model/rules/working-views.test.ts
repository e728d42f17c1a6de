import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OrdersRule } from '#contract/desk/rules.ts';
import { orderLists, readOrders, toRows } from '#testing/order-rows.ts';
import { toAgeSeconds } from '../orders/order-row.ts';
import { evaluateOrders } from './evaluate-orders.ts';
import { toOrderTest } from './match-orders.ts';
import { isMissing, type WorkingReading } from './readings.ts';

const RULE: OrdersRule = {
  ...{ id: 'r', name: 'R', enabled: true, severity: 'info', channels: [], for_seconds: 0 },
  ...{ about: 'orders', measure: 'count', filter: {}, each: 'all', comparison: 'over', value: 3, unit: 'orders' },
};
const FILTERS = [{}, { account_id: 'A-1' }];
const TESTS = FILTERS.map(toOrderTest);

function toWorking(orders: readonly object[]): WorkingReading {
  return { rows: toRows(readOrders(orders)), complete: true, unreadable: 0, pricesMissing: null };
}

const someRules = fc.array(
  fc.record({
    filter: fc.nat(FILTERS.length - 1),
    measure: fc.constantFrom('count', 'quantity', 'notional', 'oldest_age', 'distance', 'twins'),
    each: fc.constantFrom('all', 'account', 'product', 'firm', 'connection'),
    comparison: fc.constantFrom('over', 'under'),
    value: fc.nat(1_000),
  }),
  { minLength: 2, maxLength: 8 },
);

it('rules on one reading, which share what they find, say what each says on a reading of its own', () => {
  fc.assert(
    fc.property(orderLists, someRules, (list, rules) => {
      const together = toWorking(list);
      for (const { filter, ...rule } of rules) {
        const test = TESTS[filter] ?? (() => false);
        const evaluated = evaluateOrders({ ...RULE, ...rule }, together, test);
        expect(evaluated).toEqual(
          evaluateOrders({ ...RULE, ...rule }, { ...together }, toOrderTest(FILTERS[filter] ?? {})),
        );
      }
    }),
  );
});

it('evidence of an extreme begins with the furthest order, and of equally far ones with the first', () => {
  const ages = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(ages, fc.integer({ min: 0, max: 30 }), (minutes, limit) => {
      const working = toWorking(
        minutes.map((age, index) => ({
          id: String(index + 1),
          time: new Date(Date.parse('2026-08-18T00:00:00Z') - age * 60_000).toISOString(),
        })),
      );
      const found = evaluateOrders(
        { ...RULE, measure: 'oldest_age', unit: 'seconds', value: limit * 60 },
        working,
        () => true,
      );
      const aged = working.rows.map((row) => ({ id: row.order.id, age: toAgeSeconds(row) ?? 0 }));
      const beyond = aged.filter(({ age }) => age > limit * 60).sort((a, b) => b.age - a.age);
      const evidence = isMissing(found) ? undefined : found[0]?.evidence;
      expect([evidence?.total, evidence?.orders.map(({ id }) => id)]).toEqual([
        beyond.length,
        beyond.slice(0, 20).map(({ id }) => id),
      ]);
    }),
  );
});
