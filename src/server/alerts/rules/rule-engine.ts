import type { AlertStateName } from '#contract/desk/alerts.ts';
import type { ActivityRule, Rule } from '#contract/desk/rules.ts';
import { createEventCount, type CountEvents } from '#model/rules/count-events.ts';
import { evaluate } from '#model/rules/evaluate.ts';
import type { OrderTest } from '#model/rules/match-orders.ts';
import { isMissing, NO_EVIDENCE, type Evaluation, type RuleData } from '#model/rules/readings.ts';
import { isOfOrders } from '#model/rules/rule-groups.ts';
import { findWatched, type Watched } from '#model/rules/watched.ts';
import { viewsOf } from '#model/rules/working-views.ts';
import type { AlertEvent } from '../calls/call.ts';
import type { ReturnedOrder } from '#server/journal/gone-orders.ts';
import type { Log } from '#server/core/ports.ts';
import { toInstant } from '#server/core/to-instant.ts';
import type { AlertBoard, AlertMove } from './alert-board.ts';
import {
  describeAcknowledgement,
  joinBody,
  toAlertFields,
  toEvent,
  toEvidenceText,
  type LiveAlert,
} from './alert-events.ts';
import { afterCall, findCall, type AlertState } from './alert-state.ts';
import { createCorrections } from './corrections.ts';
import type { KnownGroups } from './known-groups.ts';
import { isSameCondition } from './restore-alerts.ts';
import { createOutageWait, findInhibitor, findSilence, listHolding } from './muting.ts';
import type { RuleStore, StoredAlertChange, StoredSilence, StoredState } from './rule-store.ts';

export interface RuleEngineParts {
  readonly store: Pick<RuleStore, 'write'>;
  /** Orders that were taken to be gone, and were listed again. */
  readonly returned: () => readonly ReturnedOrder[];
  readonly board: AlertBoard;
  readonly enqueue: (events: readonly AlertEvent[], channels: readonly string[]) => Promise<void>;
  /** The channels that it calls: none where its author may call nobody any more. */
  readonly channelsOf: (rule: Rule) => readonly string[];
  /** Whether it is about an order, by its filter and its expression. */
  readonly testOf: (rule: Rule) => OrderTest;
  readonly textOf: (row: object) => string;
  readonly known: Pick<KnownGroups, 'of' | 'note' | 'hasMatched'>;
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
  const { store, board, known, enqueue, channelsOf } = parts;
  const evaluateRule = createEvaluator(parts);
  const outage = createOutageWait();
  /** What is to be written: of each alert, its state by then. */
  let unwritten: { readonly alerts: Map<string, NamedAlert>; readonly changes: StoredAlertChange[] } = {
    alerts: new Map(),
    changes: [],
  };

  const remember = (alerts: readonly NamedAlert[], changes: readonly StoredAlertChange[]): void => {
    for (const alert of alerts) unwritten.alerts.set(JSON.stringify([alert.rule.id, alert.group]), alert);
    unwritten.changes.push(...changes);
  };
  const toStored = ({ rule, group }: NamedAlert): StoredState =>
    board.find(rule.id, group) ?? { rule, group, state: null };
  const flush = async (): Promise<void> => {
    if (unwritten.alerts.size === 0 && unwritten.changes.length === 0) return;
    await store.write([...unwritten.alerts.values()].map(toStored), unwritten.changes);
    unwritten = { alerts: new Map(), changes: [] };
  };

  const call = createCaller(parts, (alerts) => {
    remember(alerts, []);
  });

  /** What a rule said that is gone, off, or says something else now, is over; what was called of it is called off. */
  const retire = async (enabled: readonly Rule[], now: number): Promise<void> => {
    const current = new Map(enabled.map((rule) => [rule.id, rule]));
    const retired = Map.groupBy(
      board
        .all()
        .filter(({ rule }) => !isSameCondition(rule, current.get(rule.id)))
        .map(toRetired),
      ({ rule }) => rule,
    );
    for (const [rule, alerts] of retired) {
      const called = alerts.filter(({ state }) => state.called !== null);
      const channels = channelsOf(rule);
      if (called.length > 0 && channels.length > 0)
        await enqueue(
          called.map((alert) => toEvent(alert, 'ended', board.of, now)),
          channels,
        );
      for (const alert of alerts) board.set(alert, null);
      remember(
        alerts,
        alerts
          .filter(({ state }) => isOpen(state))
          .map((alert) => toChange({ alert, state: 'ended', before: alert.state }, parts, now)),
      );
    }
  };

  return {
    run: async ({ enabled, ready, data, silences }) => {
      const { now } = data;
      outage.note(data.desk, now);
      await retire(enabled, now);
      const ordered = desksFirst(ready);
      const moves = await takeAll(
        ordered,
        (rule) =>
          board.take(
            rule,
            evaluateRule(rule, data, [...new Set([...board.of(rule.id).map(({ group }) => group), ...known.of(rule)])]),
            now,
          ),
        parts.yield,
      );
      remember(
        moves.map(({ alert }) => alert),
        moves.flatMap((move) =>
          findChange(move).map((state) => toChange({ alert: move.alert, state, before: move.before }, parts, now)),
        ),
      );
      // Before anybody is called: after a restart, the same alert is then called by the same key.
      await flush();
      const holding = listHolding(enabled, board);
      for (const rule of ordered) {
        const isInhibited = findInhibitor(rule, holding) !== null;
        await call(
          rule,
          now,
          (alert) => isInhibited || outage.isWaiting(alert, enabled, now) || findSilence(silences, alert, now) !== null,
        );
      }
      await flush();
    },
  };
}

