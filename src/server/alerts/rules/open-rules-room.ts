import type { Rule } from '#contract/desk/rules.ts';
import type { RuleData } from '#model/rules/readings.ts';
import { createTurns } from '#server/core/in-turn.ts';
import { type ServerPorts, toPayer } from '#server/core/ports.ts';
import { isProblemOf } from '#server/core/venue-failure.ts';
import { type ActivityLog, createActivityLog, createKnownSubjects, type KnownSubjects } from './rule-journal.ts';
import { type AlertBoard, createAlertBoard, restoreAlerts } from './alert-board.ts';
import { createRuleEngine, type RuleEngine } from './rule-engine.ts';
import { createRuleStore, type RuleStore, type StoredSilence } from './rule-store.ts';
import { randomUUID } from 'node:crypto';
import type { OrderTest } from '#model/rules/rule-subjects.ts';
import type { NotificationRoom } from '../notifications/notification.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import type { Lease } from '#server/store/lease.ts';
import type { Store } from '#server/store/store.ts';
import type { FollowTopic } from '#server/core/topics.ts';
import { createRuleData, type DeskReadingDeps, type RuleDataSource, toDeskReading } from './rule-data.ts';
import { createTests } from './order-tests.ts';
import { type Author, createRuleRegistry, mayUseRule, type RuleRegistry } from './rule-registry.ts';
import { createTopicReadings, type PaidRule, topicsOfAll, topicsWith } from './rule-topics.ts';
import { createSilenceRegistry, type SilenceRegistry, toNote } from './muting.ts';

export interface RulesRoomDeps extends DeskReadingDeps, Pick<ServerPorts, 'now' | 'elapsed' | 'schedule' | 'log'> {
  readonly store: Store;
  readonly scope: string;
  readonly journal: Pick<JournalRoom, 'reader' | 'state' | 'activity' | 'returned'>;
  readonly notifications: Pick<NotificationRoom, 'enqueue'>;
  readonly lease: Pick<Lease, 'isHeld' | 'onChange'>;
  readonly watch: FollowTopic;
  /** Whether a person may currently send notifications. */
  readonly mayNotify: (person: string) => boolean;
  /** Called when alerts or rules have changed. */
  readonly onChange: () => void;
}

