import type { Rule } from '#contract/desk/rules.ts';
import type { RuleData } from '#model/rules/readings.ts';
import { createTurns } from '#server/core/in-turn.ts';
import { type ServerPorts, toPayer } from '#server/core/ports.ts';
import { ignoring, isProblemOf } from '#server/core/venue-failure.ts';
import { type ActivityLog, createActivityLog, createKnownSubjects, type KnownSubjects } from './rule-journal.ts';
import { type AliasOf, createAlertLinks } from './alert-links.ts';
import { type AlertBoard, createAlertBoard, restoreAlerts } from './alert-board.ts';
import { createCrossingMemory } from './crossing-memory.ts';
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
import { takeShown, writeShown } from './shown-alerts.ts';
import { type ActDeps, type AlertActs, createAlertActs } from './alert-acts.ts';
import { createShiftNotes, type ShiftNotes } from './shift-note.ts';
import { createFoundNote, createOthers, createPoll } from './other-desks.ts';
import { createTests } from './order-tests.ts';
import { createOrderBaselines } from './order-baselines.ts';
import { LONGEST_LAG_MS } from '#model/rules/evaluate-activity.ts';
import type { Holidays } from '#model/rules/rule-hours.ts';
import { createRuleRegistry, type RuleRegistry } from './rule-registry.ts';
import { createTopicReadings, type PaidRule, topicsOfAll, topicsWith } from './rule-topics.ts';
import { createSilenceRegistry, type SilenceRegistry } from './muting.ts';

export interface RulesRoomDeps extends DeskReadingDeps, Pick<ServerPorts, 'now' | 'elapsed' | 'schedule' | 'log'> {
  readonly store: Store;
  readonly leaderStore: Store;
  readonly scope: string;
  readonly journal: Pick<JournalRoom, 'reader' | 'state' | 'activity' | 'returned'>;
  readonly notifications: Pick<NotificationRoom, 'enqueue'>;
  readonly lease: Pick<Lease, 'isHeld' | 'onChange'>;
  /** The holidays of the file that the settings name; null without one. */
  readonly holidays: () => Holidays;
  readonly watch: FollowTopic;
  readonly aliasOf: AliasOf;
  readonly links: ActDeps['links'];
  /** Whether a person may currently send notifications. */
  readonly mayNotify: (person: string) => boolean;
  /** Called when alerts or rules have changed. */
  readonly onChange: () => void;
  /** Called at the leader with each silence that ended by its time. */
  readonly onSilenceOver: (silence: StoredSilence) => void;
}

