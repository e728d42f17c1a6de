import type { ActivityRule, MarketRule, Rule } from '#contract/desk/rules.ts';
import type { Order } from '#contract/exchange/order.ts';
import { describeCorrection } from '#model/rules/describe-rule.ts';
import { subjectOf, isOfOrders, type OrderTest } from '#model/rules/rule-subjects.ts';
import type { AddressedEvent, AlertEvent } from '../notifications/notification.ts';
import type { LinksOf } from './alert-links.ts';
import { findDue, notifiedOf } from './due-notifications.ts';
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
import type { Crossings } from '#model/rules/crossings.ts';
import { evaluate } from '#model/rules/evaluate.ts';
import { type Evaluation, isMissing, NO_EVIDENCE, type RuleData } from '#model/rules/readings.ts';
import { findWatched, type Watched } from '#model/rules/alert-summary.ts';
import { UNPROVEN, viewsOf } from '#model/rules/evaluate-orders.ts';
import { describeOutside, type Holidays } from '#model/rules/rule-hours.ts';
import type { Log } from '#server/core/ports.ts';
import { toInstant } from '#server/core/to-instant.ts';
import type { OrderBaselines } from './order-baselines.ts';
import type { AlertState } from './alert-state.ts';
import type { KnownSubjects } from './rule-journal.ts';
import { createOutageWait, findInhibitor, findSilence, listHolding } from './muting.ts';
import type { StoredAlertChange, StoredSilence, StoredState } from './rule-store.ts';

export interface RuleEngineDeps {
  /** Writes all or nothing, so that what is stored as notified is exactly what is sent. */
  readonly write: (
    states: readonly StoredState[],
    changes: readonly StoredAlertChange[],
    events: readonly AddressedEvent[],
  ) => Promise<void>;
  /** Orders that were considered gone and then listed again. */
  readonly returned: () => readonly ReturnedOrder[];
  readonly board: AlertBoard;
  /** The channels of a rule; none if its author may no longer send notifications. */
  readonly channelsOf: (rule: Rule) => readonly string[];
  readonly linksOf: LinksOf;
  /** Returns the test of a rule's filter and expression. */
  readonly testOf: (rule: Rule) => OrderTest;
  readonly textOf: (row: object) => string;
  /** What a rule about crossings knows of earlier prices. */
  readonly crossingsOf: (rule: MarketRule) => Crossings;
  readonly known: Pick<KnownSubjects, 'of' | 'note' | 'hasMatched'>;
  readonly baselines: Pick<OrderBaselines, 'of' | 'update'>;
  /** The holidays at a moment. */
  readonly holidays: () => Holidays;
  /** Yields to other work before the next rule, since a rule about ten thousand orders takes some milliseconds. */
  readonly yield: () => Promise<void>;
  readonly log: Log;
}

export interface RuleEngine {
  /** Evaluates rules one at a time on the newest data. Resolves once the results are stored. */
  readonly run: (round: RuleRound) => Promise<void>;
  /** Writes what could not be written before. */
  readonly settle: () => Promise<void>;
  /** Drops what could not be written: another desk has evaluated the rules since. */
  readonly forget: () => void;
}

type NamedAlert = Pick<CurrentAlert, 'rule' | 'group'>;

interface RuleRound {
  readonly enabled: readonly Rule[];
  /** The enabled rules that can already be evaluated. */
  readonly ready: readonly Rule[];
  readonly data: RuleData;
  readonly silences: readonly StoredSilence[];
}

interface Unwritten {
  readonly alerts: Map<string, NamedAlert>;
  readonly changes: StoredAlertChange[];
  readonly events: AddressedEvent[];
}

function nothingUnwritten(): Unwritten {
  return { alerts: new Map(), changes: [], events: [] };
}

