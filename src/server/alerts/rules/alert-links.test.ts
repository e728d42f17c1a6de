import { expect, it } from 'vitest';
import type { MarketRule, OrdersRule } from '#contract/desk/rules.ts';
import { MANY_ORDERS } from '#testing/rules/many-orders.ts';
import { createAlertLinks } from './alert-links.ts';

const RULE: OrdersRule = { ...MANY_ORDERS, filter: { symbol: 'BUSZ26', clearing_member_code: 'ALFA' } };
const MARKET: MarketRule = {
  ...RULE,
  about: 'market',
  measure: 'volume',
  filter: {},
  unit: 'contracts',
};
const AT = Date.UTC(2026, 10, 28, 13, 41);
const linksOf = createAlertLinks((kind, code) => `${kind}-${String(code.length)}`);

it('a link leads to the alert of a subject, and to the orders that the rule was about then, and names no account', () => {
  const { path, ordersPath } = linksOf(RULE, 'NORD-105', AT);
  expect(path).toBe('/rules?alert=many&group=account-8');
  const query = new URL(ordersPath ?? '', 'http://desk').searchParams;
  expect([...query]).toEqual([
    ['f', 'product:is:BUSZ26'],
    ['own', 'account:is:*account-8*'],
    ['own', 'firm:is:*firm-4*'],
    ['at', '2026-11-28T13:41:00.000Z'],
  ]);
  expect([path, ordersPath].join()).not.toMatch(/NORD|ALFA/);
});

it.each([
  [{ ...RULE, each: 'product' }, 'ETHZ26', '/rules?alert=many&group=ETHZ26', /product%3Ais%3AETHZ26/],
  [{ ...RULE, each: 'all' }, '', '/rules?alert=many', /product%3Ais%3ABUSZ26/],
  [MARKET, 'ETHZ26', '/rules?alert=many&group=ETHZ26', /^null$/],
] as const)('a link about %o names products and rules', (rule, subject, path, orders) => {
  const links = linksOf(rule, subject, AT);
  expect(links.path).toBe(path);
  expect(String(links.ordersPath)).toMatch(orders);
});
