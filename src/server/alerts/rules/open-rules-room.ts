import { randomUUID } from 'node:crypto';
import type { Rule } from '#contract/desk/rules.ts';
import { toOrderTest, type OrderTest } from '#model/rules/match-orders.ts';
import { setBounded } from '#server/core/bounded-map.ts';
import type { CallRoom } from '../calls/call.ts';
import { createTurns } from '#server/core/in-turn.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import { toPayer, type GatewayPorts } from '#server/core/ports.ts';
import type { Lease } from '#server/store/lease.ts';
import type { Store } from '#server/store/store.ts';
import type { WatchTopic } from '#server/core/watch-topic.ts';
import { createActivityLog } from './activity-log.ts';
import { createAlertBoard, type AlertBoard } from './alert-board.ts';
import { toDeskReading, type DeskReadingParts } from './desk-reading.ts';
import { toExpressionTest } from './expression.ts';
import { createKnownGroups, type KnownGroups } from './known-groups.ts';
import { restoreAlerts } from './restore-alerts.ts';
import { createRuleBook, type RuleBook } from './rule-book.ts';
import { createRuleData, type RuleDataSource } from './rule-data.ts';
import { createRuleEngine } from './rule-engine.ts';
import { mayUseRule, type Author } from './rule-scope.ts';
import { createRuleStore, type RuleStore } from './rule-store.ts';
import { createRuleWatch, type RuleWatch } from './rule-watch.ts';
import { topicsOfAll, topicsWith, type PaidRule } from './rule-topics.ts';
import { createSilenceBook, toNote, type SilenceBook } from './silence-book.ts';
import { createTopicReadings } from './topic-readings.ts';

export interface RulesRoomParts extends DeskReadingParts, Pick<GatewayPorts, 'now' | 'elapsed' | 'schedule' | 'log'> {
  readonly store: Store;
  readonly scope: string;
  readonly journal: Pick<JournalRoom, 'reader' | 'state' | 'activity' | 'returned'>;
  readonly calls: Pick<CallRoom, 'enqueue'>;
  readonly lease: Pick<Lease, 'isHeld' | 'onChange'>;
  readonly watch: WatchTopic;
  /** Whether a person may have channels called, as things are. */
  readonly mayCall: (person: string) => boolean;
  /** What rules say has changed. */
  readonly onChange: () => void;
}

