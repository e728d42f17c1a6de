import { describe, expect, it } from 'vitest';
import { checkRule } from '#contract/desk/rules.ts';
import { MEASURES, type About } from '#contract/desk/rule-measures.ts';
import {
  asRule,
  changeComparison,
  changeEach,
  changeField,
  changeFilter,
  changeMeasure,
  choosePerpetuals,
  createDraft,
  perpetualChoiceOf,
  toRuleId,
} from './rule-draft.ts';
import { describeRule } from '#model/rules/rule-sentence.ts';

const named = { ...createDraft(), id: 'a-rule', name: 'A rule' };
const measures = Object.entries(MEASURES).flatMap(([about, known]) =>
  Object.keys(known).map((measure) => [about as About, measure] as const),
);

describe('a rule that is made', () => {
  it('has only its name left to be given', () => {
    expect(checkRule(createDraft()).mistakes?.map(({ path }) => path)).toEqual(['$.id', '$.name']);
  });

  it.each(measures)('has all that %s %s needs once the measure is chosen, wherever it comes from', (about, measure) => {
    for (const [from, before] of measures) {
      const draft = changeMeasure(
        changeMeasure({ ...named, base_symbol: 'BTCUC', against: 'ETHUI' }, from, before),
        about,
        measure,
      );
      const whole =
        about === 'funding'
          ? { ...draft, base_symbol: 'BTCUC', ...(measure === 'difference' && { against: 'ETHUI' }) }
          : draft;
      expect(checkRule(whole).mistakes).toBeNull();
    }
  });

  it('keeps what the next measure has too', () => {
    const filtered = changeFilter(
      changeField(changeField(named, 'each', 'account'), 'value', 7),
      'symbol',
      'PBTCUCZ50',
    );
    expect(changeMeasure(filtered, 'activity', 'placed')).toMatchObject({
      filter: { symbol: 'PBTCUCZ50' },
      each: 'account',
      value: 7,
    });
    expect(changeMeasure(filtered, 'orders', 'distance')).toMatchObject({
      value: 5,
      unit: 'percent',
      comparison: 'over',
    });
    expect(changeMeasure(filtered, 'market', 'volume')).toMatchObject({ filter: {} });
  });

  it('drops what only working orders have, and keeps when it is evaluated', () => {
    const hours = { zone: 'UTC', days: ['Mon'], from: '08:00', to: '16:00', except_holidays: false };
    const far = changeMeasure({ ...named, hours, keep_seconds: 60 }, 'orders', 'distance');
    const limited = changeEach(changeFilter(changeFilter(far, 'age_over_seconds', 600), 'kinds', ['option']), 'order');
    expect(checkRule(limited).mistakes).toBeNull();
    const placed = changeMeasure(limited, 'activity', 'placed');
    expect(checkRule(placed).mistakes).toBeNull();
    expect(placed).toMatchObject({ filter: { kinds: ['option'] }, each: 'all', hours, keep_seconds: 60 });
    const counted = changeMeasure({ ...limited, clear_value: 3 }, 'orders', 'count');
    expect(checkRule(counted).mistakes).toBeNull();
    expect(checkRule(changeEach({ ...named, clear_value: 3 }, 'order')).mistakes).toBeNull();
  });

  it('keeps the perpetuals as far as the choice has room for them, and wants one where there was none', () => {
    const flip = changeMeasure(named, 'funding', 'flip');
    const several = changeField(choosePerpetuals(flip, 'several'), 'base_symbols', ['BTCUC', 'ETHUI']);
    expect(perpetualChoiceOf(several)).toBe('several');
    expect(choosePerpetuals(several, 'one')['base_symbol']).toBe('BTCUC');
    expect(choosePerpetuals(choosePerpetuals(several, 'one'), 'several')['base_symbols']).toEqual(['BTCUC']);
    const every = changeMeasure(choosePerpetuals(several, 'every'), 'funding', 'settled_rate');
    expect(perpetualChoiceOf(every)).toBe('every');
    expect(checkRule(every).mistakes).toBeNull();
    for (const draft of [changeMeasure(every, 'funding', 'time_left'), changeMeasure(every, 'market', 'price')])
      expect(changeMeasure(draft, 'funding', 'flip')['base_symbol']).toBe('');
  });

  it('keeps its unit and value for a measure of the same unit, and a crossing lasts for no time', () => {
    const apr = changeField(
      changeField(changeMeasure(named, 'funding', 'settled_rate'), 'unit', 'percent APR'),
      'value',
      40,
    );
    expect(changeMeasure(apr, 'funding', 'predicted_rate')).toMatchObject({ value: 40, unit: 'percent APR' });
    expect(changeMeasure(apr, 'funding', 'premium')).toMatchObject({ value: 5, unit: 'percent' });
    const lasting = changeField(changeMeasure(named, 'market', 'price'), 'for_seconds', 60);
    expect(checkRule(changeComparison(lasting, 'crosses')).mistakes).toBeNull();
    expect(changeComparison(lasting, 'under')['for_seconds']).toBe(60);
  });

  it('leaves out filters and fields that are emptied', () => {
    const filtered = changeFilter(named, 'symbol', 'PBTCUCZ50');
    expect(changeFilter(filtered, 'symbol', '')['filter']).toEqual({});
    expect('expression' in changeField(changeField(named, 'expression', 'true'), 'expression', undefined)).toBe(false);
  });

  it('is a sentence even where something is missing', () => {
    expect(describeRule(asRule(changeField(named, 'value', null)))).toBe(
      'When there are more than … working orders, raise a warning.',
    );
    expect(describeRule(asRule(changeMeasure(named, 'funding', 'flip')))).toBe(
      'When the settled rate of … changes sign, raise a warning.',
    );
    expect(describeRule(asRule(changeField(named, 'for_seconds', null)))).toContain(' for …');
  });
});

it('makes an id of a name, unlike those that are taken', () => {
  expect(toRuleId('Too many orders of NORD-105!', new Set())).toBe('too-many-orders-of-nord-105');
  expect(toRuleId('Größe', new Set(['gro-e', 'gro-e-2']))).toMatch(/^gro/);
  expect(toRuleId('Many', new Set(['many', 'many-2']))).toBe('many-3');
  expect(toRuleId('', new Set())).toBe('rule');
});
