import type { Rule } from '#contract/desk-rules.ts';
import { describeMissing, describeReading, describeRetired } from '#domain/rules/describe-rule.ts';
import type { Evidence, GroupReading } from '#domain/rules/readings.ts';
import { findMeasure } from '#contract/rule-measures.ts';
import type { AlertEvent } from '../calls/call.ts';
import { toInstant, toInstantOrNull } from '../to-instant.ts';
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
  /** The rule was changed or turned off, and what it said of the group is over. */
  readonly isRetired?: true;
}

function sentenceOf({ rule, group, state, reading, missing, isRetired }: LiveAlert, now: number): string {
  if (isRetired) return describeRetired(rule, group);
  const sentence = missing !== null ? describeMissing(rule, group, missing) : reading === null ? `${rule.name}: not evaluated since Perpdesk started.` : describeReading(rule, reading);
  return isFlapping(state, now) ? `${sentence} It is flapping: it resolves only after ten minutes without holding.` : sentence;
}

/** Lists all alerts. An address in a message names no account. */
const ALERTS_PATH = '/rules';

/** Equal events have equal keys, whichever desk finds them and however often. */
export function toEvent(alert: LiveAlert, call: AlertEvent['state'], now: number): AlertEvent {
  const { rule, group, state } = alert;
  const startedAt = state.startedAt ?? state.since;
  const began = call === 'no data' ? state.since : startedAt;
  return {
    key: JSON.stringify([rule.id, group, began, call]),
    ruleId: rule.id,
    ruleName: rule.name,
    severity: rule.severity,
    group,
    state: call,
    at: now,
    startedAt,
    sentence: sentenceOf(alert, now),
    path: ALERTS_PATH,
  };
}

export function describeAcknowledgement({ acknowledged }: Pick<AlertState, 'acknowledged'>): object | null {
  return acknowledged && { ...acknowledged, at: toInstant(acknowledged.at) };
}

/** What is the same in an alert and in its history, as fields of JSON. */
export function toAlertFields(alert: LiveAlert, now: number): object {
  const { rule, group, state, reading } = alert;
  const value = alert.missing === null ? (reading?.value ?? null) : null;
  return {
    rule_id: rule.id,
    rule_name: rule.name,
    severity: rule.severity,
    group,
    value: value?.toFixed() ?? null,
    unit: value === null ? null : (findMeasure(rule.about, rule.measure)?.unit ?? null),
    sentence: sentenceOf(alert, now),
    state: state.status,
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
