import type { ActivityRule, Rule } from '#contract/desk/rules.ts';
import type { Order } from '#contract/exchange/order.ts';
import { describeCorrection } from '#model/rules/describe-rule.ts';
import { subjectOf, isOfOrders, type OrderTest } from '#model/rules/rule-subjects.ts';
import type { AlertEvent } from '../notifications/notification.ts';
import type { ReturnedOrder } from '#server/journal/gone-orders.ts';
import {
  type AlertBoard,
  type AlertMove,
  type CurrentAlert,
  describeAcknowledgement,
  isSameCondition,
  joinBody,
  toAlertFields,
  toEvent,
  toEvidenceText,
} from './alert-board.ts';
import { parseOrders } from './rule-topics.ts';
import type { AlertStateName } from '#contract/desk/alerts.ts';
import { type CountEvents, createEventCount } from '#model/rules/count-events.ts';
import { evaluate } from '#model/rules/evaluate.ts';
import { type Evaluation, isMissing, NO_EVIDENCE, type RuleData } from '#model/rules/readings.ts';
import { findWatched, type Watched } from '#model/rules/alert-summary.ts';
import { viewsOf } from '#model/rules/evaluate-orders.ts';
import type { Log } from '#server/core/ports.ts';
import { toInstant } from '#server/core/to-instant.ts';
import { afterNotification, type AlertState, findNotification } from './alert-state.ts';
import type { KnownSubjects } from './rule-journal.ts';
import { createOutageWait, findInhibitor, findSilence, listHolding } from './muting.ts';
import type { RuleStore, StoredAlertChange, StoredSilence, StoredState } from './rule-store.ts';

export interface RuleEngineDeps {
  readonly store: Pick<RuleStore, 'write'>;
  /** Orders that were considered gone and then listed again. */
  readonly returned: () => readonly ReturnedOrder[];
  readonly board: AlertBoard;
  readonly enqueue: (events: readonly AlertEvent[], channels: readonly string[]) => Promise<void>;
  /** The channels of a rule; none if its author may no longer send notifications. */
  readonly channelsOf: (rule: Rule) => readonly string[];
  /** Returns the test of a rule's filter and expression. */
  readonly testOf: (rule: Rule) => OrderTest;
  readonly textOf: (row: object) => string;
  readonly known: Pick<KnownSubjects, 'of' | 'note' | 'hasMatched'>;
  /** Yields to other work before the next rule, since a rule about ten thousand orders takes some milliseconds. */
  readonly yield: () => Promise<void>;
  readonly log: Log;
}

export interface RuleEngine {
  /** Evaluates rules one at a time on the newest data. Resolves once the results are stored. */
  readonly run: (round: RuleRound) => Promise<void>;
}

type NamedAlert = Pick<CurrentAlert, 'rule' | 'group'>;

interface RuleRound {
  readonly enabled: readonly Rule[];
  /** The enabled rules that can already be evaluated. */
  readonly ready: readonly Rule[];
  readonly data: RuleData;
  readonly silences: readonly StoredSilence[];
}

export function createRuleEngine(deps: RuleEngineDeps): RuleEngine {
  const { store, board, known, enqueue, channelsOf } = deps;
  const evaluateRule = createEvaluator(deps);
  const outage = createOutageWait();
  /** What is still to be written. The state of each alert is looked up when it is. */
  let unwritten: { readonly alerts: Map<string, NamedAlert>; readonly changes: StoredAlertChange[] } = {
    alerts: new Map(),
    changes: [],
  };

  const remember = (alerts: readonly NamedAlert[], changes: readonly StoredAlertChange[]): void => {
    for (const alert of alerts) unwritten.alerts.set(JSON.stringify([alert.rule.id, alert.group]), alert);
    unwritten.changes.push(...changes);
  };
  const toStored = ({ rule, group: subject }: NamedAlert): StoredState =>
    board.find(rule.id, subject) ?? { rule, group: subject, state: null };
  const flush = async (): Promise<void> => {
    if (unwritten.alerts.size === 0 && unwritten.changes.length === 0) return;
    await store.write([...unwritten.alerts.values()].map(toStored), unwritten.changes);
    unwritten = { alerts: new Map(), changes: [] };
  };

  const notification = createCaller(deps, (alerts) => {
    remember(alerts, []);
  });

  /** Ends the alerts of rules that were deleted, disabled or changed, and sends "ended" for those already notified. */
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
          .map((alert) => toChange({ alert, state: 'ended', before: alert.state }, deps, now)),
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
            evaluateRule(rule, data, [
              ...new Set([...board.of(rule.id).map(({ group: subject }) => subject), ...known.of(rule)]),
            ]),
            now,
          ),
        deps.yield,
      );
      remember(
        moves.map(({ alert }) => alert),
        moves.flatMap((move) =>
          findChange(move).map((state) => toChange({ alert: move.alert, state, before: move.before }, deps, now)),
        ),
      );
      // Written before notifying, so that after a restart the same alert is notified with the same key.
      await flush();
      const holding = listHolding(enabled, board);
      for (const rule of ordered) {
        const isInhibited = findInhibitor(rule, holding) !== null;
        await notification(
          rule,
          now,
          (alert) => isInhibited || outage.isWaiting(alert, enabled, now) || findSilence(silences, alert, now) !== null,
        );
      }
      await flush();
    },
  };
}

