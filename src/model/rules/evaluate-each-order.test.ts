import { expect, it } from 'vitest';
import type { OrdersRule } from '#contract/desk/rules.ts';
import { type PricedOrder, toPricedReading } from '#testing/rules/priced-orders.ts';
import { describeReading } from './describe-rule.ts';
import { evaluateOrders, findMatching } from './evaluate-orders.ts';
import { isMissing, type WorkingReading } from './readings.ts';

/** Of a market at 1,000 ticks. */
const FAR: OrdersRule = {
  ...{ id: 'far', name: 'Far orders', enabled: true, severity: 'warning', channels: [], for_seconds: 0 },
  ...{ about: 'orders', measure: 'distance', filter: { age_over_seconds: 600 }, each: 'order' },
  ...{ comparison: 'over', value: 20, unit: 'percent' },
};

function look(
  orders: readonly PricedOrder[],
  {
    rule = FAR,
    parts = {},
    ...options
  }: { rule?: OrdersRule; parts?: Partial<WorkingReading> } & Parameters<typeof evaluateOrders>[3] = {},
) {
  const found = evaluateOrders(rule, toPricedReading(orders, parts), () => true, options);
  if (isMissing(found)) throw new Error(found.missing);
  return found.map((reading) => [reading.group, reading.holds, describeReading(rule, reading)]);
}

const old = { minutes: 11, account_id: 'HALC-105' } as const;

it('each order that meets the condition is a subject, named by account, product, side and price', () => {
  const orders = [
    { ...old, id: '1', price: 700 },
    { ...old, id: '2', price: 900 },
    { id: '3', price: 100 },
  ];
  expect(look(orders)).toEqual([['1', true, 'HALC-105 · GOOD bid 35.00: 30.00 % from the market, over 20 %.']]);
});

it('an order that has an alert is looked at until it is gone, which an incomplete reading does not show', () => {
  const orders = [{ ...old, id: '2', price: 900 }];
  const options = { remembered: ['1', '2', ''] };
  expect(look(orders, options)).toEqual([
    ['2', false, 'HALC-105 · GOOD bid 45.00: 10.00 % from the market, not over 20 %.'],
    ['1', false, '1: no longer meets the condition. It is no longer working.'],
  ]);
  expect(look(orders, { ...options, parts: { complete: false } })[1]).toEqual([
    '1',
    null,
    '1: unknown. It is missing from a reading that may lack orders.',
  ]);
});

it('orders that met the condition before are left out', () => {
  const orders = [
    { ...old, id: '1', price: 700 },
    { ...old, id: '2', price: 600 },
  ];
  const matching = findMatching(FAR, toPricedReading([...orders, { id: '3', price: 100 }]), () => true);
  if (isMissing(matching)) throw new Error(matching.missing);
  expect(matching.orders).toEqual(['1', '2']);
  const later = [...orders, { ...old, id: '3', price: 100 }];
  expect(look(later, { excluded: new Set(matching.orders) }).map(([id]) => id)).toEqual(['3']);
  // Which orders an incomplete reading lacks is unknown, so they could be taken for new ones later.
  expect(isMissing(findMatching(FAR, toPricedReading(orders, { complete: false }), () => true))).toBe(true);
});

it('of thousands, the worst have alerts, those that have one keep it, and the number of the others is said', () => {
  const orders = Array.from({ length: 5_000 }, (_, index) => ({
    ...old,
    id: String(index + 1),
    price: 700 - index / 10,
  })).map((order) => ({ ...order, price: Math.floor(order.price) }));
  const found = look(orders, { remembered: ['1'] });
  expect(found.map(([id]) => id).slice(0, 2)).toEqual(['', '1']);
  expect(found).toHaveLength(201);
  expect(found.some(([id]) => id === '5000')).toBe(true);
  expect(found[0]).toEqual([
    '',
    true,
    'Far orders. 4,800 more orders meet the condition without an alert of their own: a rule has at most 200.',
  ]);
});

it('what is unknown about orders is said once, for the rule', () => {
  const orders = ['1', '2'].map((id) => ({ ...old, id, isPriced: false }));
  expect(look(orders)).toEqual([['', null, 'Far orders. It is unknown for 2 orders.']]);
});

it('any measure may be of one order', () => {
  const order = { ...old, id: '1', price: 700, quantity_requested: 5 };
  const sentences = (
    [
      ['count', 0, 'orders'],
      ['quantity', 4, 'contracts'],
      ['notional', 49, 'USD'],
      ['oldest_age', 600, 'seconds'],
    ] as const
  ).map(([measure, value, unit]) => look([order], { rule: { ...FAR, measure, value, unit } })[0]?.[2]);
  expect(sentences).toEqual([
    'HALC-105 · GOOD bid 35.00: matches.',
    'HALC-105 · GOOD bid 35.00: working quantity 5 contracts, over 4 contracts.',
    'HALC-105 · GOOD bid 35.00: gross underlying notional 50 USD, over 49 USD.',
    'HALC-105 · GOOD bid 35.00: accepted 11 min ago, over 10 min.',
  ]);
});