/** Calls for what is due, and corrects calls that were wrong. */
function createCaller(
  parts: RuleEngineParts,
  remember: (alerts: readonly NamedAlert[]) => void,
): (rule: Rule, now: number, isMuted: (alert: LiveAlert) => boolean) => Promise<void> {
  const { board } = parts;
  const corrections = createCorrections(parts);
  const enqueue = async (events: readonly AlertEvent[], rule: Rule): Promise<void> => {
    const channels = parts.channelsOf(rule);
    if (events.length === 0 || channels.length === 0) return;
    await parts.enqueue(events, channels);
    corrections.note(events);
  };
  return async (rule, now, isMuted) => {
    await enqueue(
      corrections.find(rule, (group) => board.find(rule.id, group), now),
      rule,
    );
    const due = board.of(rule.id).flatMap((alert) => {
      const found = findCall(alert.state, { now, forMs: rule.for_seconds * 1_000, isMuted: isMuted(alert) });
      return found === null ? [] : [{ alert, call: found }];
    });
    if (due.length === 0) return;
    await enqueue(
      due.map(({ alert, call: state }) => toEvent(alert, state, board.of, now)),
      rule,
    );
    for (const { alert, call: done } of due) board.set(alert, afterCall(alert.state, done));
    remember(due.map(({ alert }) => alert));
  };
}

function toRetired(alert: LiveAlert): LiveAlert {
  return { ...alert, reading: null, missing: null };
}

/** What is only pending, or over already, does not end. */
function isOpen({ status }: AlertState): boolean {
  return status === 'firing' || status === 'no data';
}

async function takeAll(
  rules: readonly Rule[],
  take: (rule: Rule) => readonly AlertMove[],
  yieldToOthers: RuleEngineParts['yield'],
): Promise<readonly AlertMove[]> {
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

/** What the history keeps of a change: of what is only pending nothing, but that its data are back. */
function findChange({ before, after }: AlertMove): readonly AlertStateName[] {
  if (after === null || after.status === before?.status) return [];
  if (after.status === 'pending') return before?.status === 'no data' ? ['data again'] : [];
  // It is over as it was before it was pending.
  return before?.status === 'pending' && !isOpen(after) && before.called === null ? [] : [after.status];
}

interface ShownMove extends Pick<AlertMove, 'alert' | 'before'> {
  readonly state: AlertStateName;
}

function toChange(
  { alert, state, before }: ShownMove,
  { board, textOf }: Pick<RuleEngineParts, 'board' | 'textOf'>,
  now: number,
): StoredAlertChange {
  const fields = {
    at: toInstant(now),
    ...toAlertFields(alert, state, board.of, now),
    acknowledged: before && describeAcknowledgement(before),
  };
  return {
    ruleId: alert.rule.id,
    body: joinBody(fields, toEvidenceText(alert.reading?.evidence ?? NO_EVIDENCE, textOf)),
  };
}

/** What a rule says of the same data again is not found out again. What it is about is noted beside it. */
function createEvaluator({
  testOf,
  board,
  known: groupsKnown,
  log,
}: Pick<RuleEngineParts, 'testOf' | 'board' | 'known' | 'log'>): (
  rule: Rule,
  data: RuleData,
  remembered: readonly string[],
) => Evaluation {
  const last = new WeakMap<
    Rule,
    { readonly input: unknown; readonly groups: string; readonly evaluation: Evaluation }
  >();
  const failed = new WeakSet<Rule>();
  const countOf = createCounts();
  return (rule, data, remembered) => {
    try {
      const [input, groups] = [inputOf(rule, data), JSON.stringify(remembered)];
      const known = last.get(rule);
      if (known !== undefined && input !== null && known.input === input && known.groups === groups)
        return known.evaluation;
      const evaluation = evaluate(rule, data, testOf(rule), { countOf, remembered });
      last.set(rule, { input, groups, evaluation });
      board.noteWatched(rule, watchedOf(rule, evaluation, data, { testOf, known: groupsKnown }));
      return evaluation;
    } catch (error) {
      if (!failed.has(rule))
        log('error', 'rule failed', { rule: rule.id, reason: error instanceof Error ? error.stack : String(error) });
      failed.add(rule);
      return { missing: `It could not be evaluated: ${error instanceof Error ? error.message : String(error)}` };
    }
  };
}

/** What it is about. Whatever orders it finds are remembered. */
export function watchedOf(
  rule: Rule,
  evaluation: Evaluation,
  { working }: Pick<RuleData, 'working'>,
  { testOf, known }: Pick<RuleEngineParts, 'testOf' | 'known'>,
): Watched | null {
  if (isMissing(evaluation) || isMissing(working) || !isOfOrders(rule)) return findWatched(rule, evaluation, true);
  const withOrders = [...viewsOf(working).groups(testOf(rule), rule.each)].flatMap(([group, rows]) =>
    rows.length === 0 ? [] : [group],
  );
  known.note(rule, [
    ...withOrders,
    ...evaluation.flatMap(({ group, evidence }) => (evidence.total === 0 ? [] : [group])),
  ]);
  return findWatched(rule, evaluation, known.hasMatched(rule));
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
