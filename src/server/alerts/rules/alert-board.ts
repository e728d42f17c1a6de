import type { AlertStateName } from '#contract/desk/alerts.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { describeDataAgain, describeEnded, describeMissing, describeReading } from '#model/rules/describe-rule.ts';
import { type Evaluation, type Evidence, type SubjectReading, isMissing } from '#model/rules/readings.ts';
import { isGrouped } from '#model/rules/rule-subjects.ts';
import { findMeasure } from '#contract/desk/rule-measures.ts';
import type { AlertEvent, NotificationState } from '../notifications/notification.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import { advance, type AlertState, isFlapping, shiftTimes, type Verdict, withoutData } from './alert-state.ts';
import type { RestoredState, RuleStore } from './rule-store.ts';
import type { Watched } from '#model/rules/alert-summary.ts';

/** The alert of a rule for one subject, with the latest reading. */
export interface CurrentAlert {
  readonly rule: Rule;
  readonly group: string;
  readonly state: AlertState;
  /** Null after a restart, until the rule is evaluated. */
  readonly reading: SubjectReading | null;
  /** Why the rule cannot be evaluated; null if it can. */
  readonly missing: string | null;
}

/** An alert whose state has changed. */
export interface AlertMove {
  readonly alert: CurrentAlert;
  /** Null if nothing was remembered of it. */
  readonly before: AlertState | null;
  /** Null if nothing is remembered of it any more. */
  readonly after: AlertState | null;
}

/** When each rule last fired, in epoch milliseconds. */
type LastFired = ReadonlyMap<string, number>;

/** The current alerts of all rules. */
export interface AlertBoard {
  readonly all: () => readonly CurrentAlert[];
  readonly of: (ruleId: string) => readonly CurrentAlert[];
  readonly find: (ruleId: string, group: string) => CurrentAlert | undefined;
  /** Applies the evaluation of a rule and returns the alerts that changed. */
  readonly take: (rule: Rule, evaluation: Evaluation, now: number) => readonly AlertMove[];
  /** Replaces all alerts. */
  readonly load: (alerts: readonly CurrentAlert[], lastFired: LastFired) => void;
  readonly lastFired: () => LastFired;
  /** What a rule was about when it was last evaluated; null if that is unknown. */
  readonly watchedBy: (rule: Rule) => Watched | null;
  readonly noteWatched: (rule: Rule, watched: Watched | null) => void;
  readonly set: (alert: CurrentAlert, state: AlertState | null) => void;
  /** Adjusts times after the clock was corrected by this many milliseconds. */
  readonly shift: (byMs: number) => void;
}

export function createAlertBoard(): AlertBoard {
  const rules = new Map<string, Map<string, CurrentAlert>>();
  let lastFired = new Map<string, number>();
  const subjectsOf = (ruleId: string): Map<string, CurrentAlert> => {
    const subjects = rules.get(ruleId) ?? new Map<string, CurrentAlert>();
    rules.set(ruleId, subjects);
    return subjects;
  };
  const set = (alert: CurrentAlert, state: AlertState | null): void => {
    if (state === null) subjectsOf(alert.rule.id).delete(alert.group);
    else subjectsOf(alert.rule.id).set(alert.group, { ...alert, state });
  };

  const move = (rule: Rule, reading: SubjectReading, missing: string | null, now: number): readonly AlertMove[] => {
    const before = subjectsOf(rule.id).get(reading.group)?.state ?? null;
    const after = advance(before, missing === null ? reading.holds : null, now, rule.for_seconds * 1_000);
    const state = after ?? before;
    if (state === null) return [];
    const alert = {
      rule,
      group: reading.group,
      state,
      reading,
      missing: missing ?? (reading.holds === null ? reading.because : null),
    };
    set(alert, after);
    if (after?.status === 'firing' && before?.status !== 'firing') lastFired.set(rule.id, now);
    return after === before ? [] : [{ alert, before, after }];
  };

  const takeMissing = (rule: Rule, missing: string, now: number): readonly AlertMove[] => {
    const frozen = [...subjectsOf(rule.id).values()]
      .filter(({ group: subject }) => subject !== '')
      .flatMap((alert) => {
        const after = withoutData(alert.state);
        set({ ...alert, missing }, after);
        return after === alert.state ? [] : [{ alert, before: alert.state, after }];
      });
    return [...frozen, ...move(rule, toNothing('', null), missing, now)];
  };

  return {
    all: () => [...rules.values()].flatMap((subjects) => [...subjects.values()]),
    of: (ruleId) => [...subjectsOf(ruleId).values()],
    find: (ruleId, subject) => subjectsOf(ruleId).get(subject),
    lastFired: () => lastFired,
    ...createWatchedNotes(),
    load: (alerts, fired) => {
      rules.clear();
      lastFired = new Map(fired);
      for (const alert of alerts) set(alert, alert.state);
    },
    set,
    take: (rule, evaluation, now) => {
      if (isMissing(evaluation)) return takeMissing(rule, evaluation.missing, now);
      // Beside the subjects, the alert without one stands for the rule, which has data again. An alert that the
      // evaluation does not mention stays as it is.
      const whole = isGrouped(rule) && subjectsOf(rule.id).has('') ? [toNothing('', false)] : [];
      return [...evaluation, ...whole].flatMap((reading) => move(rule, reading, null, now));
    },
    shift: (byMs) => {
      for (const subjects of rules.values())
        for (const alert of subjects.values()) set(alert, shiftTimes(alert.state, byMs));
    },
  };
}

function createWatchedNotes(): Pick<AlertBoard, 'watchedBy' | 'noteWatched'> {
  const watched = new WeakMap<Rule, Watched>();
  return {
    watchedBy: (rule) => watched.get(rule) ?? null,
    noteWatched: (rule, found) => {
      if (found === null) watched.delete(rule);
      else watched.set(rule, found);
    },
  };
}

