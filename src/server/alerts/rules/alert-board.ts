import type { AlertStateName } from '#contract/desk/alerts.ts';
import type { Rule } from '#contract/desk/rules.ts';
import {
  describeDataAgain,
  describeEnded,
  describeMissing,
  describeReading,
  describeRemoval,
  unitOf,
  writeValue,
} from '#model/rules/describe-rule.ts';
import { type Evaluation, type Evidence, type SubjectReading, isMissing } from '#model/rules/readings.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { formatSpan } from '#model/rules/rule-condition.ts';
import { isGrouped, isOfOrders, nounOfSubjects } from '#model/rules/rule-subjects.ts';
import { toOrderFigures } from '#model/rules/order-figures.ts';
import type { AlertEvent, NotificationState, Occasion } from '../notifications/notification.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import type { LinksOf } from './alert-links.ts';
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
  /** Why the rule is not evaluated at this time of day, if its alert ends for that. */
  readonly outside?: string;
  /** How the desk that evaluates the rule describes it, if that is another one. */
  readonly shown?: { readonly fields: object; readonly rows: number };
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
    const verdict = missing === null ? toVerdict(before, reading) : null;
    // An order that is gone is still called what it was.
    const named = withLabel(reading, before?.label);
    const after = withLabel(advanceAs(rule, before, verdict, now), named.label);
    const state = after ?? before;
    if (state === null) return [];
    const alert = {
      rule,
      group: reading.group,
      state,
      reading: named,
      missing: missing ?? whyUnknown(reading),
    };
    set(alert, after);
    if (isFiring(after) && !isFiring(before)) lastFired.set(rule.id, now);
    return after === before ? [] : [{ alert, before, after }];
  };

  /** Forgets the oldest ended alerts of orders: there can be thousands a day. */
  const dropOrders = (rule: Rule): readonly AlertMove[] => {
    if (rule.about !== 'orders' || rule.each !== 'order') return [];
    const ended = [...subjectsOf(rule.id).values()].filter(
      ({ state: { status, called } }) => called === null && (status === 'resolved' || status === 'data again'),
    );
    return ended
      .toSorted((a, b) => b.state.since - a.state.since)
      .slice(MOST_ENDED_ORDERS)
      .map((alert) => {
        set(alert, null);
        return { alert, before: alert.state, after: null };
      });
  };

  /** `known`: results that do not depend on what is missing. */
  const takeMissing = (
    rule: Rule,
    { missing, known }: { readonly missing: string; readonly known: readonly SubjectReading[] },
    now: number,
  ): readonly AlertMove[] => {
    const moving = new Set(known.map(({ group: subject }) => subject));
    const frozen = [...subjectsOf(rule.id).values()]
      .filter(({ group: subject }) => subject !== '' && !moving.has(subject))
      .flatMap((alert) => {
        const after = withoutData(alert.state);
        set({ ...alert, missing }, after);
        return after === alert.state ? [] : [{ alert, before: alert.state, after }];
      });
    return [
      ...frozen,
      ...known.flatMap((reading) => move(rule, reading, null, now)),
      ...move(rule, toNothing('', null), missing, now),
    ];
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
      if (isMissing(evaluation)) return takeMissing(rule, { ...evaluation, known: [] }, now);
      const loss = findLoss(rule, evaluation);
      if (loss !== null) return takeMissing(rule, loss, now);
      // Beside the subjects, the alert without one stands for the rule, which has data again. An alert that the
      // evaluation does not mention stays as it is.
      const isOver = isGrouped(rule) && subjectsOf(rule.id).has('') && evaluation.every(({ group: one }) => one !== '');
      const whole = isOver ? [toNothing('', false)] : [];
      const moves = [...evaluation, ...whole].flatMap((reading) => move(rule, reading, null, now));
      return [...moves, ...dropOrders(rule)];
    },
    shift: (byMs) => {
      for (const subjects of rules.values())
        for (const alert of subjects.values()) set(alert, shiftTimes(alert.state, byMs));
    },
  };
}

const MOST_ENDED_ORDERS = 200;

function whyUnknown({ holds, because }: SubjectReading): string | null {
  return holds === null ? because : null;
}

/**
 * Returns why a rule as a whole has no data, and what is known all the same; null if it has data. The cause must be the
 * same for all subjects that it leaves unknown. A gap of the journal is one for all of them, even if some had enough
 * events without it; anything else is one only if no subject is known not to hold.
 */
function findLoss(
  rule: Rule,
  evaluation: readonly SubjectReading[],
): { readonly missing: string; readonly known: readonly SubjectReading[] } | null {
  // Of single orders, those that do not hold are not in the evaluation.
  if (!isGrouped(rule) || (isOfOrders(rule) && rule.each === 'order')) return null;
  const unknown = evaluation.filter(({ holds }) => holds === null);
  const cause = unknown[0]?.because ?? null;
  if (unknown.length < 2 || cause === null || unknown.some(({ because }) => because !== cause)) return null;
  if (rule.about !== 'activity' && evaluation.some(({ holds }) => holds === false)) return null;
  const known = evaluation.filter(({ holds }) => holds !== null);
  const all = countOf(evaluation.length, nounOfSubjects(rule) ?? '');
  const share = known.length === 0 ? '' : ` This concerns ${formatCount(unknown.length)} of ${all}.`;
  return { missing: `${cause}${share}`, known };
}

function isFiring(state: AlertState | null): boolean {
  return state?.status === 'firing';
}

