import { expect, it } from 'vitest';
import type { OrdersRule } from '#contract/desk/rules.ts';
import { readOrders } from '#testing/order-rows.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { createMarketTerms } from './rule-data.ts';
import { DAILY_VALUES, NOTHING_FOUND, PRODUCT_DATA, PRODUCTS, topicsWith, type NeededTopic } from './rule-topics.ts';

/**
 * A perpetual whose latest settlement has no open interest yet, so that only the session before shows the wrong tick
 * size.
 */
const product = { product_id: 7, symbol: 'PETHUIZ50', type: 'perpetual', contract_size: 0.1, price_increment: 2 };
const settled = {
  ...sampleResponses.productData,
  product_id: 7,
  settlement_price: 26_505,
  settlement_time: '2026-11-24T22:00:00Z',
  last_price: null,
  last_price_time: null,
  low_price: null,
  high_price: null,
  volume: null,
  notional_volume: null,
};
const running = { ...settled, settlement_price: 26_510, settlement_time: '2026-11-25T22:00:00Z' };
const days = [
  {
    date: '2026-11-24',
    productId: 7,
    baseSymbol: 'ETHUI',
    volume: null,
    notionalVolume: null,
    openInterest: 1_000,
    notionalOpenInterest: 53_010_000,
  },
];
const SESSIONS = ['2026-11-24', '2026-11-25'];

function start() {
  const texts = new Map<string, { readonly text: string; readonly respondedAt: number }>();
  const put = ({ key }: NeededTopic, value: object) =>
    void texts.set(key, { text: JSON.stringify(value), respondedAt: 0 });
  put(PRODUCTS, { source: 'product/specs', read_at: '2026-11-26T00:00:00Z', products: [product] });
  put(PRODUCT_DATA, [running]);
  const terms = createMarketTerms({
    isTried: ({ key }) => texts.has(key),
    find: ({ key }) => texts.get(key) ?? { missing: 'It has not been read yet.' },
  });
  const [order] = readOrders([{ id: '1', product_id: 7, symbol: 'PETHUIZ50', product_type: 'Perpetual' }]);
  const reasonOf = (): string | null => (order && terms.termsOf(0)(order).conversion?.withheld) ?? null;
  return { put, terms, reasonOf };
}

it('checks tick sizes with the settled sessions, like the screens', () => {
  const { put, terms, reasonOf } = start();
  put(DAILY_VALUES, days);
  expect(terms.sessions(0).map(({ name, pairs }) => [name, ...pairs.flat()])).toEqual(
    expect.arrayContaining(SESSIONS.map((day) => ['product-data', 'day', day])),
  );
  expect(reasonOf()).toBeNull();
  for (const topic of terms.sessions(0)) put(topic, [topic.key.includes('2026-11-24') ? settled : running]);
  expect(reasonOf()).toMatch(
    /^The tick size, .*contract size of 24 Nov 2026 contradict each other by a factor of 10\./,
  );
  expect(terms.termsOf(0)).toBe(terms.termsOf(0));
});

it('needs no session before it is known which are settled, and none for a rule that converts nothing', () => {
  const { put, terms } = start();
  expect(terms.sessions(0)).toEqual([]);
  put(DAILY_VALUES, days);
  const sessions = terms.sessions(0);
  const count: OrdersRule = {
    id: 'r',
    name: 'R',
    enabled: true,
    severity: 'info',
    channels: [],
    for_seconds: 0,
    about: 'orders',
    filter: {},
    each: 'all',
    comparison: 'over',
    value: 1,
    measure: 'count',
    unit: 'orders',
  };
  expect(topicsWith({ ...NOTHING_FOUND, sessions }, count)).toHaveLength(1);
  expect(topicsWith({ ...NOTHING_FOUND, sessions }, { ...count, measure: 'notional', unit: 'USD' })).toEqual(
    expect.arrayContaining([...sessions]),
  );
});
