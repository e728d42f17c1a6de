import type { Alert, DeskAlerts } from '#contract/desk/alerts.ts';
import { SEVERITIES } from '#contract/desk/rule-measures.ts';
import { countOf } from '../format/count.ts';
import { describeNothing } from './watched.ts';

type Severity = (typeof SEVERITIES)[number];

/** What there is to say about all rules in a few words. */
export interface AlertSummary {
  /** The worst that fires, and that nobody has acknowledged or silenced. Else whether something is not watched as it should be, whether nothing is known, or whether there is nothing to say. */
  readonly mark: Severity | 'attention' | 'unknown' | 'muted' | 'none';
  readonly text: string;
}

/** Rules are evaluated at least every half minute; twice that much later something is wrong. */
const STALE_MS = 90_000;

export const ALERTS_UNKNOWN: AlertSummary = { mark: 'unknown', text: 'Alerts unknown' };

/** `now` in epoch milliseconds, by Perpdesk's clock. */
export function summariseAlerts(response: DeskAlerts, now: number): AlertSummary {
  if (response.rules === 0) return { mark: 'muted', text: 'No rules on' };
  if (response.evaluated_at === null || now - Date.parse(response.evaluated_at) > STALE_MS) return ALERTS_UNKNOWN;
  const open = response.alerts.filter(({ state }) => state === 'firing' || state === 'no data');
  // What somebody has acknowledged or silenced is known; what another rule explains is not called, and no better for that.
  const left = open.filter((alert) => !isHandled(alert));
  const worst = worstOf(left.filter(isCalling)) ?? worstOf(left);
  const blind = response.rule_states.filter(({ state }) => state === 'watches nothing').length;
  const parts = [
    ...describeOpen(open, worst),
    ...(blind === 0 ? [] : [`${countOf(blind, 'rule')} ${blind === 1 ? 'watches' : 'watch'} nothing`]),
  ];
  const isAttention = blind > 0 || left.length > 0;
  return { mark: worst ?? (isAttention ? 'attention' : open.length > 0 ? 'muted' : 'none'), text: parts.join(' · ') };
}

/** Whether somebody is called for it: nobody has acknowledged it, and nothing keeps it quiet. */
export function isCalling(alert: Alert): boolean {
  return alert.state === 'firing' && alert.inhibited_by === null && !isHandled(alert);
}

/** Whether somebody knows of it. */
export function isHandled({ acknowledged, silenced_until: silenced }: Alert): boolean {
  return acknowledged !== null || silenced !== null;
}

/** What it said is over. */
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
  const [firing, missing] = [
    open.filter(({ state }) => state === 'firing'),
    open.filter(({ state }) => state === 'no data'),
  ];
  const calling = firing.filter(isCalling);
  const withoutData = missing.length === 0 ? [] : [`${String(missing.length)} without data`];
  if (calling.length > 0 && worst !== null) {
    const muted = firing.length - calling.length;
    return [describeCalling(calling, worst), ...(muted === 0 ? [] : [`${String(muted)} muted`]), ...withoutData];
  }
  const cause = open.find((alert) => alert.inhibited_by !== null && !isHandled(alert))?.inhibited_because ?? null;
  if (cause !== null)
    return [`${firing.length > 0 ? countOf(firing.length, 'alert') : withoutData.join('')}, no calls: ${cause}`];
  return [firing.length === 0 ? 'No alerts' : `${countOf(firing.length, 'alert')}, muted`, ...withoutData];
}

function describeCalling(calling: readonly Alert[], worst: Severity): string {
  const worstCount = calling.filter(({ severity }) => severity === worst).length;
  const named = {
    critical: `${String(worstCount)} critical`,
    warning: countOf(worstCount, 'warning'),
    info: `${String(worstCount)} info`,
  }[worst];
  const others = calling.length - worstCount;
  return others === 0 ? named : `${named}, ${String(others)} more`;
}

/** The worst and newest first. */
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

/** What a rule says now. */
export interface RuleSummary {
  readonly mark: 'good' | 'attention' | 'bad' | 'none';
  /** How many of its groups are in which state: `2 firing, 1 pending`. */
  readonly text: string;
  /** `watches 36 accounts`; null: nothing is to be said of that. */
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
  const { state, watches, reason } = found;
  const nothing = reason === null ? null : describeNothing(reason);
  if (state === 'watches nothing') return { mark: 'attention', text: nothing ?? 'Watches nothing', watches: null };
  const own = alerts.alerts.filter((alert) => alert.rule_id === rule.id && !isOver(alert)).toSorted(compareAlerts);
  const counts = [...Map.groupBy(own, (alert) => alert.state)].map(([name, members]) =>
    own.length === 1 && members[0]?.group === '' ? name : `${String(members.length)} ${name}`,
  );
  const text = counts.length > 0 ? counts.join(', ') : state === 'ok' ? 'OK' : state;
  return {
    mark: MARKS[state] ?? 'attention',
    text,
    watches: nothing ?? (watches === null ? null : `watches ${watches}`),
  };
}
