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

const price = {
  ...{ ...common, for_seconds: 0, about: 'market', measure: 'price', filter: { symbols: ['A'] } },
  ...{ comparison: 'over', value: 110_000, unit: 'USD' },
};
const flip = { ...common, about: 'funding', measure: 'flip', base_symbols: ['BTCUC', 'ETHUI'] };
const rate = { comparison: 'over', value: 1, unit: 'percent' };

const pathsOf = (value: unknown): readonly string[] => checkRule(value).mistakes?.map(({ path }) => path) ?? [];

describe('a rule', () => {
  it('is taken as it is', () => {
    expect(checkRule(rule)).toEqual({ rule, mistakes: null });
    const whole = {
      ...rule,
      measure: 'distance',
      unit: 'percent',
      each: 'order',
      new_only: true,
      clear_value: 900,
      filter: { kinds: ['outright', 'spread'], age_over_seconds: 600, distance_over_percent: 0.5 },
      hours: { zone: 'Europe/Berlin', days: ['Mon'], from: '22:00', to: '06:00', except_holidays: true },
    };
    expect(checkRule(whole)).toEqual({ rule: whole, mistakes: null });
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
    ['on a crossing that lasts', { ...price, comparison: 'crosses', for_seconds: 60 }, ['$.for_seconds']],
    ['about a list beside a filter', { ...price, filter: { symbols: ['A'], type: 'future' } }, ['$.filter.symbols']],
    ['about an empty list', { ...price, filter: { symbols: [] } }, ['$.filter.symbols']],
    ['about one product twice', { ...price, filter: { symbols: ['A', 'A'] } }, ['$.filter.symbols']],
    ['about one perpetual and several', { ...flip, base_symbol: 'BTCUC' }, ['$.base_symbols']],
    ['about an empty code', { ...flip, base_symbols: ['BTCUC', ''] }, ['$.base_symbols[1]']],
    ['about no perpetual yet', { ...flip, base_symbols: undefined, base_symbol: '' }, ['$.base_symbol']],
    [
      'of a rate against itself',
      { ...flip, ...rate, measure: 'difference', against: 'ETHUI', base_symbols: ['ETHUI'] },
      ['$.against'],
    ],
    ['in a unit of another measure', { ...flip, ...rate, measure: 'premium', unit: 'percent APR' }, ['$.unit']],
    ['about nothing known', { ...rule, about: 'weather' }, ['$.about']],
    [
      'with limits that are none',
      { ...rule, filter: { kinds: [], distance_over_percent: -1, age_over_seconds: 0, notional_over_usd: -5 } },
      ['$.filter.kinds', '$.filter.distance_over_percent', '$.filter.notional_over_usd'],
    ],
    [
      'with a limit of working orders for what happened',
      {
        ...rule,
        about: 'activity',
        measure: 'placed',
        window_seconds: 60,
        filter: { age_over_seconds: 60, kinds: ['option'] },
      },
      ['$.filter.age_over_seconds'],
    ],
    ['for each order, whose number is one', { ...rule, each: 'order' }, ['$.value']],
    ['for new ones only, of nothing in particular', { ...rule, new_only: true }, ['$.new_only']],
    [
      'for each order in a window',
      { ...rule, about: 'activity', measure: 'placed', window_seconds: 60, each: 'order' },
      ['$.each'],
    ],
    ['that clears beyond the value', { ...rule, clear_value: 1_001 }, ['$.clear_value']],
    ['that clears under a lower limit', { ...rule, comparison: 'under', clear_value: 999 }, ['$.clear_value']],
    [
      'with times that are too long',
      { ...rule, keep_seconds: 86_401, at_most_every_seconds: -1 },
      ['$.keep_seconds', '$.at_most_every_seconds'],
    ],
    [
      'with hours that are none',
      { ...rule, hours: { zone: '+02:00', days: [], from: '8:00', to: '24:00', except_holidays: false } },
      ['$.hours.zone', '$.hours.days', '$.hours.from', '$.hours.to'],
    ],
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
    ['with a name of two paragraphs', { ...rule, name: 'a\u2029b' }, ['$.name']],
    ['with a name that nobody sees', { ...rule, name: '\u200b' }, ['$.name']],
    ['with a name that is read backwards', { ...rule, name: 'sell \u202eyub' }, ['$.name']],
    [
      'with an expression that is read backwards',
      { ...rule, expression: 'order.side == "\u202eksA"' },
      ['$.expression'],
    ],
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

  it('that escalates names each channel once, later and later, and is repeated once a minute at most', () => {
    const step = (after_seconds: number, ...channels: readonly string[]) => ({ after_seconds, channels });
    const of = (channels: readonly string[], ...escalate: readonly object[]) =>
      pathsOf({ ...rule, channels, escalate });
    expect(of(['ops'], step(300, 'night'), step(900, 'lead'))).toEqual([]);
    expect(of([], step(300, 'night'))).toEqual(['$.escalate']);
    expect(of(['ops'], step(300, 'ops'))).toEqual(['$.escalate[0].channels']);
    expect(of(['ops'], step(300, 'night'), step(900, 'night'))).toEqual(['$.escalate[1].channels']);
    expect(of(['ops'], step(300))).toEqual(['$.escalate[0].channels']);
    expect(of(['ops'], step(300, 'night'), step(300, 'lead'))).toEqual(['$.escalate[1].after_seconds']);
    expect(of(['ops'], step(0, 'night'))).toEqual(['$.escalate[0].after_seconds']);
    expect(of(['ops'], ...Array.from({ length: 6 }, (_, index) => step(index + 1, `c${String(index)}`)))).toEqual([
      '$.escalate',
    ]);
    expect(pathsOf({ ...rule, repeat_seconds: 60 })).toEqual([]);
    expect(pathsOf({ ...rule, repeat_seconds: 59 })).toEqual(['$.repeat_seconds']);
  });

  it('of a measure that no text can be made of is refused as any other mistake', () => {
    expect(pathsOf({ ...rule, measure: [{ toString: false }] })).toContain('$.measure');
  });

  it('is checked whatever it is', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.dictionary(fc.constantFrom(...Object.keys(rule), 'escalate', 'repeat_seconds'), fc.anything()),
        (value, fields) => {
          expect(checkRule(value).rule).toBeNull();
          expect(() => checkRule({ ...rule, ...fields })).not.toThrow();
          expect(() => checkRule({ ...rule, escalate: [value] })).not.toThrow();
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
    expect(RULE_SUGGESTIONS).toHaveLength(12);
    expect(checkRules(RULE_SUGGESTIONS).mistakes).toEqual([]);
    const parser = createParser(AnyRule);
    for (const suggestion of RULE_SUGGESTIONS) {
      expect(suggestion.enabled).toBe(false);
      expect(parser.strict(JSON.stringify(suggestion))).toEqual(suggestion);
    }
  });
});
