import type { Rule } from '#contract/desk-rules.ts';
import { toInstant, toInstantOrNull } from '../to-instant.ts';
import type { Scope } from '../viewer.ts';
import type { AlertBoard } from './alert-board.ts';
import { describeAcknowledgement, joinBody, toAlertFields, toEvidenceText, type LiveAlert } from './alert-events.ts';
import { isFlapping } from './alert-state.ts';
import { findInhibitor, findSilence, listHolding } from './muting.ts';
import { mayUseRule, mayUseSilence } from './rule-scope.ts';
import type { StoredSilence } from './rule-store.ts';

/** The responses about alerts, as texts of JSON: the text of the orders is the exchange's. */

export interface AlertsNow {
  readonly board: Pick<AlertBoard, 'all' | 'of' | 'lastFired'>;
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
  const alerts = board.all().filter(({ rule }) => mayUseRule(scope, rule)).map((alert) => describeAlert(alert, holding, parts));
  const running = silences.filter((silence) => silence.until > now && mayUseSilence(scope, silence, rules)).map(describeSilence);
  const usable = new Set(rules.filter((rule) => mayUseRule(scope, rule)).map(({ id }) => id));
  const lastFired = [...board.lastFired()].filter(([id]) => scope === 'all' || usable.has(id)).map(([id, at]) => ({ rule_id: id, at: toInstant(at) }));
  const head = JSON.stringify({ evaluates, evaluated_at: toInstantOrNull(evaluatedAt), rules: enabled.length, last_fired: lastFired, silences: running });
  return `${head.slice(0, -1)},"alerts":[${alerts.join(',')}]}`;
}

function describeAlert(alert: LiveAlert, holding: readonly Rule[], { silences, evaluatedAt, textOf, now }: AlertsNow): string {
  const { rule, state, reading } = alert;
  const { since } = state;
  const silencedUntil = findSilence(silences, alert, now);
  const fields = {
    ...toAlertFields(alert, now),
    since: toInstant(since),
    evaluated_at: toInstant(evaluatedAt ?? since),
    acknowledged: describeAcknowledgement(state),
    silenced_until: toInstantOrNull(silencedUntil),
    inhibited_by: findInhibitor(rule, holding)?.id ?? null,
    flapping: isFlapping(state, now),
  };
  return joinBody(fields, toEvidenceText(reading?.evidence ?? { total: 0, orders: [], products: [] }, textOf));
}

export function describeSilence({ id, match, until, by, at, note }: StoredSilence) {
  return { id, match, until: toInstant(until), by, at: toInstant(at), note };
}