/** The room, for those who describe it and act on it. */
export interface RulesRoom {
  readonly rules: RuleBook;
  readonly silences: SilenceBook;
  readonly board: AlertBoard;
  readonly store: Pick<RuleStore, 'ruleChanges' | 'alertChanges'>;
  readonly data: RuleDataSource;
  readonly watch: Pick<RuleWatch, 'evaluatedAt'>;
  readonly evaluates: () => boolean;
  readonly testOf: (rule: Rule) => OrderTest;
  readonly known: KnownGroups;
  /** Has what changed evaluated soon. */
  readonly wake: () => void;
  /** After the round that is under way. False: there is no such alert, it is over, or it is not for its author. */
  readonly acknowledge: (ruleId: string, group: string, note: string, author: Author) => Promise<boolean>;
  /** Reads what a rule that is tried needs, for a while; resolves once that is there, or after some seconds. */
  readonly readFor: (tried: PaidRule) => Promise<void>;
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

/** Wires the room together. */
export async function openRulesRoom(parts: RulesRoomParts): Promise<RulesRoom> {
  const { journal, lease, now, elapsed, schedule, log, onChange } = parts;
  const store = createRuleStore(parts.store, parts.scope);
  const rules = createRuleBook(store, { rules: await store.rules(), authors: await store.authors() }, now);
  const silences = createSilenceBook(store, await store.silences(), { now, newId: randomUUID });
  const board = createAlertBoard();
  await restoreAlerts(store, rules.enabled(), board);
  const startedAt = now();
  const activity = createActivityLog({ journal: journal.reader, state: journal.state });
  const readings = createTopicReadings(parts.watch, () => {
    watch.wake();
  });
  const testOf = createTests();
  const yieldToOthers = (): Promise<void> => new Promise((resolve) => schedule(0, resolve));
  const data = createRuleData({
    ...{ testOf, yield: yieldToOthers },
    readings,
    activity: activity.reading,
    desk: (at) => toDeskReading(parts, startedAt, at),
    aheadMs: () => parts.venue.state().clockOffsetMs,
  });
  const write: RuleStore['write'] = async (...change) => {
    await store.write(...change);
    onChange();
  };
  const known = createKnownGroups(journal);
  const engine = createRuleEngine({
    known,
    channelsOf: createChannelsOf(rules, parts),
    store: { write },
    board,
    enqueue: parts.calls.enqueue,
    returned: journal.returned,
    testOf,
    textOf: data.textOf,
    yield: yieldToOthers,
    log,
  });
  const acknowledge = createAcknowledge(board, write, now);
  const trials = createTrials({ elapsed, schedule });
  const term = createTerm(lease);
  const sync = (): void => {
    const kept = term.isLoaded()
      ? rules.enabled().map((rule) => ({ rule, payer: toPayer(rules.authorOf(rule.id)) }))
      : [];
    readings.need(topicsOfAll([...kept, ...trials.rules()], data.sessions(now())));
  };
  const isRead = (rule: Rule): boolean => topicsWith(data.sessions(now()), rule).every(readings.isTried);
  /** As another desk has left them in the store. */
  const load = async (): Promise<void> => {
    await Promise.all([rules.reload(), silences.reload()]);
    await restoreAlerts(store, rules.enabled(), board);
  };
  const follow = async (): Promise<void> => {
    await term.load(load);
    if (term.isLoaded()) watch.wake();
  };
  /** A round and an acknowledgement would each undo what the other does meanwhile. */
  const inTurn = createTurns();
  const watch: RuleWatch = createRuleWatch({
    ...parts,
    inTurn,
    engine,
    board,
    activity,
    known,
    isRead,
    sync,
    follow,
    dataAt: data.at,
    prepare: data.prepare,
    rules: rules.enabled,
    silences: silences.all,
    isHeld: term.isLoaded,
    isTested: () => parts.lastSelfTest() !== null,
  });
  lease.onChange(() => {
    watch.wake();
  });
  return {
    ...{ rules, silences, board, store, data, watch, testOf, known },
    evaluates: lease.isHeld,
    wake: () => {
      onChange();
      watch.wake();
    },
    acknowledge: (...given) => inTurn(() => acknowledge(...given)),
    readFor: (tried) => trials.add(tried, sync, () => isRead(tried.rule)),
    start: watch.start,
    close: watch.close,
  };
}

/** What this desk loaded before it held the lease, another desk may have changed since. A load that fails is tried again with the next round. */
function createTerm(lease: RulesRoomParts['lease']) {
  let term = 0;
  let loaded = 0;
  lease.onChange(() => {
    term += 1;
  });
  return {
    isLoaded: (): boolean => lease.isHeld() && loaded === term,
    load: async (load: () => Promise<void>): Promise<void> => {
      const begun = term;
      await load();
      loaded = begun;
    },
  };
}

/** Whoever gave a rule its channels may have lost the right to. What is left of somebody who is gone belongs to the desk. */
function createChannelsOf(
  { authorOf }: Pick<RuleBook, 'authorOf'>,
  { mayCall, log }: Pick<RulesRoomParts, 'mayCall' | 'log'>,
): (rule: Rule) => readonly string[] {
  const reported = new WeakSet<Rule>();
  return (rule) => {
    if (rule.channels.length === 0 || mayCall(authorOf(rule.id))) return rule.channels;
    if (!reported.has(rule))
      log('warn', 'rule calls no one', {
        rule: rule.id,
        reason: 'whoever saved it last may not have channels called any more',
      });
    reported.add(rule);
    return [];
  };
}

function createAcknowledge(board: AlertBoard, write: RuleStore['write'], now: () => number): RulesRoom['acknowledge'] {
  return async (ruleId, group, note, author) => {
    const alert = board.find(ruleId, group);
    if (alert === undefined || alert.state.status === 'resolved' || !mayUseRule(author.scope, alert.rule)) return false;
    const state = { ...alert.state, acknowledged: { by: author.name, at: now(), note: toNote(note) } };
    await write([{ rule: alert.rule, group, state }], []);
    board.set(alert, state);
    return true;
  };
}

/** What each rule is about, found out once. Rules about the same orders have the same test. */
function createTests(): (rule: Rule) => OrderTest {
  const known = new WeakMap<Rule, OrderTest>();
  const shared = new Map<string, OrderTest>();
  const create = (rule: Rule): OrderTest => {
    if (rule.about !== 'orders' && rule.about !== 'activity') return () => false;
    const [test, expression] = [
      toOrderTest(rule.filter),
      rule.expression === undefined ? null : toExpressionTest(rule.expression),
    ];
    return expression === null ? test : (order) => test(order) && expression(order);
  };
  return (rule) => {
    const own = known.get(rule);
    if (own !== undefined) return own;
    const condition = conditionOf(rule);
    const test = shared.get(condition) ?? create(rule);
    known.set(rule, test);
    setBounded(shared, condition, test, MOST_TESTS);
    return test;
  };
}

const MOST_TESTS = 1_000;

function conditionOf(rule: Rule): string {
  return rule.about === 'orders' || rule.about === 'activity'
    ? JSON.stringify([Object.entries(rule.filter).sort(), rule.expression ?? null])
    : '';
}

const READ_FOR_MS = 300_000;
const WAIT_MS = 10_000;
const LOOK_MS = 100;

/** Rules that somebody tries: what they need is read for a while, and status shows it. */
function createTrials({ elapsed, schedule }: Pick<GatewayPorts, 'elapsed' | 'schedule'>) {
  let trials: (PaidRule & { readonly until: number })[] = [];
  return {
    rules: (): readonly PaidRule[] => {
      trials = trials.filter(({ until }) => until > elapsed());
      return trials;
    },
    add: async ({ rule, payer }: PaidRule, sync: () => void, isRead: () => boolean): Promise<void> => {
      const beganAt = elapsed();
      const own = trials.filter((trial) => trial.payer === payer && trial.rule.id !== rule.id);
      trials = [
        ...trials.filter((trial) => trial.payer !== payer),
        ...[...own, { rule, payer, until: beganAt + READ_FOR_MS }].slice(-MOST_TRIALS),
      ];
      sync();
      while (!isRead() && elapsed() - beganAt < WAIT_MS)
        await new Promise<void>((resolve) => schedule(LOOK_MS, resolve));
    },
  };
}

/** Of one person. */
const MOST_TRIALS = 10;