/** Sends the notifications that are due, and corrections of wrong ones. */
function createCaller(
  deps: RuleEngineDeps,
  remember: (alerts: readonly NamedAlert[]) => void,
): (rule: Rule, now: number, isMuted: (alert: CurrentAlert) => boolean) => Promise<void> {
  const { board } = deps;
  const corrections = createCorrections(deps);
  const enqueue = async (events: readonly AlertEvent[], rule: Rule): Promise<void> => {
    const channels = deps.channelsOf(rule);
    if (events.length === 0 || channels.length === 0) return;
    await deps.enqueue(events, channels);
    corrections.note(events);
  };
  return async (rule, now, isMuted) => {
    await enqueue(
      corrections.find(rule, (subject) => board.find(rule.id, subject), now),
      rule,
    );
    const due = board.of(rule.id).flatMap((alert) => {
      const found = findNotification(alert.state, { now, forMs: rule.for_seconds * 1_000, isMuted: isMuted(alert) });
      return found === null ? [] : [{ alert, notification: found }];
    });
    if (due.length === 0) return;
    await enqueue(
      due.map(({ alert, notification: state }) => toEvent(alert, state, board.of, now)),
      rule,
    );
    for (const { alert, notification: done } of due) board.set(alert, afterNotification(alert.state, done));
    remember(due.map(({ alert }) => alert));
  };
}

function toRetired(alert: CurrentAlert): CurrentAlert {
  return { ...alert, reading: null, missing: null };
}

/** Pending and resolved alerts do not end. */
function isOpen({ status }: AlertState): boolean {
  return status === 'firing' || status === 'no data';
}

async function takeAll(
  rules: readonly Rule[],
  take: (rule: Rule) => readonly AlertMove[],
  yieldToOthers: RuleEngineDeps['yield'],
): Promise<readonly AlertMove[]> {
  const moves: AlertMove[] = [];
  for (const rule of rules) {
    moves.push(...take(rule));
    await yieldToOthers();
  }
  return moves;
}

/** Puts rules that explain others first. */
function desksFirst(rules: readonly Rule[]): readonly Rule[] {
  return rules.toSorted((a, b) => Number(b.about === 'desk') - Number(a.about === 'desk'));
}

/** Returns the changes that the history records. Of pending alerts, it records only that their data are back. */
function findChange({ before, after }: AlertMove): readonly AlertStateName[] {
  if (after === null || after.status === before?.status) return [];
  if (after.status === 'pending') return before?.status === 'no data' ? ['data again'] : [];
  // The alert is over again, as it was before it was pending.
  return before?.status === 'pending' && !isOpen(after) && before.called === null ? [] : [after.status];
}

interface ShownMove extends Pick<AlertMove, 'alert' | 'before'> {
  readonly state: AlertStateName;
}

function toChange(
  { alert, state, before }: ShownMove,
  { board, textOf }: Pick<RuleEngineDeps, 'board' | 'textOf'>,
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

/** Reuses a rule’s result while its input data are unchanged. Also notes what the rule is about. */
function createEvaluator({
  testOf,
  board,
  known: subjectsKnown,
  log,
}: Pick<RuleEngineDeps, 'testOf' | 'board' | 'known' | 'log'>): (
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
      const [input, subjects] = [inputOf(rule, data), JSON.stringify(remembered)];
      const known = last.get(rule);
      if (known !== undefined && input !== null && known.input === input && known.groups === subjects)
        return known.evaluation;
      const evaluation = evaluate(rule, data, testOf(rule), { countOf, remembered });
      last.set(rule, { input, groups: subjects, evaluation });
      board.noteWatched(rule, watchedOf(rule, evaluation, data, { testOf, known: subjectsKnown }));
      return evaluation;
    } catch (error) {
      if (!failed.has(rule))
        log('error', 'rule failed', { rule: rule.id, reason: error instanceof Error ? error.stack : String(error) });
      failed.add(rule);
      return { missing: `It could not be evaluated: ${error instanceof Error ? error.message : String(error)}` };
    }
  };
}