export function createRuleEngine(deps: RuleEngineDeps): RuleEngine {
  const { board, known, channelsOf } = deps;
  const evaluateRule = createEvaluator(deps);
  const outage = createOutageWait();
  /** What is still to be written. The state of each alert is looked up when it is. */
  let unwritten = nothingUnwritten();

  const remember = (alerts: readonly NamedAlert[], changes: readonly StoredAlertChange[]): void => {
    for (const alert of alerts) unwritten.alerts.set(JSON.stringify([alert.rule.id, alert.group]), alert);
    unwritten.changes.push(...changes);
  };
  const toStored = ({ rule, group: subject }: NamedAlert): StoredState =>
    board.find(rule.id, subject) ?? { rule, group: subject, state: null };
  const flush = async (): Promise<void> => {
    const { alerts, changes, events } = unwritten;
    if (alerts.size === 0 && changes.length === 0 && events.length === 0) return;
    await deps.write([...alerts.values()].map(toStored), changes, events);
    unwritten = nothingUnwritten();
  };

  const notify = createNotify(deps, (alerts, events) => {
    remember(alerts, []);
    unwritten.events.push(...events);
  });

  /**
   * Ends the alerts of rules that were deleted, disabled or changed, or are outside their hours, and finds "ended" for
   * those already notified.
   */
  const retire = (enabled: readonly Rule[], now: number): void => {
    const current = new Map(enabled.map((rule) => [rule.id, rule]));
    const retired = board.all().flatMap((alert): readonly CurrentAlert[] => {
      const { rule, state } = alert;
      if (!isSameCondition(rule, current.get(rule.id))) return [toRetired(alert)];
      const outside = isOver(state) ? null : describeOutside(rule.hours, now, deps.holidays());
      return outside === null ? [] : [{ ...toRetired(alert), outside }];
    });
    for (const alert of retired) {
      const channels = Object.keys(notifiedOf(alert.state, channelsOf(alert.rule)));
      if (channels.length > 0)
        unwritten.events.push({
          event: toEvent(alert, 'ended', { alertsOf: board.of, linksOf: deps.linksOf, now }),
          channels,
        });
    }
    for (const alert of retired) board.set(alert, null);
    remember(
      retired,
      retired
        .filter(({ state }) => isOpen(state))
        .map((alert) => toChange({ alert, state: 'ended', before: alert.state }, deps, now)),
    );
  };

  return {
    forget: () => {
      unwritten = nothingUnwritten();
    },
    settle: flush,
    run: async ({ enabled: all, ready, data, silences }) => {
      const { now } = data;
      outage.note(data.desk, now);
      retire(all, now);
      const isWithin = ({ hours }: Rule): boolean => describeOutside(hours, now, deps.holidays()) === null;
      const enabled = all.filter(isWithin);
      const ordered = desksFirst(ready.filter(isWithin));
      await deps.baselines.update(all, ordered, data);
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
      const holding = listHolding(enabled, board);
      for (const rule of ordered) {
        const isInhibited = findInhibitor(rule, holding) !== null;
        notify(
          rule,
          now,
          (alert) => isInhibited || outage.isWaiting(alert, enabled, now) || findSilence(silences, alert, now) !== null,
        );
      }
      await flush();
    },
  };
}

/** Finds the notifications that are due, and corrections of wrong ones. */
function createNotify(
  deps: RuleEngineDeps,
  add: (alerts: readonly NamedAlert[], events: readonly AddressedEvent[]) => void,
): (rule: Rule, now: number, isMuted: (alert: CurrentAlert) => boolean) => void {
  const { board } = deps;
  const corrections = createCorrections(deps);
  return (rule, now, isMuted) => {
    add(
      [],
      corrections.find(rule, (subject) => board.find(rule.id, subject), now),
    );
    const channels = deps.channelsOf(rule);
    for (const alert of board.of(rule.id)) {
      const { due, after } = findDue(rule, alert.state, { now, isMuted: isMuted(alert), channels });
      if (after === alert.state) continue;
      const events = due.map(({ state, occasion, channels: to }) => ({
        event: toEvent(alert, state, { alertsOf: board.of, linksOf: deps.linksOf, now, occasion }),
        channels: to,
      }));
      board.set(alert, after);
      add([alert], events);
      corrections.note(events);
    }
  };
}

