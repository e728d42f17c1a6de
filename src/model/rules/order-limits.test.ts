import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RuleOrderFilter } from '#contract/desk/rule-filters.ts';
import type { OrdersRule } from '#contract/desk/rules.ts';
import { type PricedOrder, toPricedReading } from '#testing/rules/priced-orders.ts';
import { evaluateOrders } from './evaluate-orders.ts';
import { isMissing } from './readings.ts';
import { toOrderTest } from './rule-subjects.ts';

const RULE: OrdersRule = {
  ...{ id: 'r', name: 'R', enabled: true, severity: 'info', channels: [], for_seconds: 0 },
  ...{ about: 'orders', measure: 'count', filter: {}, each: 'all', comparison: 'over', value: 0, unit: 'orders' },
};

const someOrders = fc.array(
  fc.record({
    product_type: fc.constantFrom('Future' as const, 'Option' as const, 'Spread' as const),
    side: fc.constantFrom('Bid' as const, 'Ask' as const),
    price: fc.integer({ min: 500, max: 1_500 }),
    minutes: fc.nat(120),
    quantity_requested: fc.integer({ min: 1, max: 100 }),
    isPriced: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);
const someFilters = fc.record(
  {
    kinds: fc.subarray(['outright' as const, 'option' as const, 'spread' as const], { minLength: 1 }),
    age_over_seconds: fc.nat(7_200),
    distance_over_percent: fc.nat(50),
    notional_over_usd: fc.nat(1_000),
  },
  { requiredKeys: [] },
);

const KINDS = { Future: 'outright', Option: 'option', Spread: 'spread' } as const;

/** Whether an order matches, worked out from its fields alone; null if that is unknown. */
function matches(order: Omit<Required<PricedOrder>, 'id' | 'account_id'>, filter: RuleOrderFilter): boolean | null {
  const { product_type: type, side, price, minutes, quantity_requested: quantity, isPriced } = order;
  const away = ((side === 'Bid' ? 1_000 - price : price - 1_000) / 1_000) * 100;
  const ofMarket = (value: number, limit: number): boolean | null => (isPriced ? value > limit : null);
  const { kinds, age_over_seconds: age, distance_over_percent: distance, notional_over_usd: notional } = filter;
  const verdicts = [
    kinds === undefined || kinds.includes(KINDS[type]),
    age === undefined || minutes * 60 > age,
    distance === undefined || (type === 'Spread' ? false : ofMarket(away, distance)),
    notional === undefined || ofMarket(quantity * 10, notional),
  ];
  return verdicts.includes(false) ? false : verdicts.includes(null) ? null : true;
}

it('only orders beyond all limits of a filter are counted, and those that may be are said', () => {
  fc.assert(
    fc.property(someOrders, someFilters, (list, filter) => {
      const rule = { ...RULE, filter };
      const reading = toPricedReading(list.map((order, index) => ({ id: String(index + 1), ...order })));
      const found = evaluateOrders(rule, reading, toOrderTest(filter));
      const verdicts = list.map((order) => matches(order, filter));
      const [count, unknown] = [true, null].map((one) => verdicts.filter((verdict) => verdict === one).length);
      if (isMissing(found)) throw new Error('Nothing is missing.');
      expect(found.map(({ value, holds }) => [value?.toNumber(), holds])).toEqual([
        [count, (count ?? 0) > 0 ? true : (unknown ?? 0) > 0 ? null : false],
      ]);
      const orders = `${String(unknown)} more order${unknown === 1 ? '' : 's'}`;
      expect(found[0]?.because).toBe(unknown === 0 ? null : `Whether ${orders} match is unknown.`);
    }),
  );
});

it('every measure is of the orders beyond the limits', () => {
  const orders = [
    { id: '1', minutes: 30, price: 700, quantity_requested: 5 },
    { id: '2', minutes: 20, price: 600, quantity_requested: 7 },
    { id: '3', minutes: 1, price: 100, quantity_requested: 100 },
  ];
  const measured = (measure: OrdersRule['measure']) => {
    const found = evaluateOrders(
      { ...RULE, measure, filter: { age_over_seconds: 600 } },
      toPricedReading(orders),
      () => true,
    );
    return isMissing(found) ? null : found[0]?.value?.toNumber();
  };
  expect((['count', 'quantity', 'notional', 'oldest_age', 'distance', 'twins'] as const).map(measured)).toEqual([
    2, 12, 120, 1_800, 40, 0,
  ]);
});

it('without market prices, nothing can be said about a limit that needs them', () => {
  const reading = toPricedReading([{ id: '1' }], { pricesMissing: 'No prices.' });
  const missing = (filter: RuleOrderFilter) => evaluateOrders({ ...RULE, filter }, reading, () => true);
  expect(missing({ distance_over_percent: 1 })).toEqual({ missing: 'No prices.' });
  expect(missing({ notional_over_usd: 1 })).toEqual({ missing: 'No prices.' });
  expect(isMissing(missing({ age_over_seconds: 1 }))).toBe(false);
});
