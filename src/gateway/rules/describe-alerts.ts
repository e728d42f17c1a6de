import { DEFAULT_LIMIT } from '#contract/parameters.ts';
import type { Rule } from '#contract/desk-rules.ts';
import { VenueFailure } from '../venue-failure.ts';
import type { AlertBoard } from './alert-board.ts';
import { describeAcknowledgement, joinBody, toAlertFields, toEvidenceText, type LiveAlert } from './alert-events.ts';
import { isFlapping } from './alert-state.ts';
import { findInhibitor, findSilence, listHolding } from './muting.ts';
import type { RuleStore, StoredSilence } from './rule-store.ts';
import { toInstant } from './topic-readings.ts';

/** The responses about alerts, as texts of JSON: the text of the orders is the exchange's. */

export interface AlertsNow {
  readonly board: Pick<AlertBoard, 'all' | 'of' | 'lastFired'>;
  readonly rules: readonly Rule[];
  readonly silences: readonly StoredSilence[];
  readonly evaluates: boolean;
  readonly evaluatedAt: number | null;
  readonly textOf: (row: object) => string;
  readonly now: number;
}

export function describeAlerts(parts: AlertsNow): string {
  const { board, rules, silences, evaluates, evaluatedAt, now } = parts;
  const enabled = rules.filter((rule) => rule.enabled);
  const holding = listHolding(enabled, board);
  const alerts = board.all().map((alert) => describeAlert(alert, holding, parts));
  const running = silences.filter(({ until }) => until > now).map(describeSilence);
  const lastFired = [...board.lastFired()].map(([id, at]) => ({ rule_id: id, at: toInstant(at) }));
  const head = JSON.stringify({ evaluates, evaluated_at: evaluatedAt === null ? null : toInstant(evaluatedAt), rules: enabled.length, last_fired: lastFired, silences: running });
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
    silenced_until: silencedUntil === null ? null : toInstant(silencedUntil),
    inhibited_by: findInhibitor(rule, holding)?.id ?? null,
    flapping: isFlapping(state, now),
  };
  return joinBody(fields, toEvidenceText(reading?.evidence ?? { total: 0, orders: [], products: [] }, textOf));
}

export function describeSilence({ id, match, until, by, at, note }: StoredSilence) {
  return { id, match, until: toInstant(until), by, at: toInstant(at), note };
}

type Pairs = readonly (readonly [name: string, value: string])[];

export async function describeHistory({ alertChanges }: Pick<RuleStore, 'alertChanges'>, pairs: Pairs): Promise<string> {
  const query = Object.fromEntries(pairs);
  const { rule_id: ruleId = null, cursor, limit = String(DEFAULT_LIMIT) } = query;
  const { bodies, next } = await alertChanges({ ruleId, before: cursor === undefined ? null : parseCursor(cursor), limit: Number(limit) });
  return `{"changes":[${bodies.join(',')}],"pagination":${JSON.stringify(next === null ? {} : { cursor: toCursor(next) })}}`;
}

function toCursor(number: number): string {
  return Buffer.from(`alert ${String(number)}`).toString('base64url');
}

function parseCursor(cursor: string): number {
  const found = /^alert (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (found === undefined) throw new VenueFailure({ type: 'bad-parameter', detail: 'The cursor is not one of an earlier page.', parameter: 'cursor' });
  return Number(found);
}
