import { expect, it } from 'vitest';
import type { ActivityRule, OrdersRule } from '#contract/desk/rules.ts';
import { type PricedOrder, toPricedReading } from '#testing/rules/priced-orders.ts';
import { toDecimal } from '../units/decimal.ts';
import { describeReading } from './describe-rule.ts';
import { evaluate } from './evaluate.ts';
import { evaluateOrders } from './evaluate-orders.ts';
import { isMissing, NO_EVIDENCE, type RuleData } from './readings.ts';

const RULE: OrdersRule = {
  ...{ id: 'r', name: 'R', enabled: true, severity: 'info', channels: [], for_seconds: 0 },
  ...{ about: 'orders', measure: 'count', filter: {}, each: 'account', comparison: 'over', value: 40, unit: 'orders' },
};
const PLACED: ActivityRule = {
  ...{ id: 'r', name: 'R', enabled: true, severity: 'info', channels: [], for_seconds: 0, about: 'activity' },
  ...{
    measure: 'placed',
    window_seconds: 180,
    filter: {},
    each: 'account',
    comparison: 'under',
    value: 1,
    unit: 'orders',
  },
};

function say(rule: Partial<OrdersRule>, orders: readonly Partial<PricedOrder>[]): string {
  const whole = { ...RULE, ...rule };
  const list = orders.map((order, index) => ({ id: String(index + 1), account_id: 'HALC-105', ...order }));
  const found = evaluateOrders(whole, toPricedReading(list), () => true);
  if (isMissing(found) || found[0] === undefined) throw new Error('Nothing was found.');
  return describeReading(whole, found[0]);
}

const result = (group: string, value: number, holds: boolean) => ({
  ...{ group, value: toDecimal(String(value)), holds, because: null, evidence: NO_EVIDENCE },
});

it.each<[Partial<OrdersRule>, number, string]>([
  [{}, 46, 'A: 46 working orders, over 40.'],
  [{}, 1, 'A: 1 working order, not over 40.'],
  [{ filter: { kinds: ['option'], distance_over_percent: 20 } }, 46, 'A: 46 working orders over 20 % away, over 40.'],
  [{ measure: 'twins' }, 46, 'A: 46 working orders that repeat another, over 40.'],
  [{ measure: 'quantity', unit: 'contracts' }, 1_204, 'A: working quantity 1,204 contracts, over 40 contracts.'],
  [{ measure: 'notional', unit: 'USD' }, 1_204.6, 'A: gross underlying notional 1,205 USD, over 40 USD.'],
])('the result begins with the subject, and says the limit: %j', (rule, value, sentence) => {
  expect(describeReading({ ...RULE, ...rule }, result('A', value, value > 40))).toBe(sentence);
});

it('the farthest order is named with its price, and the number of all that are as far', () => {
  const far = { measure: 'distance', value: 20, unit: 'percent' } as const;
  const orders = [{ price: 700 }, { price: 2_481, side: 'Ask' }, { price: 900 }] as const;
  expect(say(far, orders)).toBe('HALC-105: 2 orders over 20 % away, farthest 148.10 % (GOOD ask 124.05).');
  expect(say(far, [{ price: 900 }])).toBe('HALC-105: no order over 20 % away, farthest 10.00 % (GOOD bid 45.00).');
  expect(say({ ...far, comparison: 'under', value: 0.5 }, [{ price: 999 }])).toBe(
    'HALC-105: 1 order under 0.5 % away, nearest 0.10 % (GOOD bid 49.95).',
  );
  expect(say(far, [{ product_type: 'Spread' }])).toBe('HALC-105: no working order.');
});

it('the oldest order is named', () => {
  const old = { measure: 'oldest_age', value: 3_600, unit: 'seconds' } as const;
  expect(say(old, [{ minutes: 90 }, { minutes: 61 }, { minutes: 5 }])).toBe(
    'HALC-105: 2 orders older than 1 h, oldest 1 h 30 min (GOOD bid 50.00).',
  );
});

it('a sum names how many orders it is of, and the largest; repeated orders name the farthest', () => {
  const quantity = { measure: 'quantity', value: 4, unit: 'contracts' } as const;
  expect(say(quantity, [{ quantity_requested: 3 }, { quantity_requested: 5, price: 900 }])).toBe(
    'HALC-105: working quantity 8 contracts in 2 orders (largest GOOD bid 45.00), over 4 contracts.',
  );
  expect(say(quantity, [{ quantity_requested: 3 }])).toBe(
    'HALC-105: working quantity 3 contracts in 1 order (GOOD bid 50.00), not over 4 contracts.',
  );
  const twins = { ...result('A', 46, true), foremost: 'GOOD bid 45.00' };
  expect(describeReading({ ...RULE, measure: 'twins' }, twins)).toBe(
    'A: 46 working orders that repeat another (farthest GOOD bid 45.00), over 40.',
  );
});

it('what happened is said with its window', () => {
  expect(describeReading(PLACED, result('NORD-109', 0, true))).toBe('NORD-109: 0 orders placed in 3 min, under 1.');
  expect(describeReading({ ...PLACED, window_seconds: 90 }, result('NORD-109', 1, false))).toBe(
    'NORD-109: 1 order placed in 90 s, not under 1.',
  );
});

it('without subjects, the filter names whose orders they are', () => {
  const rule: ActivityRule = { ...PLACED, each: 'all', filter: { account_id: 'ALGO-999' } };
  expect(describeReading(rule, result('', 0, true))).toBe('ALGO-999: 0 orders placed in 3 min, under 1.');
  const all: OrdersRule = { ...RULE, each: 'all' };
  expect(describeReading(all, result('', 46, true))).toBe('46 working orders, over 40.');
});

it('an alert that another value clears goes on until that is reached', () => {
  const rule = { ...RULE, value: 2, clear_value: 1 };
  const at = (count: number) => {
    const reading = toPricedReading(
      Array.from({ length: count }, (_, index) => ({ id: String(index + 1), account_id: 'A' })),
    );
    const found = evaluate(rule, { working: reading } as RuleData, () => true, { remembered: ['A'] });
    if (isMissing(found) || found[0] === undefined) throw new Error('Nothing was found.');
    return [found[0].holds, found[0].stays, describeReading(rule, found[0])];
  };
  expect([3, 2, 1].map(at)).toEqual([
    [true, true, 'A: 3 working orders, over 2.'],
    [false, true, 'A: 2 working orders, still over 1.'],
    [false, false, 'A: 1 working order, not over 2.'],
  ]);
});
