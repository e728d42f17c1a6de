import type { Alert, DeskAlerts, RuleState } from '#contract/desk/alerts.ts';
import { countOf, formatCount } from '../format/count.ts';
import { formatDuration } from '../format/format-time.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { type Evaluation, isMissing, type SubjectReading } from './readings.ts';
import { isOfOrders, nounOfSubjects } from './rule-subjects.ts';
import { SEVERITIES } from '#contract/desk/rule-measures.ts';

/** What a rule currently watches. */
export interface Watched {
  /** `36 accounts`; null if the rule covers everything together. */
  readonly what: string | null;
  /** Why the rule watches nothing, and so never fires, in words; null if it watches something. */
  readonly nothing: string | null;
}

/** `hasMatched`: whether any order has ever matched the filter. Returns null if that cannot be known. */
export function findWatched(rule: Rule, evaluation: Evaluation, hasMatched: boolean): Watched | null {
  if (isMissing(evaluation)) return null;
  // Of single orders, only those that meet the condition are reported.
  const noun = isOfOrders(rule) && rule.each === 'order' ? null : nounOfSubjects(rule);
  const count = evaluation.filter((reading) => isWatched(rule, reading)).length;
  const isUnmatched = isOfOrders(rule) && !hasMatched && Object.keys(rule.filter).length > 0;
  const nothing = isUnmatched ? nameUnmatched(rule.filter) : noun !== null && count === 0 ? noun : null;
  return {
    what: noun === null ? null : countOf(count, noun),
    nothing: nothing === null ? null : `no ${nothing} matches`,
  };
}

/** A product that is not listed has no data, and a perpetual that is not listed has no rate. */
function isWatched({ about }: Rule, { holds, value, evidence }: SubjectReading): boolean {
  if (about === 'market') return evidence.products.length > 0;
  return about !== 'funding' || value !== null || holds === null;
}

const NOUNS: Readonly<Record<string, string>> = {
  account_id: 'account',
  clearing_member_code: 'clearing firm',
  connection_id: 'connection',
};

/** With several fields, each may match orders that the others exclude. */
function nameUnmatched(filter: Readonly<Record<string, unknown>>): string {
  const [first = '', ...others] = Object.keys(filter);
  return others.length > 0 ? 'order' : (NOUNS[first] ?? 'order');
}

/** `Watches nothing: no product matches`. */
export function describeNothing(nothing: string): string {
  return `Watches nothing: ${nothing}`;
}

type Severity = (typeof SEVERITIES)[number];

/** All rules summed up in a few words. */
export interface AlertSummary {
  /**
   * The severity of the worst firing alert that is neither acknowledged nor silenced. Otherwise: whether rules need
   * attention, whether nothing is known, or whether all is quiet.
   */
  readonly mark: Severity | 'attention' | 'unknown' | 'muted' | 'none';
  readonly text: string;
  /** Which channels fail; absent if none does. */
  readonly failing?: string;
}

/** Rules are evaluated at least every 30 s. Twice that much later, something is wrong. */
const STALE_MS = 90_000;

export const ALERTS_UNKNOWN: AlertSummary = { mark: 'unknown', text: 'Alerts unknown' };

/**
 * `now` is in epoch milliseconds of Perpdesk's clock. During an outage, nothing from the exchange is current, so
 * neither is what rules found in it.
 */
export function summariseAlerts(response: DeskAlerts, now: number, isOut: boolean): AlertSummary {
  const summary = summariseRules(response, now, isOut);
  const { failing_channels: channels = [] } = response;
  if (channels.length === 0) return summary;
  const isQuiet = summary.mark === 'none' || summary.mark === 'muted';
  return { ...summary, mark: isQuiet ? 'attention' : summary.mark, failing: describeFailing(channels, now) };
}

/** `night: notifications failing for 35 min`. */
function describeFailing(channels: NonNullable<DeskAlerts['failing_channels']>, now: number): string {
  const since = Math.min(...channels.map((channel) => Date.parse(channel.since)));
  const who = channels.length === 1 ? channels[0]?.name : countOf(channels.length, 'channel');
  return `${who ?? ''}: notifications failing for ${formatDuration((now - since) / 1_000)}`;
}