function advanceAs(rule: Rule, before: AlertState | null, verdict: Verdict, now: number): AlertState | null {
  const { for_seconds: forSeconds, keep_seconds: keepSeconds = 0 } = rule;
  return advance(before, verdict, now, forSeconds * 1_000, keepSeconds * 1_000);
}

/** Adds a label. A reading has its own, which is newer than that of the state. */
function withLabel<Labelled extends AlertState | SubjectReading | null>(
  one: Labelled,
  label: string | undefined,
): Labelled {
  const isSame =
    one === null || label === undefined || one.label === label || ('group' in one && one.label !== undefined);
  return isSame ? one : { ...one, label };
}

/** An alert that fires goes on until the value that clears it is reached. */
function toVerdict(before: AlertState | null, { holds, stays }: SubjectReading): Verdict {
  const hasFired = isFiring(before) || (before?.status === 'no data' && before.firedBefore);
  return stays === undefined || holds === true || !hasFired ? holds : stays;
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
  const name = nameOf(alert);
  if (state === 'ended') return describeEnded(rule, name, alert.outside ?? null);
  if (missing !== null) return describeMissing(rule, name, missing);
  if (reading === null) return `${rule.name}: not evaluated since Perpdesk started.`;
  // Earlier versions also stored this end as resolved. Across all subjects, the measure has no value.
  if (state === 'data again' || (subject === '' && isGrouped(rule) && reading.holds !== true))
    return describeDataAgain(
      rule,
      reading,
      subjectsIn(alert, alertsOf, 'firing'),
      subjectsIn(alert, alertsOf, 'pending').length > 0,
    );
  const sentence = describeReading(rule, reading);
  if (isFlapping(alert.state, now))
    return `${sentence} It is flapping: it resolves only after ten minutes without holding.`;
  return alert.state.status === 'firing' && alert.state.calmSince !== null
    ? `${sentence} It keeps firing for ${formatSpan(rule.keep_seconds ?? 0)} after the condition last held.`
    : sentence;
}

/** Returns what the subject is called. */
function nameOf({ group: subject, state: { label = subject } }: Pick<CurrentAlert, 'group' | 'state'>): string {
  return label;
}

/** Returns the subjects in a state: all of them if the alert stands for the rule, otherwise only its own. */
function subjectsIn(
  { rule, group: subject }: CurrentAlert,
  alertsOf: AlertsOf,
  status: AlertState['status'],
): readonly string[] {
  return alertsOf(rule.id)
    .filter((one) => one.state.status === status && (subject === '' || one.group === subject))
    .map(nameOf);
}

interface EventContext {
  readonly alertsOf: AlertsOf;
  readonly linksOf: LinksOf;
  readonly now: number;
  readonly occasion?: Occasion;
}

/**
 * Returns the event for a notification. Equal events have equal keys, no matter which server finds them and how often.
 */
export function toEvent(
  alert: CurrentAlert,
  notification: NotificationState,
  { alertsOf, linksOf, now, occasion = 'change' }: EventContext,
): AlertEvent {
  const { rule, group: subject, state } = alert;
  const startedAt = state.startedAt ?? state.since;
  // An incident may fire or lose its data several times.
  const began = notification === 'no data' || notification === 'firing' ? state.since : startedAt;
  return {
    // A change happens once, anything else again and again.
    key: JSON.stringify([rule.id, subject, began, notification, ...(occasion === 'change' ? [] : [occasion, now])]),
    ruleId: rule.id,
    ruleName: rule.name,
    severity: rule.severity,
    group: subject,
    ...(state.label !== undefined && { label: state.label }),
    state: notification,
    occasion,
    at: now,
    startedAt,
    sentence: occasion === 'removal' ? describeRemoval(rule, subject) : sentenceOf(alert, notification, alertsOf, now),
    ...linksOf(rule, subject, now),
  };
}

export function describeAcknowledgement({ acknowledged }: Pick<AlertState, 'acknowledged'>): object | null {
  return acknowledged && { assignee: acknowledged.by, ...acknowledged, at: toInstant(acknowledged.at) };
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
    ...(state.label !== undefined && { label: state.label }),
    value: writeValue(value),
    unit: value === null ? null : unitOf(rule),
    sentence: sentenceOf(alert, status, alertsOf, now),
    state: status,
    started_at: toInstantOrNull(state.startedAt),
  };
}

/** The history lists this much of the evidence. */
const MOST_LISTED = 20;

/** Returns the evidence as JSON, with the orders as the exchange wrote them. */
export function toEvidenceText(
  { total, orders, products, rows }: Evidence,
  textOf: (row: object) => string,
  most = MOST_LISTED,
): string {
  const listed = orders.slice(0, most).map(textOf).join(',');
  const figures = rows === undefined ? '' : `,"figures":${JSON.stringify(rows.slice(0, most).map(toOrderFigures))}`;
  return `{"total":${String(total)},"orders":[${listed}],"products":${JSON.stringify(products.slice(0, most))}${figures}}`;
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

/** Returns whether two rules differ at most in name, severity, and whom they notify when. */
export function isSameCondition(rule: Rule, other: Rule | undefined): boolean {
  return other !== undefined && conditionOf(rule) === conditionOf(other);
}

function conditionOf(rule: Rule): string {
  const notifying = { channels: null, escalate: null, repeat_seconds: null, at_most_every_seconds: null };
  return JSON.stringify({ ...rule, name: null, severity: null, ...notifying });
}
