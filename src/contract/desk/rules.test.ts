import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnyRule, checkRule, checkRules, MOST_RULES } from './rules.ts';
import { createParser } from '../parse/parse.ts';
import { RULE_SUGGESTIONS } from './rule-suggestions.ts';

const common = {
  id: 'many-orders',
  name: 'Many orders',
  enabled: true,
  severity: 'warning',
  channels: ['ops'],
  for_seconds: 60,
};
const rule = {
  ...common,
  about: 'orders',
  measure: 'count',
  filter: { account_id: 'NORD-105' },
  each: 'all',
  comparison: 'over',
  value: 1_000,
  unit: 'orders',
};

const pathsOf = (value: unknown): readonly string[] => checkRule(value).mistakes?.map(({ path }) => path) ?? [];

describe('a rule', () => {
  it('is taken as it is', () => {
    expect(checkRule(rule)).toEqual({ rule, mistakes: null });
  });

  it('has all of its mistakes named at once, each with its place', () => {
    const wrong = {
      ...rule,
      id: 'Many Orders',
      severity: 'loud',
      for_seconds: -1,
      filter: { account_id: ' ' },
      comparison: 'beyond',
      unit: 'USD',
      window_seconds: 60,
      channels: ['a', 'a'],
    };
    expect(pathsOf(wrong).toSorted()).toEqual([
      '$.channels',
      '$.comparison',
      '$.filter.account_id',
      '$.for_seconds',
      '$.id',
      '$.severity',
      '$.unit',
      '$.window_seconds',
    ]);
  });

  it.each([
    ['about nothing known', { ...rule, about: 'weather' }, ['$.about']],
    ['that is no object', 7, ['$.about']],
    ['with a field of another kind', { ...rule, base_symbol: 'BTCUC' }, ['$.base_symbol']],
    ['without its value', { ...rule, value: undefined }, ['$.value']],
    [
      'with a window too short',
      { ...rule, about: 'activity', measure: 'placed', window_seconds: 5 },
      ['$.window_seconds'],
    ],
    ['with a negative count', { ...rule, value: -1 }, ['$.value']],
    ['with an expression of spaces', { ...rule, expression: '  ' }, ['$.expression']],
    ['with a name of two lines', { ...rule, name: 'a\nb' }, ['$.name']],
  ])('%s is rejected', (_, wrong, paths) => {
    expect(pathsOf(wrong)).toEqual(paths);
  });

  it('of a measure that is so or not has nothing to compare with', () => {
    expect(pathsOf({ ...common, about: 'desk', measure: 'venue_away' })).toEqual([]);
    expect(
      pathsOf({ ...common, about: 'desk', measure: 'venue_away', comparison: 'over', value: 1, unit: 'orders' }),
    ).toEqual(['$.comparison', '$.value', '$.unit']);
    expect(
      pathsOf({
        ...common,
        about: 'funding',
        measure: 'difference',
        base_symbol: 'BTCUC',
        against: 'BTCUC',
        comparison: 'beyond',
        value: 1,
        unit: 'percent',
      }),
    ).toEqual(['$.against']);
    expect(
      pathsOf({ ...common, about: 'desk', measure: 'data_age', comparison: 'over', value: 1, unit: 'seconds' }),
    ).toEqual(['$.data']);
  });

  it('of a measure that no text can be made of is refused as any other mistake', () => {
    expect(pathsOf({ ...rule, measure: [{ toString: false }] })).toContain('$.measure');
  });

  it('is checked whatever it is', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.dictionary(fc.constantFrom(...Object.keys(rule)), fc.anything()),
        (value, fields) => {
          expect(checkRule(value).rule).toBeNull();
          expect(() => checkRule({ ...rule, ...fields })).not.toThrow();
        },
      ),
    );
  });
});

describe('an import', () => {
  it('names the mistakes of all rules, and ids that occur twice', () => {
    const { rules, mistakes } = checkRules([rule, { ...rule, value: 'many' }, { ...rule, name: '' }]);
    expect(rules).toEqual([rule]);
    expect(mistakes.map(({ path }) => path)).toEqual([
      '$.rules[1].value',
      '$.rules[2].name',
      '$.rules[1].id',
      '$.rules[2].id',
    ]);
  });

  it('has room for so many rules', () => {
    const rules = Array.from({ length: MOST_RULES + 1 }, (_, index) => ({ ...rule, id: `r${String(index)}` }));
    expect(checkRules(rules).mistakes.map(({ path }) => path)).toEqual([`$.rules[${String(MOST_RULES)}]`]);
    expect(checkRules(rules.slice(1)).mistakes).toEqual([]);
  });
});

describe('suggestions', () => {
  it('are rules without a mistake, off, of which a client reads every field', () => {
    expect(RULE_SUGGESTIONS).toHaveLength(10);
    expect(checkRules(RULE_SUGGESTIONS).mistakes).toEqual([]);
    const parser = createParser(AnyRule);
    for (const suggestion of RULE_SUGGESTIONS) {
      expect(suggestion.enabled).toBe(false);
      expect(parser.strict(JSON.stringify(suggestion))).toEqual(suggestion);
    }
  });
});