function summariseRules(response: DeskAlerts, now: number, isOut: boolean): AlertSummary {
  if (response.rules === 0) return { mark: 'muted', text: 'No alerts set' };
  if (response.evaluated_at === null || now - Date.parse(response.evaluated_at) > STALE_MS) return ALERTS_UNKNOWN;
  const open = response.alerts.filter(({ state }) => state === 'firing' || state === 'no data');
  // An alert that was acknowledged or silenced needs no attention. One that another rule explains sends no
  // notification, but still does: an outage mutes notifications, not counts.
  const left = open.filter((alert) => !isHandled(alert));
  const worst = worstOf(left);
  const blind = response.rule_states.filter(({ state }) => state === 'watches nothing').length;
  const parts = [
    ...describeOpen(open, worst),
    ...(blind === 0 ? [] : [`${countOf(blind, 'rule')} ${blind === 1 ? 'watches' : 'watch'} nothing`]),
  ];
  const isAttention = blind > 0 || left.length > 0;
  const calm = isOut ? 'unknown' : open.length > 0 ? 'muted' : 'none';
  return {
    mark: worst ?? (isAttention ? 'attention' : calm),
    text: `${isOut ? 'Last known: ' : ''}${parts.join(' · ')}`,
  };
}

/** Returns whether an alert sends notifications: it is not acknowledged, and nothing suppresses it. */
function isNotifying(alert: Alert): boolean {
  return alert.state === 'firing' && alert.inhibited_by === null && !isHandled(alert);
}

/** Returns whether someone has acknowledged or silenced the alert. */
export function isHandled({ acknowledged, silenced_until: silenced }: Alert): boolean {
  return acknowledged !== null || silenced !== null;
}

/** Returns whether the alert is no longer current. */
export function isOver({ state }: Pick<Alert, 'state'>): boolean {
  return state === 'resolved' || state === 'data again';
}

function worstOf(alerts: readonly Alert[]): Severity | null {
  return (
    SEVERITIES.findLast((severity) =>
      alerts.some((alert) => alert.state === 'firing' && alert.severity === severity),
    ) ?? null
  );
}

function describeOpen(open: readonly Alert[], worst: Severity | null): readonly string[] {
  const firing = open.filter(({ state }) => state === 'firing');
  const missing = open.length - firing.length;
  const left = firing.filter((alert) => !isHandled(alert));
  const acknowledged = firing.filter((alert) => alert.acknowledged !== null).length;
  const handled = (
    [
      [acknowledged, 'acknowledged'],
      [firing.length - left.length - acknowledged, 'silenced'],
    ] as const
  ).filter(([count]) => count > 0);
  const cause = open.find((alert) => alert.inhibited_by !== null && !isHandled(alert))?.inhibited_because ?? null;
  return [
    ...(left.length > 0 && worst !== null ? [describeLeft(left, worst)] : []),
    ...handled.map(([count, word], index) =>
      left.length + index === 0 ? `${countOf(count, 'alert')} ${word}` : `${formatCount(count)} ${word}`,
    ),
    ...(missing === 0 ? [] : [`${formatCount(missing)} without data`]),
    ...(cause === null ? [] : [`no notifications: ${cause}`]),
    ...(open.length === 0 ? ['No alerts'] : []),
  ];
}

function describeLeft(left: readonly Alert[], worst: Severity): string {
  const worstCount = left.filter(({ severity }) => severity === worst).length;
  const named = {
    critical: `${formatCount(worstCount)} critical`,
    warning: countOf(worstCount, 'warning'),
    info: `${formatCount(worstCount)} info`,
  }[worst];
  const others = left.length - worstCount;
  return others === 0 ? named : `${named}, ${formatCount(others)} more`;
}