/** The rules and their alerts, for responders and performers. */
export interface RulesRoom {
  readonly rules: RuleRegistry;
  readonly silences: SilenceRegistry;
  readonly board: AlertBoard;
  readonly shiftNotes: ShiftNotes;
  readonly store: Pick<RuleStore, 'ruleChanges' | 'alertChanges' | 'evidence'>;
  readonly data: RuleDataSource;
  /** When rules were last evaluated, by whichever desk; null if never. */
  readonly evaluatedAt: () => number | null;
  readonly evaluates: () => boolean;
  /** Takes what other desks have changed. Throws if that cannot be read. */
  readonly refresh: () => Promise<void>;
  readonly testOf: (rule: Rule) => OrderTest;
  readonly known: KnownSubjects;
  /** Evaluates what has changed soon. */
  readonly wake: () => void;
  /** Does something with alerts, only at the leader. Waits for the current round. */
  readonly act: <Result>(act: (acts: AlertActs) => Promise<Result>) => Promise<Result>;
  /** Reads for a while what a rule on trial needs. Resolves once it has been read, or after some seconds. */
  readonly readFor: (tried: PaidRule) => Promise<void>;
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

export async function openRulesRoom(deps: RulesRoomDeps): Promise<RulesRoom> {
  const { journal, lease, now, elapsed, schedule, log, onChange } = deps;
  const store = createRuleStore(deps.store, deps.scope);
  const evaluations = createRuleStore(deps.leaderStore, deps.scope);
  const rules = createRuleRegistry(store, { rules: await store.rules(), authors: await store.authors() }, now);
  const silences = createSilenceRegistry(store, await store.silences(), { now, newId: randomUUID });
  const shiftNotes = createShiftNotes(store, await store.shiftNote(), now);
  const board = createAlertBoard();
  await restoreAlerts(store, rules.enabled(), board);
  const startedAt = now();
  const activity = createActivityLog({ journal: journal.reader, state: journal.state });
  const readings = createTopicReadings(deps.watch, wake, now);
  // The rules are watched once all of this is there.
  function wake(): void {
    watch.wake();
  }
  const testOf = createTests();
  const yieldToOthers = (): Promise<void> => new Promise((resolve) => schedule(0, resolve));
  const data = createRuleData({
    ...{ testOf, yield: yieldToOthers, readings, activity: activity.reading },
    desk: (at) => toDeskReading(deps, startedAt, at),
    aheadMs: () => deps.venue.state().clockOffsetMs,
  });
  const write: RuleStore['write'] = async (...change) => {
    await evaluations.write(...change);
    onChange();
  };
  const known = createKnownSubjects(journal);
  const baselines = createOrderBaselines(evaluations, testOf);
  const crossings = createCrossingMemory(deps.leaderStore, deps.scope);
  await Promise.all([baselines.load(), crossings.load()]);
  const engine = createRuleEngine({
    ...{ known, baselines, crossingsOf: crossings.of, holidays: deps.holidays },
    channelsOf: createChannelsOf(rules, deps),
    linksOf: createAlertLinks(deps.aliasOf),
    write: async (states, changes, events) => {
      if (events.length === 0) return write(states, changes);
      await deps.notifications.enqueue(events, (writing) => evaluations.stepsOf(states, changes, writing));
      onChange();
    },
    board,
    returned: journal.returned,
    testOf,
    textOf: data.textOf,
    yield: yieldToOthers,
    log,
  });
  const acts = createAlertActs({
    ...{ board, rules, silences, write, now, settle: engine.settle, links: deps.links },
    onSilenceOver: deps.onSilenceOver,
  });
  const trials = createTrials({ elapsed, schedule });
  const term = createLeasePeriod(lease);
  const sync = (): void => {
    const kept = term.isLoaded()
      ? rules.enabled().map((rule) => ({ rule, payer: toPayer(rules.authorOf(rule.id)) }))
      : [];
    readings.need(topicsOfAll([...kept, ...trials.rules()], data.found(now())));
  };
  const isRead = (rule: Rule): boolean => topicsWith(data.found(now()), rule).every(readings.isTried);
  /** Loads what another server has left in the store. */
  const load = async (): Promise<void> => {
    await Promise.all([rules.reload(), silences.reload(), baselines.load(), shiftNotes.reload()]);
    await restoreAlerts(store, rules.enabled(), board);
  };
  /** Loads what the leader knows, except what it finds with each round. */
  const takeLead = (): Promise<void> =>
    term.load(async () => {
      engine.forget();
      // What this desk has watched for trials may be from before.
      readings.need(new Map());
      await Promise.all([crossings.load(), load()]);
    });
  const loadShown = async (): Promise<void> => {
    const found = await store.found();
    await load();
    if (found !== null) takeShown(found, rules.enabled(), board);
  };
  const findings = createFoundNote(evaluations, () => writeShown(rules.enabled(), board, now()));
  const others = createOthers({
    ...{ store, isLeader: lease.isHeld, rules, silences, shiftNotes, load: loadShown, now },
    onChange: () => {
      onChange();
      watch.wake();
    },
  });
  const follow = async (): Promise<void> => {
    if (!lease.isHeld()) return others.takeChanges();
    await takeLead();
    if (term.isLoaded()) watch.wake();
  };
  const refresh = async (): Promise<void> => {
    if (!deps.store.isShared) return;
    // The leader takes what others have written during a round; it alone changes the alerts.
    await (lease.isHeld() ? others.takeChanges() : inTurn(others.takeChanges));
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
    endOver: acts.endOver,
    isHeld: term.isLoaded,
    onEvaluated: async () => {
      await ignoring(crossings.store(rules.enabled()), 'desk-cannot-write');
      if (deps.store.isShared) await ignoring(findings.note(), 'desk-cannot-write');
    },
    isTested: () => deps.lastSelfTest() !== null,
  });
  lease.onChange(() => {
    others.forget();
    findings.forget();
    watch.wake();
  });
  const poll = createPoll(deps, refresh);
  return {
    ...{ rules, silences, shiftNotes, board, store, data, testOf, known, refresh },
    evaluatedAt: () => (lease.isHeld() ? watch.evaluatedAt() : others.evaluatedAt()),
    evaluates: lease.isHeld,
    wake: () => {
      onChange();
      watch.wake();
    },
    act: (act) =>
      inTurn(async () => {
        if (!term.isLoaded()) await takeLead();
        return act(acts);
      }),
    readFor: async (tried) => {
      await trials.add(tried, sync, () => isRead(tried.rule));
      // The rules that are evaluated here may need a longer window.
      const windowMs = longestWindowMs([tried.rule, ...rules.enabled()]);
      if (windowMs > 0) await inTurn(() => activity.update(now() - windowMs - LONGEST_LAG_MS));
    },
    start: () => {
      watch.start();
      poll.start();
    },
    close: async () => {
      await poll.close();
      await watch.close();
    },
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
  /** Ends the silences whose time is over. */
  readonly endOver: () => Promise<void>;
  /** Subscribes to exactly the topics the rules need. */
  readonly sync: () => void;
  /** Whether this server is the one that evaluates, among several on one store. */
  readonly isHeld: () => boolean;
  /** Loads what the evaluating server has written to the store. */
  readonly follow: () => Promise<void>;
  /** Called after each evaluation. */
  readonly onEvaluated: () => Promise<void>;
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
      await deps.endOver();
      const enabled = deps.rules();
      const ready = enabled.filter((rule) => isReady(rule, deps));
      const windowMs = longestWindowMs(ready);
      if (windowMs > 0) await activity.update(at - windowMs - LONGEST_LAG_MS);
      await deps.known.prepare(ready);
      await deps.prepare(ready, at);
      await engine.run({ enabled, ready, data: dataAt(at), silences: deps.silences() });
      await deps.onEvaluated();
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
