import type { Alert, DeskAlerts } from '#contract/desk/alerts.ts';
import type { OrdersRule } from '#contract/desk/rules.ts';
import type { Instant } from '#contract/exchange/instant.ts';

/** When the responses for component tests were recorded. */
const RECORDED_AT = Date.parse('2026-08-17T12:30:00Z');

export const ago = (seconds: number): Instant => new Date(RECORDED_AT - seconds * 1_000).toISOString() as Instant;

function toRule(id: string, name: string, value: number): OrdersRule {
  return {
    ...{ id, name, enabled: true, severity: 'warning', channels: [], for_seconds: 0 },
    ...{ about: 'orders', measure: 'count', filter: {}, each: 'account', comparison: 'over', value, unit: 'orders' },
  };
}

export const RULES = [
  toRule('many', 'Working orders over 40, each account', 40),
  { ...toRule('critical', 'Working orders over 60, each account', 60), severity: 'critical' as const },
  toRule('silent', 'No order placed in 3 min, each account', 1),
];

export function toAlert(fields: Partial<Alert>): Alert {
  const { group: subject = 'MERI-103', value = '49' } = fields;
  return {
    ...{ rule_id: 'many', rule_name: RULES[0]?.name ?? '', severity: 'warning', group: subject, value, unit: 'orders' },
    ...{ sentence: `Working orders of ${subject}: ${value ?? ''}, over 40.`, state: 'firing', since: ago(300) },
    ...{ started_at: ago(300), evaluated_at: ago(2), limit: 'over 40', rows: 49, notes: [], acknowledged: null },
    ...{ silenced_until: null, inhibited_by: null, inhibited_because: null, flapping: false },
    ...fields,
  };
}

/** A hundred alerts of three rules, all of them firing. */
export const HUNDRED: readonly Alert[] = [
  toAlert({ group: 'MERI-101', value: '46', since: ago(200) }),
  toAlert({ group: 'MERI-103' }),
  toAlert({ group: 'NORD-110', value: '43', since: ago(100) }),
  toAlert({
    rule_id: 'critical',
    rule_name: RULES[1]?.name ?? '',
    severity: 'critical',
    value: '61',
    limit: 'over 60',
  }),
  ...Array.from({ length: 96 }, (_, index) =>
    toAlert({
      ...{ rule_id: 'silent', rule_name: RULES[2]?.name ?? '', group: `HALC-${String(index + 101)}`, value: '0' },
      ...{ sentence: `Orders placed of HALC-${String(index + 101)}: 0, under 1.`, limit: 'under 1', rows: 0 },
    }),
  ),
];

export function toAlerts(alerts: readonly Alert[], fields: Partial<DeskAlerts> = {}): DeskAlerts {
  return {
    ...{ evaluates: true, evaluated_at: ago(2), rules: RULES.length, last_fired: [], silences: [] },
    rule_states: RULES.map(({ id }) => ({ rule_id: id, state: 'firing', watches: '36 accounts', reason: null })),
    ...{ shift_note: null, may_edit_shift_note: true, alerts: [...alerts] },
    ...fields,
  };
}
