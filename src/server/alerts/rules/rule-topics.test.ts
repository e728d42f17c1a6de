import { describe, expect, it } from 'vitest';
import type { FundingRule } from '#contract/desk/rules.ts';
import { NOTHING_FOUND, topicsOfAll, topicsWith } from './rule-topics.ts';

const LISTED = Array.from({ length: 17 }, (_, index) => `P${String(index)}`);
const found = { ...NOTHING_FOUND, perpetuals: LISTED };
const rule = (some: object): FundingRule => ({
  ...{ id: 'r', name: 'R', enabled: true, severity: 'info', channels: [], for_seconds: 0 },
  ...{ about: 'funding', measure: 'predicted_rate', comparison: 'over', value: 1, unit: 'percent' },
  ...some,
});
const keysOf = (given: FundingRule, known: typeof NOTHING_FOUND = found): readonly string[] =>
  topicsWith(known, given).map(({ key }) => key);

describe('a rule about several perpetuals', () => {
  it('reads which there are first, and then only those that are listed', () => {
    expect(keysOf(rule({}), NOTHING_FOUND)).toEqual(['products']);
    expect(keysOf(rule({ base_symbols: ['P3', 'GONE'] }))).toEqual(['products', 'funding-estimates base_symbol P3']);
    expect(keysOf(rule({ measure: 'flip' }))).toEqual([
      'products',
      ...LISTED.map((symbol) => `funding base_symbol ${symbol} limit 2`),
    ]);
  });

  it.each([1, 4, 5, 17, 300])(
    'reads the predicted rates of %d of them by at most 20 requests in five minutes',
    (count) => {
      const perpetuals = Array.from({ length: count }, (_, index) => `P${String(index)}`);
      const topics = topicsOfAll([{ rule: rule({}), payer: 'desk' }], { ...NOTHING_FOUND, perpetuals });
      const predicted = [...topics.values()].filter(({ name }) => name === 'funding-estimates');
      expect(predicted).toHaveLength(count);
      const seconds = predicted.flatMap(({ payers }) => [...payers.values()]);
      expect(new Set(seconds)).toEqual(new Set([Math.max(60, (count * 300) / 20)]));
    },
  );
});

it('reads the other perpetual of a difference once', () => {
  const difference = rule({ measure: 'difference', base_symbols: ['P1', 'P2'], against: 'P3' });
  expect(keysOf(difference)).toEqual([
    'products',
    ...['P1', 'P2', 'P3'].map((symbol) => `funding base_symbol ${symbol} limit 2`),
  ]);
});
