import { describe, expect, it } from 'vitest';
import type { MarketRule, OrdersRule, Rule } from '#contract/desk/rules.ts';
import { NO_EVIDENCE, type GroupReading } from './readings.ts';
import { findWatched } from './watched.ts';

const common: Pick<Rule, 'id' | 'name' | 'enabled' | 'severity' | 'channels' | 'for_seconds'> = {
  id: 'r',
  name: 'R',
  enabled: true,
  severity: 'info',
  channels: [],
  for_seconds: 0,
};
const market: MarketRule = {
  ...common,
  about: 'market',
  measure: 'volume',
  filter: {},
  comparison: 'over',
  value: 1,
  unit: 'contracts',
};
const orders: OrdersRule = {
  ...common,
  about: 'orders',
  measure: 'count',
  filter: {},
  each: 'account',
  comparison: 'over',
  value: 1,
  unit: 'orders',
};
const reading = (group: string, products: GroupReading['evidence']['products'] = []): GroupReading => ({
  group,
  holds: false,
  value: null,
  because: null,
  evidence: { ...NO_EVIDENCE, products },
});
const product = {} as GroupReading['evidence']['products'][number];

describe('what a rule watches', () => {
  it('is how many of its groups there are', () => {
    expect(findWatched(market, [reading('BTC', [product]), reading('GONE')], true)).toEqual({
      what: '1 product',
      nothing: null,
    });
    expect(findWatched(orders, [reading('A'), reading('B')], true)).toEqual({ what: '2 accounts', nothing: null });
    expect(findWatched({ ...orders, each: 'all' as const }, [reading('')], true)).toEqual({
      what: null,
      nothing: null,
    });
    expect(findWatched(orders, { missing: 'It timed out.' }, true)).toBeNull();
  });

  it.each<readonly [string, Rule, readonly GroupReading[], boolean]>([
    ['no product matches', market, [], true],
    ['no account matches', orders, [], true],
    ['no account matches', { ...orders, each: 'all' as const, filter: { account_id: 'TYPO' } }, [reading('')], false],
    ['no account matches', { ...orders, filter: { account_id: 'TYPO' } }, [reading('TYPO')], false],
    [
      'no clearing firm matches',
      { ...orders, each: 'all' as const, filter: { clearing_member_code: 'TYPO' } },
      [reading('')],
      false,
    ],
    [
      'no order matches',
      { ...orders, each: 'all' as const, filter: { symbol: 'BTC', account_id: 'A' } },
      [reading('')],
      false,
    ],
  ])('is nothing: %s', (nothing, rule, evaluation, hasMatched) => {
    expect(findWatched(rule, evaluation, hasMatched)?.nothing).toBe(nothing);
  });

  it('is something where all orders together are none at present', () => {
    expect(findWatched({ ...orders, each: 'all' as const }, [reading('')], false)?.nothing).toBeNull();
  });
});