/** The rules and their alerts, for responders and performers. */
export interface RulesRoom {
  readonly rules: RuleRegistry;
  readonly silences: SilenceRegistry;
  readonly board: AlertBoard;
  readonly store: Pick<RuleStore, 'ruleChanges' | 'alertChanges'>;
  readonly data: RuleDataSource;
  readonly watch: Pick<RuleWatch, 'evaluatedAt'>;
  readonly evaluates: () => boolean;
  readonly testOf: (rule: Rule) => OrderTest;
  readonly known: KnownSubjects;
  /** Evaluates what has changed soon. */
  readonly wake: () => void;
  /** Waits for the current round. False if there is no such alert, it is over, or its author may not see it. */
  readonly acknowledge: (ruleId: string, group: string, note: string, author: Author) => Promise<boolean>;
  /** Reads for a while what a rule on trial needs. Resolves once it has been read, or after some seconds. */
  readonly readFor: (tried: PaidRule) => Promise<void>;
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

export async function openRulesRoom(deps: RulesRoomDeps): Promise<RulesRoom> {
  const { journal, lease, now, elapsed, schedule, log, onChange } = deps;
  const store = createRuleStore(deps.store, deps.scope);
  const rules = createRuleRegistry(store, { rules: await store.rules(), authors: await store.authors() }, now);
  const silences = createSilenceRegistry(store, await store.silences(), { now, newId: randomUUID });
  const board = createAlertBoard();
  await restoreAlerts(store, rules.enabled(), board);
  const startedAt = now();
  const activity = createActivityLog({ journal: journal.reader, state: journal.state });
  const readings = createTopicReadings(deps.watch, () => {
    watch.wake();
  });
  const testOf = createTests();
  const yieldToOthers = (): Promise<void> => new Promise((resolve) => schedule(0, resolve));
  const data = createRuleData({
    ...{ testOf, yield: yieldToOthers },
    readings,
    activity: activity.reading,
    desk: (at) => toDeskReading(deps, startedAt, at),
    aheadMs: () => deps.venue.state().clockOffsetMs,
  });
  const write: RuleStore['write'] = async (...change) => {
    await store.write(...change);
    onChange();
  };
  const known = createKnownSubjects(journal);
  const engine = createRuleEngine({
    known,
    channelsOf: createChannelsOf(rules, deps),
    store: { write },
    board,
    enqueue: deps.notifications.enqueue,
    returned: journal.returned,
    testOf,
    textOf: data.textOf,
    yield: yieldToOthers,
    log,
  });
  const acknowledge = createAcknowledge(board, write, now);
  const trials = createTrials({ elapsed, schedule });
  const term = createLeasePeriod(lease);
  const sync = (): void => {
    const kept = term.isLoaded()
      ? rules.enabled().map((rule) => ({ rule, payer: toPayer(rules.authorOf(rule.id)) }))
      : [];
    readings.need(topicsOfAll([...kept, ...trials.rules()], data.sessions(now())));
  };
  const isRead = (rule: Rule): boolean => topicsWith(data.sessions(now()), rule).every(readings.isTried);
  /** Loads what another server has left in the store. */
  const load = async (): Promise<void> => {
    await Promise.all([rules.reload(), silences.reload()]);
    await restoreAlerts(store, rules.enabled(), board);
  };
  const follow = async (): Promise<void> => {
    await term.load(load);
    if (term.isLoaded()) watch.wake();
  };
  /** Runs rounds and acknowledgements in turn, because each would overwrite the changes of the other. */
  const inTurn = createTurns();
  const watch: RuleWatch = createRuleWatch({
    ...deps,
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
    isTested: () => deps.lastSelfTest() !== null,
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

/**
 * Another server may have changed the rules since this one loaded them, so it reloads them when it gets the lease. A
 * failed load is repeated in the next round.
 */
function createLeasePeriod(lease: RulesRoomDeps['lease']) {
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

/**
 * Returns no channels if the author of a rule is no longer allowed to use them. The rules of deleted people keep
 * theirs.
 */
function createChannelsOf(
  { authorOf }: Pick<RuleRegistry, 'authorOf'>,
  { mayNotify, log }: Pick<RulesRoomDeps, 'mayNotify' | 'log'>,
): (rule: Rule) => readonly string[] {
  const reported = new WeakSet<Rule>();
  return (rule) => {
    if (rule.channels.length === 0 || mayNotify(authorOf(rule.id))) return rule.channels;
    if (!reported.has(rule))
      log('warn', 'rule notifies no one', {
        rule: rule.id,
        reason: 'the person who saved it last may no longer notify channels',
      });
    reported.add(rule);
    return [];
  };
}

function createAcknowledge(board: AlertBoard, write: RuleStore['write'], now: () => number): RulesRoom['acknowledge'] {
  return async (ruleId, subject, note, author) => {
    const alert = board.find(ruleId, subject);
    if (alert === undefined || alert.state.status === 'resolved' || !mayUseRule(author.scope, alert.rule)) return false;
    const state = { ...alert.state, acknowledged: { by: author.name, at: now(), note: toNote(note) } };
    await write([{ rule: alert.rule, group: subject, state }], []);
    board.set(alert, state);
    return true;
  };
}

const READ_FOR_MS = 300_000;
const WAIT_MS = 10_000;
const LOOK_MS = 100;

/** Rules on trial: the topics they need are read for a while and appear on the status screen. */
function createTrials({ elapsed, schedule }: Pick<ServerPorts, 'elapsed' | 'schedule'>) {
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

/** Per person. */
const MOST_TRIALS = 10;

interface RuleWatchDeps extends Pick<ServerPorts, 'now' | 'elapsed' | 'schedule' | 'log'> {
  /** Prevents other changes of alerts during a round. */
  readonly inTurn: ReturnType<typeof createTurns>;
  readonly engine: Pick<RuleEngine, 'run'>;
  readonly board: Pick<AlertBoard, 'shift'>;
  readonly activity: Pick<ActivityLog, 'update'>;
  readonly known: Pick<KnownSubjects, 'prepare'>;
  /** Whether reading was attempted for everything that a rule needs. */
  readonly isRead: (rule: Rule) => boolean;
  readonly dataAt: (now: number) => RuleData;
  /** Does in small steps the work that would otherwise block for long. */
  readonly prepare: (rules: readonly Rule[], now: number) => Promise<void>;
  /** The enabled rules. */
  readonly rules: () => readonly Rule[];
  readonly silences: () => readonly StoredSilence[];
  /** Subscribes to exactly the topics the rules need. */
  readonly sync: () => void;
  /** Whether this server is the one that evaluates, among several on one store. */
  readonly isHeld: () => boolean;
  /** Loads what the evaluating server has written to the store. */
  readonly follow: () => Promise<void>;
  /** Whether the exchange's interface has been tested, which takes a moment after the start. */
  readonly isTested: () => boolean;
}

/** Evaluates rules after each reading and at regular intervals. */
interface RuleWatch {
  readonly start: () => void;
  /** Evaluates soon. */
  readonly wake: () => void;
  /** When rules were last evaluated; null if never. */
  readonly evaluatedAt: () => number | null;
  readonly close: () => Promise<void>;
}

const EVERY_MS = 5_000;
/** A larger drift between the wall clock and the monotonic clock means that the wall clock was set. */
const CORRECTED_MS = 2_000;

function createRuleWatch(deps: RuleWatchDeps): RuleWatch {
  const { schedule, inTurn } = deps;
  const round = createRound(deps);
  let cancel = (): void => undefined;
  let running: Promise<void> | null = null;
  let isOpen = false;
  let isAwake = false;
  let evaluatedAt: number | null = null;

  const run = (): void => {
    if (running !== null) {
      isAwake = true;
      return;
    }
    running = inTurn(round).then((at) => {
      evaluatedAt = at ?? evaluatedAt;
      running = null;
      plan(isAwake ? 0 : EVERY_MS);
      isAwake = false;
    });
  };
  const plan = (milliseconds: number): void => {
    cancel();
    if (isOpen) cancel = schedule(milliseconds, run);
  };

  return {
    start: () => {
      isOpen = true;
      plan(0);
    },
    wake: () => {
      if (running === null) plan(0);
      else isAwake = true;
    },
    evaluatedAt: () => evaluatedAt,
    close: async () => {
      isOpen = false;
      cancel();
      await running;
    },
  };
}

/** Creates a function that evaluates all rules once and returns when, or null if it could not. It never rejects. */
function createRound(deps: RuleWatchDeps): () => Promise<number | null> {
  const { now, elapsed, log, board, engine, activity, dataAt } = deps;
  let clock: { readonly now: number; readonly elapsed: number } | null = null;
  const followClock = (): number => {
    const next = { now: now(), elapsed: elapsed() };
    const correction = clock === null ? 0 : next.now - clock.now - (next.elapsed - clock.elapsed);
    clock = next;
    if (Math.abs(correction) > CORRECTED_MS) board.shift(correction);
    return next.now;
  };
  return async () => {
    const at = followClock();
    deps.sync();
    try {
      if (!deps.isHeld()) {
        await deps.follow();
        return null;
      }
      const enabled = deps.rules();
      const ready = enabled.filter((rule) => isReady(rule, deps));
      const windowMs = longestWindowMs(ready);
      if (windowMs > 0) await activity.update(at - windowMs);
      await deps.known.prepare(ready);
      await deps.prepare(ready, at);
      await engine.run({ enabled, ready, data: dataAt(at), silences: deps.silences() });
      return at;
    } catch (error) {
      // The store has reported its own failure, and the next round tries everything again.
      if (!isProblemOf(error, 'desk-cannot-write') && !isProblemOf(error, 'desk-cannot-read'))
        log('error', 'rules failed', { reason: error instanceof Error ? error.stack : String(error) });
      return null;
    }
  };
}

/** Topics that have not been read yet after the start do not count as missing. */
function isReady(rule: Rule, { isRead, isTested }: RuleWatchDeps): boolean {
  if (rule.about === 'desk' && rule.measure === 'drift') return isTested();
  return isRead(rule);
}

function longestWindowMs(rules: readonly Rule[]): number {
  return Math.max(0, ...rules.map((rule) => ('window_seconds' in rule ? (rule.window_seconds ?? 0) * 1_000 : 0)));
}