function toRetired(alert: CurrentAlert): CurrentAlert {
  return { ...alert, reading: null, missing: null };
}

/** Pending and resolved alerts do not end. */
function isOpen({ status }: AlertState): boolean {
  return status === 'firing' || status === 'no data';
}

function isOver({ status }: AlertState): boolean {
  return status === 'resolved' || status === 'data again';
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
  const evidence = alert.reading?.evidence ?? NO_EVIDENCE;
  const { rule, group: subject } = alert;
  return {
    ruleId: rule.id,
    body: joinBody(fields, toEvidenceText(evidence, textOf)),
    ...(state === 'firing' && {
      firing: { group: subject, at: now, evidence: toEvidenceText(evidence, textOf, Infinity) },
    }),
  };
}

/** Reuses a rule’s result while its input data are unchanged. Also notes what the rule is about. */
function createEvaluator({
  testOf,
  crossingsOf,
  board,
  known: subjectsKnown,
  baselines,
  log,
}: Pick<RuleEngineDeps, 'testOf' | 'crossingsOf' | 'board' | 'known' | 'baselines' | 'log'>): (
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
      const excluded = baselines.of(rule);
      if (excluded === null) return { missing: `Which orders already meet the condition is unknown. ${UNPROVEN}` };
      const evaluation = evaluate(rule, data, testOf(rule), { countOf, crossingsOf, remembered, excluded });
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
  const each = rule.each === 'order' ? 'all' : rule.each;
  const withOrders = [...viewsOf(working).groups(testOf(rule), each)].flatMap(([subject, rows]) =>
    rows.length === 0 ? [] : [subject],
  );
  known.note(rule, [
    ...withOrders,
    ...evaluation.flatMap(({ group: subject, evidence }) =>
      evidence.total === 0 || rule.each === 'order' ? [] : [subject],
    ),
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
  // A crossing counts for a while.
  return rule.about === 'market' && rule.comparison !== 'crosses' ? data.market : null;
}

/**
 * Remembers notifications, so that they can be corrected if they relied on a reading that lacked orders.
 *
 * @internal Exported for its test.
 */
export interface Corrections {
  readonly note: (events: readonly AddressedEvent[]) => void;
  /**
   * Returns corrections of the wrong notifications of a rule, each once. `alertOf` returns the current alert of a
   * subject.
   */
  readonly find: (
    rule: Rule,
    alertOf: (group: string) => CurrentAlert | undefined,
    now: number,
  ) => readonly AddressedEvent[];
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
  let noted: readonly AddressedEvent[] = [];

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
      noted = [...noted, ...events.filter(({ event: { state } }) => state === 'firing' || state === 'resolved')].slice(
        -MOST_NOTED,
      );
    },
    find: (rule, alertOf, now) => {
      const found = noted
        .filter(({ event: { ruleId } }) => ruleId === rule.id)
        .flatMap((one) => {
          const { event, channels } = one;
          const alert = alertOf(event.group);
          const reading = alert?.reading ?? null;
          if (reading === null || reading.holds !== (event.state === 'resolved')) return [];
          // A flapping rule fires on, and nothing about that is wrong.
          if (event.state === 'firing' && alert?.state.status === 'firing') return [];
          const orders = countOrders(rule, event, now);
          const corrected = {
            ...event,
            key: JSON.stringify([event.key, 'corrected']),
            state: 'corrected' as const,
            at: now,
            sentence: describeCorrection(rule, reading, orders),
          };
          return orders === 0 ? [] : [{ one, corrected: { event: corrected, channels } }];
        });
      const wrong = new Set(found.map(({ one }) => one));
      if (wrong.size > 0) noted = noted.filter((one) => !wrong.has(one));
      return found.map(({ corrected }) => corrected);
    },
  };
}
