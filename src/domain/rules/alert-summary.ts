import type { Alert, DeskAlerts } from '#contract/desk-alerts.ts';
import { SEVERITIES } from '#contract/rule-measures.ts';
import { countOf } from '../format/count.ts';

type Severity = (typeof SEVERITIES)[number];

/** What there is to say about all rules in a few words. */
export interface AlertSummary {
  /** Of those that fire and that nobody has acknowledged or silenced, the worst; null where none does. */
  readonly worst: Severity | null;
  readonly text: string;
  /** Whether it is known at all what the rules say: if not, there may be alerts. */
  readonly isKnown: boolean;
}

/** Rules are evaluated at least every half minute; twice that much later something is wrong. */
const STALE_MS = 90_000;

/** `now` in epoch milliseconds, by Perpdesk's clock. */
export function summariseAlerts(response: DeskAlerts, now: number): AlertSummary {
  if (response.rules === 0) return { worst: null, text: 'No rules', isKnown: true };
  if (response.evaluated_at === null || now - Date.parse(response.evaluated_at) > STALE_MS) return { worst: null, text: 'Alerts unknown', isKnown: false };
  const open = response.alerts.filter(({ state }) => state === 'firing');
  const calling = open.filter(isCalling);
  const worst = SEVERITIES.findLast((severity) => calling.some((alert) => alert.severity === severity)) ?? null;
  const missing = response.alerts.filter(({ state }) => state === 'no data').length;
  const parts = [describeOpen(open.length, calling, worst), ...(missing === 0 ? [] : [`${String(missing)} no data`])];
  return { worst, text: parts.join(' · '), isKnown: true };
}

/** Whether somebody is called for it: nobody has acknowledged it, and nothing keeps it quiet. */
export function isCalling({ state, acknowledged, silenced_until: silenced, inhibited_by: inhibited }: Alert): boolean {
  return state === 'firing' && acknowledged === null && silenced === null && inhibited === null;
}

function describeOpen(open: number, calling: readonly Alert[], worst: Severity | null): string {
  if (worst === null) return open === 0 ? 'No alerts' : `${countOf(open, 'alert')}, quiet`;
  const worstCount = calling.filter(({ severity }) => severity === worst).length;
  const named = { critical: `${String(worstCount)} critical`, warning: countOf(worstCount, 'warning'), info: `${String(worstCount)} info` }[worst];
  const others = open - worstCount;
  return others === 0 ? named : `${named}, ${String(others)} more`;
}

/** The worst and newest first. */
export function compareAlerts(a: Alert, b: Alert): number {
  return STATE_ORDER.indexOf(a.state) - STATE_ORDER.indexOf(b.state) || rankOf(b) - rankOf(a) || Date.parse(b.since) - Date.parse(a.since);
}

const STATE_ORDER: readonly string[] = ['firing', 'no data', 'pending', 'resolved'];

function rankOf({ severity }: Alert): number {
  return SEVERITIES.findIndex((known) => known === severity);
}

/** How many groups of a rule are in which state, in words: `2 firing, 1 pending`. */
export function describeRuleState(rule: { readonly id: string; readonly enabled: boolean }, alerts: readonly Alert[]): string {
  if (!rule.enabled) return 'Off';
  const own = alerts.filter(({ rule_id: id, state }) => id === rule.id && state !== 'resolved');
  if (own.length === 0) return 'OK';
  return [...Map.groupBy(own.toSorted(compareAlerts), ({ state }) => state)].map(([state, members]) => (own.length === 1 && members[0]?.group === '' ? state : `${String(members.length)} ${state}`)).join(', ');
}