/** Returns what a rule is about, and remembers the subjects whose orders it finds. */
export function watchedOf(
  rule: Rule,
  evaluation: Evaluation,
  { working }: Pick<RuleData, 'working'>,
  { testOf, known }: Pick<RuleEngineDeps, 'testOf' | 'known'>,
): Watched | null {
  if (isMissing(evaluation) || isMissing(working) || !isOfOrders(rule)) return findWatched(rule, evaluation, true);
  const withOrders = [...viewsOf(working).groups(testOf(rule), rule.each)].flatMap(([subject, rows]) =>
    rows.length === 0 ? [] : [subject],
  );
  known.note(rule, [
    ...withOrders,
    ...evaluation.flatMap(({ group: subject, evidence }) => (evidence.total === 0 ? [] : [subject])),
  ]);
  return findWatched(rule, evaluation, known.hasMatched(rule));
}

/**
 * Keeps a running count per rule: a window of a day can hold a hundred thousand events, and only those that enter or
 * leave it need a look.
 */
function createCounts(): (rule: ActivityRule, test: OrderTest) => CountEvents {
  const counts = new WeakMap<ActivityRule, CountEvents>();
  return (rule, test) => {
    const count = counts.get(rule) ?? createEventCount(rule, test);
    counts.set(rule, count);
    return count;
  };
}

/** Returns the input that determines a rule's result; null if the result also depends on the time. */
function inputOf(rule: Rule, data: RuleData): unknown {
  if (rule.about === 'orders') return data.working;
  return rule.about === 'market' ? data.market : null;
}

/**
 * Remembers notifications, so that they can be corrected if they relied on a reading that lacked orders.
 *
 * @internal Exported for its test.
 */
export interface Corrections {
  readonly note: (events: readonly AlertEvent[]) => void;
  /**
   * Returns corrections of the wrong notifications of a rule, each once. `alertOf` returns the current alert of a
   * subject.
   */
  readonly find: (
    rule: Rule,
    alertOf: (group: string) => CurrentAlert | undefined,
    now: number,
  ) => readonly AlertEvent[];
}

interface CorrectionDeps {
  readonly returned: () => readonly ReturnedOrder[];
  readonly testOf: (rule: Rule) => OrderTest;
}

const MOST_NOTED = 1_000;
/** Later changes have other reasons than orders that were listed again. */
const CORRECTED_WITHIN_MS = 60_000;

/** @internal Exported for its test. */
export function createCorrections({ returned, testOf }: CorrectionDeps): Corrections {
  let noted: readonly AlertEvent[] = [];

  const countOrders = (rule: Rule, { group: subject, at }: AlertEvent, now: number): number => {
    if (rule.about !== 'orders' && rule.about !== 'activity') return 0;
    const { each } = rule;
    const rows = returned()
      .filter((one) => one.goneAt <= at && at <= one.at && now - one.at <= CORRECTED_WITHIN_MS)
      .map(({ row }) => row);
    const isMeant = (order: Order): boolean =>
      testOf(rule)(order) && (each === 'all' || subjectOf(order, each) === subject);
    return new Set([...parseOrders(rows).values()].filter(isMeant).map(({ id }) => id)).size;
  };

  return {
    note: (events) => {
      noted = [...noted, ...events.filter(({ state }) => state === 'firing' || state === 'resolved')].slice(
        -MOST_NOTED,
      );
    },
    find: (rule, alertOf, now) => {
      const found = noted
        .filter(({ ruleId }) => ruleId === rule.id)
        .flatMap((event) => {
          const reading = alertOf(event.group)?.reading ?? null;
          if (reading === null || reading.holds !== (event.state === 'resolved')) return [];
          const orders = countOrders(rule, event, now);
          return orders === 0
            ? []
            : [
                {
                  event,
                  corrected: {
                    ...event,
                    key: JSON.stringify([event.key, 'corrected']),
                    state: 'corrected' as const,
                    at: now,
                    sentence: describeCorrection(rule, reading, orders),
                  },
                },
              ];
        });
      const wrong = new Set(found.map(({ event }) => event));
      if (wrong.size > 0) noted = noted.filter((event) => !wrong.has(event));
      return found.map(({ corrected }) => corrected);
    },
  };
}