function toNothing(subject: string, holds: Verdict): SubjectReading {
  return { group: subject, holds, value: null, because: null, evidence: { total: 0, orders: [], products: [] } };
}

/** Returns all alerts of a rule. */
type AlertsOf = (ruleId: string) => readonly CurrentAlert[];

/** Returns the sentence about an alert in a state, which may be an end that the alert does not remain in. */
function sentenceOf(
  alert: CurrentAlert,
  state: NotificationState | AlertState['status'],
  alertsOf: AlertsOf,
  now: number,
): string {
  const { rule, group: subject, reading, missing } = alert;
  if (state === 'ended') return describeEnded(rule, subject);
  if (missing !== null) return describeMissing(rule, subject, missing);
  if (reading === null) return `${rule.name}: not evaluated since Perpdesk started.`;
  // Earlier versions also stored this end as resolved. Across all subjects, the measure has no value.
  if (state === 'data again' || (subject === '' && isGrouped(rule)))
    return describeDataAgain(
      rule,
      reading,
      subjectsIn(alert, alertsOf, 'firing'),
      subjectsIn(alert, alertsOf, 'pending').length > 0,
    );
  const sentence = describeReading(rule, reading);
  return isFlapping(alert.state, now)
    ? `${sentence} It is flapping: it resolves only after ten minutes without holding.`
    : sentence;
}

/** Returns the subjects in a state: all of them if the alert stands for the rule, otherwise only its own. */
function subjectsIn(
  { rule, group: subject }: CurrentAlert,
  alertsOf: AlertsOf,
  status: AlertState['status'],
): readonly string[] {
  return alertsOf(rule.id)
    .filter((one) => one.state.status === status && (subject === '' || one.group === subject))
    .map((one) => one.group);
}

/** Returns the path to the newest alert of a rule. Paths in notifications name no account. */
function toAddress({ id }: Rule): string {
  return `/rules?alert=${encodeURIComponent(id)}`;
}

/**
 * Returns the event for a notification. Equal events have equal keys, no matter which server finds them and how often.
 */
export function toEvent(
  alert: CurrentAlert,
  notification: NotificationState,
  alertsOf: AlertsOf,
  now: number,
): AlertEvent {
  const { rule, group: subject, state } = alert;
  const startedAt = state.startedAt ?? state.since;
  // An incident may fire or lose its data several times.
  const began = notification === 'no data' || notification === 'firing' ? state.since : startedAt;
  return {
    key: JSON.stringify([rule.id, subject, began, notification]),
    ruleId: rule.id,
    ruleName: rule.name,
    severity: rule.severity,
    group: subject,
    state: notification,
    at: now,
    startedAt,
    sentence: sentenceOf(alert, notification, alertsOf, now),
    path: toAddress(rule),
  };
}

export function describeAcknowledgement({ acknowledged }: Pick<AlertState, 'acknowledged'>): object | null {
  return acknowledged && { ...acknowledged, at: toInstant(acknowledged.at) };
}

/** Returns the JSON fields that a current alert and its history share. */
export function toAlertFields(alert: CurrentAlert, status: AlertStateName, alertsOf: AlertsOf, now: number): object {
  const { rule, group: subject, state, reading } = alert;
  const value = alert.missing === null && status !== 'ended' ? (reading?.value ?? null) : null;
  return {
    rule_id: rule.id,
    rule_name: rule.name,
    severity: rule.severity,
    group: subject,
    value: value?.toFixed() ?? null,
    unit: value === null ? null : (findMeasure(rule.about, rule.measure)?.unit ?? null),
    sentence: sentenceOf(alert, status, alertsOf, now),
    state: status,
    started_at: toInstantOrNull(state.startedAt),
  };
}

/** Returns the evidence as JSON, with the orders as the exchange wrote them. */
export function toEvidenceText({ total, orders, products }: Evidence, textOf: (row: object) => string): string {
  const rows = products.map((row) => JSON.stringify(row)).join(',');
  return `{"total":${String(total)},"orders":[${orders.map(textOf).join(',')}],"products":[${rows}]}`;
}

export function joinBody(fields: object, evidence: string): string {
  return `${JSON.stringify(fields).slice(0, -1)},"evidence":${evidence}}`;
}

/**
 * Loads the stored alerts. An alert of a rule that was changed or disabled keeps the earlier rule, and the engine then
 * ends it.
 */
export async function restoreAlerts(
  store: Pick<RuleStore, 'states' | 'lastFired'>,
  enabled: readonly Rule[],
  board: Pick<AlertBoard, 'load'>,
): Promise<void> {
  const current = new Map(enabled.map((rule) => [rule.id, rule]));
  const [states, lastFired] = await Promise.all([store.states(), store.lastFired()]);
  board.load(
    states.flatMap((stored) => toAlert(stored, current.get(stored.ruleId))),
    lastFired,
  );
}

function toAlert(
  { rule: evaluated, group: subject, state }: RestoredState,
  current: Rule | undefined,
): readonly CurrentAlert[] {
  const rule = evaluated === null || isSameCondition(evaluated, current) ? current : evaluated;
  return rule === undefined ? [] : [{ rule, group: subject, state, reading: null, missing: null }];
}

/** Returns whether two rules differ at most in name, severity and channels. */
export function isSameCondition(rule: Rule, other: Rule | undefined): boolean {
  return other !== undefined && conditionOf(rule) === conditionOf(other);
}

function conditionOf(rule: Rule): string {
  return JSON.stringify({ ...rule, name: null, severity: null, channels: null });
}
