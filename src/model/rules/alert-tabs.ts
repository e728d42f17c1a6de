import type { Alert, Silence } from '#contract/desk/alerts.ts';
import { SEVERITIES } from '#contract/desk/rule-measures.ts';
import { isOver } from './alert-summary.ts';

/** Where an alert is listed: by what is left to do about it. */
export const ALERT_TABS = ['active', 'acknowledged', 'silenced', 'resolved'] as const;
export type AlertTab = (typeof ALERT_TABS)[number];

export function toTab(alert: Alert): AlertTab {
  if (isOver(alert)) return 'resolved';
  if (alert.acknowledged !== null) return 'acknowledged';
  return alert.silenced_until === null ? 'active' : 'silenced';
}

export function countTabs(alerts: readonly Alert[]): Readonly<Record<AlertTab, number>> {
  const counts = { active: 0, acknowledged: 0, silenced: 0, resolved: 0 };
  for (const alert of alerts) counts[toTab(alert)] += 1;
  return counts;
}

/** Identifies an alert: no two have the same rule and subject. */
export function keyOfAlert({ rule_id: ruleId, group: subject }: Pick<Alert, 'rule_id' | 'group'>): string {
  return `${ruleId}\n${subject}`;
}

const STATES = ['resolved', 'data again', 'pending', 'no data', 'firing'];

/** Returns the larger number for what is worse: first by whether it fires, then by severity. */
export function toBadness({ state, severity }: Pick<Alert, 'state' | 'severity'>): number {
  return STATES.indexOf(state) * 10 + SEVERITIES.findIndex((known) => known === severity);
}

/**
 * Returns how far the value is past its limit, as a multiple of it, for sorting only. Null if either is unknown, or if
 * the limit is zero.
 */
export function toExcess({ value, limit }: Pick<Alert, 'value' | 'limit'>): number | null {
  const bound = Number(/[\d,.]+/.exec(limit ?? '')?.[0].replaceAll(',', '') ?? NaN);
  if (value === null || !(bound > 0)) return null;
  const ratio = Number(value) / bound;
  return limit?.startsWith('under') === true ? -ratio : Math.abs(ratio);
}

/** Returns the silences that an alert matches, the one that ends last first. */
export function findSilences(alert: Alert, silences: readonly Silence[]): readonly Silence[] {
  return silences
    .filter(
      ({ match: { rule_id: rule, group: subject, groups, severity } }) =>
        (rule ?? alert.rule_id) === alert.rule_id &&
        (subject ?? alert.group) === alert.group &&
        (groups === undefined || groups.includes(alert.group)) &&
        (severity ?? alert.severity) === alert.severity,
    )
    .toSorted((a, b) => Date.parse(b.until) - Date.parse(a.until));
}

/** Returns one match for each rule, which silences exactly these alerts. */
export function toMatches(alerts: readonly Pick<Alert, 'rule_id' | 'group'>[]): Silence['match'][] {
  return [...Map.groupBy(alerts, ({ rule_id: id }) => id)].map(([id, own]) =>
    own.length === 1
      ? { rule_id: id, group: own[0]?.group ?? '' }
      : { rule_id: id, groups: own.map((one) => one.group) },
  );
}

/**
 * Returns the alert of a rule about a subject. If there is none, or none is named, returns the one that began to fire
 * last.
 */
export function findNamed(alerts: readonly Alert[], ruleId: string, subject: string): Alert | null {
  const ofRule = alerts.filter(({ rule_id: id }) => id === ruleId);
  const own = subject === '' ? undefined : ofRule.find(({ group }) => group === subject);
  const startOf = ({ started_at: at, since }: Alert): number => Date.parse(at ?? since);
  return own ?? ofRule.toSorted((a, b) => startOf(b) - startOf(a))[0] ?? null;
}
