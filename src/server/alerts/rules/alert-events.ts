import type { AlertStateName } from '#contract/desk/alerts.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { describeDataAgain, describeEnded, describeMissing, describeReading } from '#model/rules/describe-rule.ts';
import type { Evidence, GroupReading } from '#model/rules/readings.ts';
import { isGrouped } from '#model/rules/rule-groups.ts';
import { findMeasure } from '#contract/desk/rule-measures.ts';
import type { AlertEvent, CallState } from '../calls/call.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import { isFlapping, type AlertState } from './alert-state.ts';

/** A rule for one group, with what it says at present. */
export interface LiveAlert {
  readonly rule: Rule;
  readonly group: string;
  readonly state: AlertState;
  /** Null after a restart, until it is evaluated. */
  readonly reading: GroupReading | null;
  /** Why nothing can be said; null where something can. */
  readonly missing: string | null;
}

/** All alerts of a rule. */
type AlertsOf = (ruleId: string) => readonly LiveAlert[];

/** What is said of an alert in a state, which may be an end that it does not stay in. */
function sentenceOf(
  alert: LiveAlert,
  state: CallState | AlertState['status'],
  alertsOf: AlertsOf,
  now: number,
): string {
  const { rule, group, reading, missing } = alert;
  if (state === 'ended') return describeEnded(rule, group);
  if (missing !== null) return describeMissing(rule, group, missing);
  if (reading === null) return `${rule.name}: not evaluated since Perpdesk started.`;
  // Earlier versions stored such an end as resolved, too; of all groups together, the measure says nothing.
  if (state === 'data again' || (group === '' && isGrouped(rule)))
    return describeDataAgain(
      rule,
      reading,
      groupsIn(alert, alertsOf, 'firing'),
      groupsIn(alert, alertsOf, 'pending').length > 0,
    );
  const sentence = describeReading(rule, reading);
  return isFlapping(alert.state, now)
    ? `${sentence} It is flapping: it resolves only after ten minutes without holding.`
    : sentence;
}

/** Of all groups, where it stands for the rule; otherwise only its own. */
function groupsIn({ rule, group }: LiveAlert, alertsOf: AlertsOf, status: AlertState['status']): readonly string[] {
  return alertsOf(rule.id)
    .filter((one) => one.state.status === status && (group === '' || one.group === group))
    .map((one) => one.group);
}

/** Leads to the newest alert of a rule. An address in a message names no account. */
function toAddress({ id }: Rule): string {
  return `/rules?alert=${encodeURIComponent(id)}`;
}

/** Equal events have equal keys, whichever desk finds them and however often. */
export function toEvent(alert: LiveAlert, call: CallState, alertsOf: AlertsOf, now: number): AlertEvent {
  const { rule, group, state } = alert;
  const startedAt = state.startedAt ?? state.since;
  // An incident may fire, and be without data, several times.
  const began = call === 'no data' || call === 'firing' ? state.since : startedAt;
  return {
    key: JSON.stringify([rule.id, group, began, call]),
    ruleId: rule.id,
    ruleName: rule.name,
    severity: rule.severity,
    group,
    state: call,
    at: now,
    startedAt,
    sentence: sentenceOf(alert, call, alertsOf, now),
    path: toAddress(rule),
  };
}

export function describeAcknowledgement({ acknowledged }: Pick<AlertState, 'acknowledged'>): object | null {
  return acknowledged && { ...acknowledged, at: toInstant(acknowledged.at) };
}

/** What is the same in an alert and in its history, as fields of JSON. */
export function toAlertFields(alert: LiveAlert, status: AlertStateName, alertsOf: AlertsOf, now: number): object {
  const { rule, group, state, reading } = alert;
  const value = alert.missing === null && status !== 'ended' ? (reading?.value ?? null) : null;
  return {
    rule_id: rule.id,
    rule_name: rule.name,
    severity: rule.severity,
    group,
    value: value?.toFixed() ?? null,
    unit: value === null ? null : (findMeasure(rule.about, rule.measure)?.unit ?? null),
    sentence: sentenceOf(alert, status, alertsOf, now),
    state: status,
    started_at: toInstantOrNull(state.startedAt),
  };
}

/** The evidence as a text of JSON, whose orders are the exchange's own texts. */
export function toEvidenceText({ total, orders, products }: Evidence, textOf: (row: object) => string): string {
  return `{"total":${String(total)},"orders":[${orders.map(textOf).join(',')}],"products":[${products.map((row) => JSON.stringify(row)).join(',')}]}`;
}

export function joinBody(fields: object, evidence: string): string {
  return `${JSON.stringify(fields).slice(0, -1)},"evidence":${evidence}}`;
}
