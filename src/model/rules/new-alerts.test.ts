import { describe, expect, it } from 'vitest';
import type { Alert } from '#contract/desk/alerts.ts';
import { describeNewAlerts, findNewAlerts } from './alert-summary.ts';

const start = Date.parse('2026-08-17T12:00:00Z');
const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString();

function alertOf(seconds: number, fields: object = {}): Alert {
  return {
    rule_id: 'many',
    rule_name: 'Many orders',
    severity: 'warning',
    sentence: '7 working orders, over 5.',
    state: 'firing',
    since: at(seconds),
    started_at: at(seconds),
    acknowledged: null,
    silenced_until: null,
    inhibited_by: null,
    ...fields,
  } as unknown as Alert;
}

describe('alerts that are made known', () => {
  it('are those that began to fire since the last time, the worst first', () => {
    const [old, fresh, worse] = [alertOf(0), alertOf(10), alertOf(5, { severity: 'critical' })];
    expect(findNewAlerts([old, fresh, worse], start)).toEqual({ fresh: [worse, fresh], mark: start + 10_000 });
    expect(findNewAlerts([old, fresh, worse], start + 10_000)).toEqual({ fresh: [], mark: start + 10_000 });
  });

  it('are none at the first look, and none that is quiet or does not fire', () => {
    expect(findNewAlerts([alertOf(10)], null)).toEqual({ fresh: [], mark: start + 10_000 });
    const quiet = [
      { acknowledged: {} },
      { silenced_until: at(99) },
      { inhibited_by: 'venue-away' },
      { state: 'pending', started_at: null },
      { state: 'resolved' },
    ];
    expect(
      findNewAlerts(
        quiet.map((fields) => alertOf(10, fields)),
        start,
      ).fresh,
    ).toEqual([]);
  });

  it('are one message, however many', () => {
    expect(describeNewAlerts([alertOf(1)])).toEqual({
      title: 'Many orders (warning)',
      text: '7 working orders, over 5.',
    });
    expect(
      describeNewAlerts([alertOf(1, { severity: 'critical' }), alertOf(1), alertOf(2, { rule_name: 'Far orders' })]),
    ).toEqual({ title: '3 alerts, the worst critical', text: 'Many orders, Far orders' });
    expect(describeNewAlerts([])).toEqual({ title: '', text: '' });
  });
});
