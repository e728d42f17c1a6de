import { describe, expect, it } from 'vitest';
import type { Alert, DeskAlerts } from '#contract/desk-alerts.ts';
import type { Instant } from '#contract/instant.ts';
import { compareAlerts, describeRuleState, summariseAlerts } from './alert-summary.ts';

const now = Date.parse('2026-08-17T12:00:00Z');
const at = (secondsAgo: number) => new Date(now - secondsAgo * 1_000).toISOString() as Instant;

function alertOf(fields: Partial<Alert>): Alert {
  return {
    rule_id: 'many', rule_name: 'Many orders', severity: 'warning', group: '', value: '7', unit: 'orders', sentence: 'Working orders: 7, over 5.', state: 'firing', since: at(60), started_at: at(60),
    evaluated_at: at(5), acknowledged: null, silenced_until: null, inhibited_by: null, inhibited_because: null, flapping: false, evidence: { total: 0, orders: [], products: [] }, ...fields,
  };
}

function summaryOf(alerts: readonly Alert[], fields: Partial<DeskAlerts> = {}) {
  return summariseAlerts({ evaluates: true, evaluated_at: at(5), rules: 3, rule_states: [], alerts: [...alerts], last_fired: [], silences: [], ...fields }, now);
}

const quiet = { acknowledged: { by: 'desk', at: at(10), note: '' } };

describe('the summary of alerts', () => {
  it('names the worst severity that is not quiet, and how many more there are', () => {
    expect(summaryOf([alertOf({}), alertOf({ severity: 'critical' }), alertOf({ severity: 'info' })])).toEqual({ worst: 'critical', text: '1 critical, 2 more', isKnown: true });
    expect(summaryOf([alertOf({}), alertOf({ severity: 'critical', ...quiet })])).toMatchObject({ worst: 'warning', text: '1 warning, 1 more' });
    expect(summaryOf([alertOf(quiet), alertOf({ silenced_until: at(-60) }), alertOf({ inhibited_by: 'venue-away' })])).toMatchObject({ worst: null, text: '3 alerts, quiet' });
  });

  it('counts what has no data, and nothing that is pending or resolved', () => {
    expect(summaryOf([alertOf({ state: 'pending' }), alertOf({ state: 'resolved' })]).text).toBe('No alerts');
    expect(summaryOf([alertOf({ state: 'no data' })]).text).toBe('No alerts · 1 no data');
  });

  it('never takes unknown for none', () => {
    expect(summaryOf([], { evaluated_at: null })).toMatchObject({ isKnown: false, text: 'Alerts unknown' });
    expect(summaryOf([], { evaluated_at: at(120) })).toMatchObject({ isKnown: false, text: 'Alerts unknown' });
    expect(summaryOf([], { rules: 0, evaluated_at: null }).text).toBe('No rules');
  });
});

it('lists what fires first, the worst and newest of it first', () => {
  const list = [alertOf({ group: 'old', since: at(90) }), alertOf({ group: 'pending', state: 'pending' }), alertOf({ group: 'new' }), alertOf({ group: 'critical', severity: 'critical', since: at(100) }), alertOf({ group: 'none', state: 'no data' })];
  expect(list.toSorted(compareAlerts).map(({ group }) => group)).toEqual(['critical', 'new', 'old', 'none', 'pending']);
});

it('says what a rule says now, of how many groups', () => {
  const rule = { id: 'many', enabled: true };
  expect(describeRuleState({ ...rule, enabled: false }, [alertOf({})])).toBe('Off');
  expect(describeRuleState(rule, [alertOf({ rule_id: 'other' }), alertOf({ state: 'resolved' })])).toBe('OK');
  expect(describeRuleState(rule, [alertOf({})])).toBe('firing');
  expect(describeRuleState(rule, [alertOf({ group: 'a' }), alertOf({ group: 'b', state: 'no data' }), alertOf({ group: 'c' })])).toBe('2 firing, 1 no data');
});
