import type { ActivityRule, Rule } from '#contract/desk-rules.ts';
import { createEventCount, type CountEvents } from '#domain/rules/count-events.ts';
import { evaluate } from '#domain/rules/evaluate.ts';
import type { OrderTest } from '#domain/rules/match-orders.ts';
import type { Evaluation, RuleData } from '#domain/rules/readings.ts';
import type { AlertEvent } from '../calls/call.ts';
import type { Log } from '../ports.ts';
import { toInstant } from '../to-instant.ts';
import type { AlertBoard, AlertMove } from './alert-board.ts';
import { describeAcknowledgement, joinBody, toAlertFields, toEvent, toEvidenceText, type LiveAlert } from './alert-events.ts';
import { afterCall, findCall } from './alert-state.ts';
import { isSameCondition } from './restore-alerts.ts';
import { findInhibitor, findSilence, listHolding } from './muting.ts';
import type { RuleStore, StoredAlertChange, StoredSilence, StoredState } from './rule-store.ts';

export interface RuleEngineParts {
  readonly store: Pick<RuleStore, 'write'>;
  readonly board: AlertBoard;
  readonly enqueue: (events: readonly AlertEvent[], channels: readonly string[]) => Promise<void>;
  /** The channels that it calls: none where its author may call nobody any more. */
  readonly channelsOf: (rule: Rule) => readonly string[];
  /** Whether it is about an order, by its filter and its expression. */
  readonly testOf: (rule: Rule) => OrderTest;
  readonly textOf: (row: object) => string;
  /** Lets others go on before the next rule: a rule about ten thousand orders takes some milliseconds. */
  readonly yield: () => Promise<void>;
  readonly log: Log;
}

export interface RuleEngine {
  /** Evaluates rules one after another, each on the newest data; resolves once it is stored what has come of it. */
  readonly run: (round: RuleRound) => Promise<void>;
}

type NamedAlert = Pick<LiveAlert, 'rule' | 'group'>;

interface RuleRound {
  readonly enabled: readonly Rule[];
  /** Those of them that can be evaluated already. */
  readonly ready: readonly Rule[];
  readonly data: RuleData;
  readonly silences: readonly StoredSilence[];
}

export function createRuleEngine(parts: RuleEngineParts): RuleEngine {
  const { store, board, enqueue, textOf, channelsOf } = parts;
  const evaluateRule = createEvaluator(parts);
  /** What is to be written: of each alert, its state by then. */
  let unwritten: { readonly alerts: Map<string, NamedAlert>; readonly changes: StoredAlertChange[] } = { alerts: new Map(), changes: [] };

  const remember = (alerts: readonly NamedAlert[], changes: readonly StoredAlertChange[]): void => {
    for (const alert of alerts) unwritten.alerts.set(JSON.stringify([alert.rule.id, alert.group]), alert);
    unwritten.changes.push(...changes);
  };
  const toStored = ({ rule, group }: NamedAlert): StoredState => board.find(rule.id, group) ?? { rule, group, state: null };
  const flush = async (): Promise<void> => {
    if (unwritten.alerts.size === 0 && unwritten.changes.length === 0) return;
    await store.write([...unwritten.alerts.values()].map(toStored), unwritten.changes);
    unwritten = { alerts: new Map(), changes: [] };
  };

  const call = async (rule: Rule, now: number, isMuted: (alert: LiveAlert) => boolean): Promise<void> => {
    const due = board.of(rule.id).flatMap((alert) => {
      const found = findCall(alert.state, { now, forMs: rule.for_seconds * 1_000, isMuted: isMuted(alert) });
      return found === null ? [] : [{ alert, call: found }];
    });
    if (due.length === 0) return;
    const channels = channelsOf(rule);
    if (channels.length > 0) await enqueue(due.map(({ alert, call: state }) => toEvent(alert, state, now)), channels);
    for (const { alert, call: done } of due) board.set(alert, afterCall(alert.state, done));
    remember(due.map(({ alert }) => alert), []);
  };

  /** What a rule said that is gone, off, or says something else now, is over; what was called of it is called off. */
  const retire = async (enabled: readonly Rule[], now: number): Promise<void> => {
    const current = new Map(enabled.map((rule) => [rule.id, rule]));
    const retired = Map.groupBy(board.all().filter(({ rule }) => !isSameCondition(rule, current.get(rule.id))).map(toRetired), ({ rule }) => rule);
    for (const [rule, alerts] of retired) {
      const called = alerts.filter(({ state }) => state.called !== null);
      const channels = channelsOf(rule);
      if (called.length > 0 && channels.length > 0) await enqueue(called.map((alert) => toEvent(alert, 'resolved', now)), channels);
      for (const alert of alerts) board.set(alert, null);
      remember(alerts, alerts.flatMap((alert) => toEnd(alert, now)).flatMap((move) => toChange(move, now, textOf)));
    }
  };

  return {
    run: async ({ enabled, ready, data, silences }) => {
      const { now } = data;
      await retire(enabled, now);
      const ordered = desksFirst(ready);
      const moves = await takeAll(ordered, (rule) => board.take(rule, evaluateRule(rule, data), now), parts.yield);
      remember(moves.map(({ alert }) => alert), moves.flatMap((move) => toChange(move, now, textOf)));
      // Before anybody is called: after a restart, the same alert is then called by the same key.
      await flush();
      const holding = listHolding(enabled, board);
      for (const rule of ordered) {
        const isInhibited = findInhibitor(rule, holding) !== null;
        await call(rule, now, (alert) => isInhibited || findSilence(silences, alert, now) !== null);
      }
      await flush();
    },
  };
}

