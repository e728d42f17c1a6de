import type { RuleState } from '#contract/desk/alerts.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import type { Scope } from '#server/core/viewer.ts';
import type { AlertBoard } from './alert-board.ts';
import { describeAcknowledgement, joinBody, toAlertFields, toEvidenceText, type LiveAlert } from './alert-events.ts';
import { isFlapping } from './alert-state.ts';
import { findInhibitor, nameCause, findSilence, listHolding } from './muting.ts';
import { mayUseRule, mayUseSilence } from './rule-scope.ts';
import type { StoredSilence } from './rule-store.ts';

/** The responses about alerts, as texts of JSON: the text of the orders is the exchange's. */

export interface AlertsNow {
  readonly board: Pick<AlertBoard, 'all' | 'of' | 'lastFired' | 'watchedBy'>;
  readonly rules: readonly Rule[];
  readonly silences: readonly StoredSilence[];
  readonly evaluates: boolean;
  readonly evaluatedAt: number | null;
  readonly textOf: (row: object) => string;
  readonly now: number;
  readonly scope: Scope;
}

export function describeAlerts(parts: AlertsNow): string {
  const { board, rules, silences, evaluates, evaluatedAt, now, scope } = parts;
  const enabled = rules.filter((rule) => rule.enabled && mayUseRule(scope, rule));
  const holding = listHolding(enabled, board);
  const alerts = board
    .all()
    .filter(({ rule }) => mayUseRule(scope, rule))
    .map((alert) => describeAlert(alert, holding, parts));
  const running = silences
    .filter((silence) => silence.until > now && mayUseSilence(scope, silence, rules))
    .map(describeSilence);
  const usable = new Set(rules.filter((rule) => mayUseRule(scope, rule)).map(({ id }) => id));
  const lastFired = [...board.lastFired()]
    .filter(([id]) => scope === 'all' || usable.has(id))
    .map(([id, at]) => ({ rule_id: id, at: toInstant(at) }));
  const head = JSON.stringify({
    evaluates,
    evaluated_at: toInstantOrNull(evaluatedAt),
    rules: enabled.length,
    rule_states: enabled.map((rule) => describeState(rule, board)),
    last_fired: lastFired,
    silences: running,
  });
  return `${head.slice(0, -1)},"alerts":[${alerts.join(',')}]}`;
}

/** The worst first. What has none of them and was not evaluated is not known to be fine. */
const OPEN_STATES = ['firing', 'no data', 'pending'] as const;

function describeState(rule: Rule, { of, watchedBy }: AlertsNow['board']): RuleState {
  const statuses = new Set(of(rule.id).map(({ state }) => state.status));
  const watched = watchedBy(rule);
  const quiet = watched === null ? 'unknown' : watched.nothing === null ? 'ok' : 'watches nothing';
  return {
    rule_id: rule.id,
    state: OPEN_STATES.find((status) => statuses.has(status)) ?? quiet,
    watches: watched?.what ?? null,
    reason: watched?.nothing ?? null,
  };
}

function describeAlert(
  alert: LiveAlert,
  holding: readonly Rule[],
  { board, silences, evaluatedAt, textOf, now }: AlertsNow,
): string {
  const { rule, state, reading } = alert;
  const { since } = state;
  const inhibitor = findInhibitor(rule, holding);
  const silencedUntil = findSilence(silences, alert, now);
  const fields = {
    ...toAlertFields(alert, state.status, board.of, now),
    since: toInstant(since),
    evaluated_at: toInstant(evaluatedAt ?? since),
    acknowledged: describeAcknowledgement(state),
    silenced_until: toInstantOrNull(silencedUntil),
    inhibited_by: inhibitor?.id ?? null,
    inhibited_because: inhibitor && nameCause(inhibitor),
    flapping: isFlapping(state, now),
  };
  return joinBody(fields, toEvidenceText(reading?.evidence ?? { total: 0, orders: [], products: [] }, textOf));
}

export function describeSilence({ id, match, until, by, at, note }: StoredSilence) {
  return { id, match, until: toInstant(until), by, at: toInstant(at), note };
}
