import { expect, it } from 'vitest';
import { HUNDRED, toAlert } from '#testing/alerts.ts';
import { countTabs, findSilences, toExcess, toMatches, toTab } from './alert-tabs.ts';

const acknowledged = { by: 'Ann', at: HUNDRED[0]?.since ?? toAlert({}).since, note: '' };

it('an alert is in one tab: what is over, what somebody cares for, what is silenced, and what is left', () => {
  const silenced = toAlert({ silenced_until: toAlert({}).since });
  expect(toTab(toAlert({ state: 'pending' }))).toBe('active');
  expect(toTab(silenced)).toBe('silenced');
  expect(toTab({ ...silenced, acknowledged })).toBe('acknowledged');
  expect(toTab({ ...silenced, acknowledged, state: 'data again' })).toBe('resolved');
  expect(countTabs([silenced, ...HUNDRED])).toEqual({ active: 100, acknowledged: 0, silenced: 1, resolved: 0 });
});

it.each([
  ['49', 'over 40', 1.225],
  ['10', 'under 40', -0.25],
  ['-2000', 'beyond ±1,000 USD', 2],
  ['5', 'over 0', null],
  ['5', null, null],
  [null, 'over 40', null],
])('the value %s, %s, is past its limit by %s', (value, limit, expected) => {
  expect(toExcess({ value, limit })).toBe(expected);
});

it('what is silenced together is one match for each rule, which matches those alerts and no others', () => {
  const alerts = HUNDRED.slice(0, 4);
  const matches = toMatches(alerts);
  expect(matches).toEqual([
    { rule_id: 'many', groups: ['MERI-101', 'MERI-103', 'NORD-110'] },
    { rule_id: 'critical', group: 'MERI-103' },
  ]);
  const silences = matches.map((match, index) => ({
    ...{ id: String(index), match, until: toAlert({}).since, by: '', at: toAlert({}).since, note: '' },
  }));
  const silenced = [...HUNDRED, toAlert({ group: 'MERI-999' })].filter(
    (alert) => findSilences(alert, silences).length > 0,
  );
  expect(silenced).toEqual(alerts);
});
