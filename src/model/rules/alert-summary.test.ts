import { describe, expect, it } from 'vitest';
import type { MarketRule, OrdersRule, Rule } from '#contract/desk/rules.ts';
import { NO_EVIDENCE, type SubjectReading } from './readings.ts';
import { compareAlerts, findWatched, summariseAlerts, summariseRule } from './alert-summary.ts';
import type { Alert, DeskAlerts, RuleState } from '#contract/desk/alerts.ts';
import type { Instant } from '#contract/exchange/instant.ts';

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
const reading = (subject: string, products: SubjectReading['evidence']['products'] = []): SubjectReading => ({
  group: subject,
  holds: false,
  value: null,
  because: null,
  evidence: { ...NO_EVIDENCE, products },
});
const product = {} as SubjectReading['evidence']['products'][number];

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

  it.each<readonly [string, Rule, readonly SubjectReading[], boolean]>([
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

const now = Date.parse('2026-08-17T12:00:00Z');
const at = (secondsAgo: number) => new Date(now - secondsAgo * 1_000).toISOString() as Instant;

function alertOf(fields: Partial<Alert>): Alert {
  return {
    rule_id: 'many',
    rule_name: 'Many orders',
    severity: 'warning',
    group: '',
    value: '7',
    unit: 'orders',
    sentence: '7 working orders, over 5.',
    state: 'firing',
    since: at(60),
    started_at: at(60),
    evaluated_at: at(5),
    acknowledged: null,
    silenced_until: null,
    inhibited_by: null,
    inhibited_because: null,
    flapping: false,
    limit: 'over 5',
    rows: 7,
    notes: [],
    ...fields,
  };
}

function summaryOf(alerts: readonly Alert[], fields: Partial<DeskAlerts> = {}, isOut = false) {
  return summariseAlerts(
    {
      evaluates: true,
      evaluated_at: at(5),
      rules: 3,
      rule_states: [],
      alerts: [...alerts],
      last_fired: [],
      silences: [],
      shift_note: null,
      may_edit_shift_note: true,
      ...fields,
    },
    now,
    isOut,
  );
}

const quiet = { acknowledged: { by: 'desk', at: at(10), note: '' } };

const inhibited = { inhibited_by: 'venue-away', inhibited_because: 'exchange unreachable' };
const stateOf = (fields: Partial<RuleState>): RuleState => ({
  rule_id: 'many',
  state: 'ok',
  watches: null,
  reason: null,
  ...fields,
});

describe('the summary of alerts', () => {
  it.each([
    ['no alert', [], { mark: 'attention', text: 'No alerts' }],
    ['an acknowledged one', [alertOf(quiet)], { mark: 'attention', text: '1 alert acknowledged' }],
    ['a warning', [alertOf({})], { mark: 'warning', text: '1 warning' }],
  ])('is never a tick while a channel fails: %s', (_, alerts, summary) => {
    const channel = { name: 'night', since: at(2_100), waiting: 2, sentence: '' };
    const failing = 'night: notifications failing for 35 min';
    expect(summaryOf(alerts, { failing_channels: [channel] })).toEqual({ ...summary, failing });
    expect(summaryOf(alerts, { failing_channels: [channel, { ...channel, since: at(7_500) }] })).toEqual({
      ...summary,
      failing: '2 channels: notifications failing for 2 h 05 min',
    });
  });

  it('names the worst severity that is called, how many more are, and how many are acknowledged or silenced', () => {
    expect(summaryOf([alertOf({}), alertOf({ severity: 'critical' }), alertOf({ severity: 'info' })])).toEqual({
      mark: 'critical',
      text: '1 critical, 2 more',
    });
    expect(summaryOf([alertOf({}), alertOf({ severity: 'critical', ...quiet })])).toEqual({
      mark: 'warning',
      text: '1 warning · 1 acknowledged',
    });
    expect(
      summaryOf([alertOf({}), alertOf({}), alertOf({ silenced_until: at(-60) }), alertOf({ state: 'no data' })]),
    ).toEqual({ mark: 'warning', text: '2 warnings · 1 silenced · 1 without data' });
    expect(summaryOf([alertOf(quiet), alertOf({ silenced_until: at(-60) })])).toEqual({
      mark: 'muted',
      text: '1 alert acknowledged · 1 silenced',
    });
  });

  it('counts what fires as before where an outage only keeps it from being notified, and says so', () => {
    const explained = [
      alertOf(inhibited),
      alertOf({ ...inhibited, severity: 'critical' }),
      alertOf({ ...inhibited, state: 'no data' }),
      alertOf({ rule_id: 'venue-away', state: 'pending' }),
    ];
    expect(summaryOf(explained)).toEqual({
      mark: 'critical',
      text: '1 critical, 1 more · 1 without data · no notifications: exchange unreachable',
    });
    expect(summaryOf([alertOf(inhibited), alertOf({ ...inhibited, ...quiet, severity: 'critical' })])).toEqual({
      mark: 'warning',
      text: '1 warning · 1 acknowledged · no notifications: exchange unreachable',
    });
    expect(summaryOf([alertOf({ ...inhibited, state: 'no data' })])).toEqual({
      mark: 'attention',
      text: '1 without data · no notifications: exchange unreachable',
    });
    expect(summaryOf([...explained, alertOf({ severity: 'critical', group: 'A' })])).toEqual({
      mark: 'critical',
      text: '2 critical, 1 more · 1 without data · no notifications: exchange unreachable',
    });
  });

  it('counts what has no data, which is never fine, and nothing that is pending or over', () => {
    expect(
      summaryOf([alertOf({ state: 'pending' }), alertOf({ state: 'resolved' }), alertOf({ state: 'data again' })]),
    ).toEqual({ mark: 'none', text: 'No alerts' });
    expect(summaryOf([alertOf({ state: 'no data' })])).toEqual({
      mark: 'attention',
      text: '1 without data',
    });
    expect(summaryOf([alertOf({ state: 'no data', ...quiet })])).toEqual({
      mark: 'muted',
      text: '1 without data',
    });
  });

  it('is only what was last known, and no tick, while nothing from the exchange is current', () => {
    expect(summaryOf([], {}, true)).toEqual({ mark: 'unknown', text: 'Last known: No alerts' });
    expect(summaryOf([alertOf({})], {}, true)).toEqual({ mark: 'warning', text: 'Last known: 1 warning' });
    expect(summaryOf([], { rules: 0 }, true).text).toBe('No alerts set');
  });

  it('counts rules that watch nothing', () => {
    expect(summaryOf([], { rule_states: [stateOf({ state: 'watches nothing' })] })).toEqual({
      mark: 'attention',
      text: 'No alerts · 1 rule watches nothing',
    });
    expect(
      summaryOf([alertOf({})], {
        rule_states: [stateOf({ state: 'watches nothing' }), stateOf({ state: 'watches nothing' })],
      }),
    ).toEqual({ mark: 'warning', text: '1 warning · 2 rules watch nothing' });
  });

  it('never takes unknown for none, nor no rule for a good one', () => {
    expect(summaryOf([], { evaluated_at: null })).toEqual({ mark: 'unknown', text: 'Alerts unknown' });
    expect(summaryOf([], { evaluated_at: at(120) })).toEqual({ mark: 'unknown', text: 'Alerts unknown' });
    expect(summaryOf([], { rules: 0, evaluated_at: null })).toEqual({
      mark: 'muted',
      text: 'No alerts set',
    });
  });
});

it('lists what fires first, the worst and newest of it first', () => {
  const list = [
    alertOf({ group: 'old', since: at(90) }),
    alertOf({ group: 'pending', state: 'pending' }),
    alertOf({ group: 'new' }),
    alertOf({ group: 'critical', severity: 'critical', since: at(100) }),
    alertOf({ group: 'none', state: 'no data' }),
  ];
  expect(list.toSorted(compareAlerts).map(({ group: subject }) => subject)).toEqual([
    'critical',
    'new',
    'old',
    'none',
    'pending',
  ]);
});

it('says what a rule says now, of how many groups, and what it watches', () => {
  const rule = { id: 'many', enabled: true };
  const say = (alerts: readonly Alert[], state: Partial<RuleState>) =>
    summariseRule(rule, { alerts: [...alerts], rule_states: [stateOf(state)] });
  expect(summariseRule({ ...rule, enabled: false }, undefined)).toEqual({ mark: 'none', text: 'Off', watches: null });
  expect(summariseRule(rule, undefined)).toMatchObject({ mark: 'none', text: 'unknown' });
  expect(
    say([alertOf({ rule_id: 'other' }), alertOf({ state: 'resolved' }), alertOf({ state: 'data again' })], {
      watches: '36 accounts',
    }),
  ).toEqual({ mark: 'good', text: 'OK', watches: 'watches 36 accounts' });
  expect(say([alertOf({})], { state: 'firing' })).toEqual({ mark: 'bad', text: 'firing', watches: null });
  expect(
    say([alertOf({ group: 'a' }), alertOf({ group: 'b', state: 'no data' }), alertOf({ group: 'c' })], {
      state: 'firing',
    }),
  ).toMatchObject({ mark: 'bad', text: '2 firing, 1 no data' });
  const reason = 'outside its hours, next at Mon 2026-08-17 08:30 America/Chicago';
  expect(say([], { state: 'outside hours', watches: null, reason })).toEqual({
    mark: 'none',
    text: 'Outside its hours, next at Mon 2026-08-17 08:30 America/Chicago',
    watches: null,
  });
  expect(say([], { state: 'watches nothing', watches: '0 products', reason: 'no product matches' })).toEqual({
    mark: 'attention',
    text: 'Watches nothing: no product matches',
    watches: null,
  });
  expect(
    say([alertOf({ group: 'ALGO-999' })], { state: 'firing', watches: '1 account', reason: 'no account matches' }),
  ).toMatchObject({ text: '1 firing', watches: 'Watches nothing: no account matches' });
});