function toRetired(alert: LiveAlert): LiveAlert {
  return { ...alert, reading: null, missing: null, isRetired: true };
}

/** What is only pending, or over already, does not end. */
function toEnd(alert: LiveAlert, now: number): readonly AlertMove[] {
  const { state } = alert;
  return state.status === 'pending' || state.status === 'resolved' ? [] : [{ alert, before: state, after: { ...state, status: 'resolved', since: now } }];
}

async function takeAll(rules: readonly Rule[], take: (rule: Rule) => readonly AlertMove[], yieldToOthers: RuleEngineParts['yield']): Promise<readonly AlertMove[]> {
  const moves: AlertMove[] = [];
  for (const rule of rules) {
    moves.push(...take(rule));
    await yieldToOthers();
  }
  return moves;
}

/** What explains others comes first. */
function desksFirst(rules: readonly Rule[]): readonly Rule[] {
  return rules.toSorted((a, b) => Number(b.about === 'desk') - Number(a.about === 'desk'));
}

/** Of what is only pending, nothing is kept. */
function toChange({ alert, before, after }: AlertMove, now: number, textOf: (row: object) => string): readonly StoredAlertChange[] {
  if (after === null || after.status === 'pending' || after.status === before?.status) return [];
  if (before?.status === 'pending' && after.status === 'resolved' && before.called === null) return [];
  const acknowledged = before === null ? null : describeAcknowledgement(before);
  const fields = { at: toInstant(now), ...toAlertFields({ ...alert, state: after }, now), acknowledged };
  return [{ ruleId: alert.rule.id, body: joinBody(fields, toEvidenceText(alert.reading?.evidence ?? { total: 0, orders: [], products: [] }, textOf)) }];
}

/** What a rule says of the same data again is not found out again. */
function createEvaluator({ testOf, log }: Pick<RuleEngineParts, 'testOf' | 'log'>): (rule: Rule, data: RuleData) => Evaluation {
  const last = new WeakMap<Rule, { readonly input: unknown; readonly evaluation: Evaluation }>();
  const failed = new WeakSet<Rule>();
  const countOf = createCounts();
  return (rule, data) => {
    try {
      const input = inputOf(rule, data);
      const known = last.get(rule);
      if (known !== undefined && input !== null && known.input === input) return known.evaluation;
      const evaluation = evaluate(rule, data, testOf(rule), countOf);
      last.set(rule, { input, evaluation });
      return evaluation;
    } catch (error) {
      if (!failed.has(rule)) log('error', 'rule failed', { rule: rule.id, reason: error instanceof Error ? error.stack : String(error) });
      failed.add(rule);
      return { missing: `It could not be evaluated: ${error instanceof Error ? error.message : String(error)}` };
    }
  };
}

/** Windows of a day hold a hundred thousand events: only those that come and go are looked at. */
function createCounts(): (rule: ActivityRule, test: OrderTest) => CountEvents {
  const counts = new WeakMap<ActivityRule, CountEvents>();
  return (rule, test) => {
    const count = counts.get(rule) ?? createEventCount(rule, test);
    counts.set(rule, count);
    return count;
  };
}

/** What all that a rule says depends on; null where it depends on the time as well. */
function inputOf(rule: Rule, data: RuleData): unknown {
  if (rule.about === 'orders') return data.working;
  return rule.about === 'market' ? data.market : null;
}