/** Sorts the worst alerts first, and the newest among equals. */
export function compareAlerts(a: Alert, b: Alert): number {
  return (
    STATE_ORDER.indexOf(a.state) - STATE_ORDER.indexOf(b.state) ||
    rankOf(b) - rankOf(a) ||
    Date.parse(b.since) - Date.parse(a.since)
  );
}

const STATE_ORDER: readonly string[] = ['firing', 'no data', 'pending', 'data again', 'resolved'];

function rankOf({ severity }: Alert): number {
  return SEVERITIES.findIndex((known) => known === severity);
}

/** The current state of a rule. */
export interface RuleSummary {
  readonly mark: 'good' | 'attention' | 'bad' | 'none';
  /** How many subjects are in each state: `2 firing, 1 pending`. */
  readonly text: string;
  /** `watches 36 accounts`; null if there is nothing to say. */
  readonly watches: string | null;
}

const MARKS: Readonly<Record<string, RuleSummary['mark']>> = { ok: 'good', firing: 'bad', unknown: 'none' };

export function summariseRule(
  rule: { readonly id: string; readonly enabled: boolean },
  alerts: Pick<DeskAlerts, 'alerts' | 'rule_states'> | undefined,
): RuleSummary {
  if (!rule.enabled) return { mark: 'none', text: 'Off', watches: null };
  const found = alerts?.rule_states.find(({ rule_id: id }) => id === rule.id);
  if (alerts === undefined || found === undefined) return { mark: 'none', text: 'unknown', watches: null };
  return found.state === 'outside hours'
    ? { mark: 'none', text: toSentence(found.reason ?? found.state), watches: null }
    : summariseState(found, alerts.alerts);
}

function summariseState({ rule_id: id, state, watches, reason }: RuleState, alerts: readonly Alert[]): RuleSummary {
  const nothing = reason === null ? null : describeNothing(reason);
  if (state === 'watches nothing') return { mark: 'attention', text: nothing ?? 'Watches nothing', watches: null };
  return {
    mark: MARKS[state] ?? 'attention',
    text: countStates(id, alerts) ?? (state === 'ok' ? 'OK' : state),
    watches: nothing ?? (watches === null ? null : `watches ${watches}`),
  };
}

/** Counts the subjects of a rule in each state; null if there are none. */
function countStates(ruleId: string, alerts: readonly Alert[]): string | null {
  const own = alerts.filter((alert) => alert.rule_id === ruleId && !isOver(alert)).toSorted(compareAlerts);
  if (own.length === 0) return null;
  return [...Map.groupBy(own, (alert) => alert.state)]
    .map(([name, members]) =>
      own.length === 1 && members[0]?.group === '' ? name : `${formatCount(members.length)} ${name}`,
    )
    .join(', ');
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Time up to which alerts have been announced, in epoch milliseconds; null before the first time. */
export type AlertMark = number | null;

/**
 * Finds the alerts that started to fire after the mark and send notifications, worst first, and returns the next mark.
 * On the first look there are none, because the screen already shows all alerts.
 */
export function findNewAlerts(
  alerts: readonly Alert[],
  mark: AlertMark,
): { readonly fresh: readonly Alert[]; readonly mark: number } {
  const starts = alerts.flatMap(({ started_at: at }) => (at === null ? [] : [Date.parse(at)]));
  const fresh =
    mark === null
      ? []
      : alerts.filter(
          (alert) => isNotifying(alert) && alert.started_at !== null && Date.parse(alert.started_at) > mark,
        );
  return { fresh: fresh.toSorted(compareAlerts), mark: Math.max(mark ?? 0, ...starts) };
}

/** Describes any number of new alerts in one message. */
export function describeNewAlerts(fresh: readonly Alert[]): { readonly title: string; readonly text: string } {
  const [first] = fresh;
  if (first === undefined) return { title: '', text: '' };
  if (fresh.length === 1) return { title: `${first.rule_name} (${first.severity})`, text: first.sentence };
  const names = [...new Set(fresh.map(({ rule_name: name }) => name))];
  return { title: `${countOf(fresh.length, 'alert')}, the worst ${first.severity}`, text: names.join(', ') };
}
