import { expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { MarketRule, Rule } from '#contract/desk/rules.ts';
import { findPriceLevels } from './price-levels.ts';

const PRODUCT = { symbol: 'PBTC', base_symbol: 'BTC', type: 'perpetual' } as unknown as DeskProduct;

function rule(id: string, change: Partial<MarketRule>): Rule {
  return {
    ...{ id, name: id, enabled: true, severity: 'warning', channels: [], for_seconds: 0 },
    ...{ about: 'market', measure: 'price', filter: { symbol: 'PBTC' }, comparison: 'over', value: 1, unit: 'USD' },
    ...change,
  };
}

it('levels are those of rules about the price of the product that are on, the highest first', () => {
  const rules = [
    rule('low', { comparison: 'under', value: 0.0025 }),
    rule('high', { value: 110_000 }),
    rule('list', { filter: { symbols: ['X', 'pbtc'] }, comparison: 'crosses', value: 90_000 }),
    rule('type', { filter: { type: 'perpetual' }, value: -5 }),
    rule('off', { enabled: false }),
    rule('other product', { filter: { symbol: 'PETH' } }),
    rule('other measure', { measure: 'price_change', unit: 'percent' }),
  ];
  expect(findPriceLevels(rules, PRODUCT).map(({ id, words }) => `${id}: ${words}`)).toEqual([
    'high: over 110,000',
    'list: crosses 90,000',
    'low: under 0.0025',
    'type: over −5',
  ]);
});
