import { createRepetitionCount } from '#model/orders/duplicates.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { createTerms } from '#model/orders/order-terms.ts';
import type { JournalReader, ShownChange } from '#server/journal/read-journal.ts';
import { parseOrders, tooOldAfterMs, toSource, WORKING } from './rule-topics.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { createEventCount } from '#model/rules/count-events.ts';
import { evaluateActivity, findNextInstant } from '#model/rules/evaluate-activity.ts';
import { evaluateOrders } from '#model/rules/evaluate-orders.ts';
import type { OrderTest } from '#model/rules/rule-subjects.ts';
import type { Evaluation, OrderEvent, RuleData } from '#model/rules/readings.ts';
import type { ReadingTime } from '#server/journal/journal-store.ts';
import { createEventFinder } from './rule-journal.ts';
import { createAlertBoard } from './alert-board.ts';
import { findNextTurn } from './alert-state.ts';
import { findMeasure } from '#contract/desk/rule-measures.ts';

export interface TrialDeps {
  readonly journal: Pick<JournalReader, 'bookAt' | 'changes' | 'gaps' | 'readings'>;
  /** Since when the journal has readings; null if it has none. */
  readonly keptFrom: number | null;
  /** Monotonic, in milliseconds. */
  readonly elapsed: () => number;
  /** Yields to other work. */
  readonly yield: () => Promise<void>;
}

export interface Trial {
  readonly from: number;
  /** The end of the evaluated period. */
  readonly to: number;
  /** The periods without readings in between. */
  readonly gaps: readonly Unread[];
  readonly firings: ReturnType<Replay['firings']>;
}

const PAGE = 2_000;
const MAX_MS = 10_000;
const SLICE_MS = 20;
const MOST_FIRINGS = 1_000;

/** Returns, as a sentence, why a rule cannot be tried on the journal; null if it can. */
export function findTrialObstacle(rule: Rule): string | null {
  if (findMeasure(rule.about, rule.measure)?.inJournal === true) return null;
  return rule.about === 'orders'
    ? 'The journal holds orders, but not the prices they were compared with.'
    : 'The journal holds only orders.';
}

/** Returns when a rule would have fired, based on the journal's readings between two times. */
export async function tryOnJournal(
  rule: Rule,
  test: OrderTest,
  span: { readonly from: number; readonly to: number },
  deps: TrialDeps,
): Promise<Trial> {
  const { keptFrom } = deps;
  if (keptFrom === null || keptFrom > span.to) return { from: span.to, to: span.to, gaps: [], firings: [] };
  const { from, begin, gaps, times, replay } = await prepare(rule, test, span, { ...deps, keptFrom });
  const end = await replayAll(replay, pastReadings(deps.journal, times, begin, span.to), from, deps);
  const toTrial = (to: number): Trial => ({ from, to, gaps: clip(gaps, from, to), firings: replay.firings() });
  if (end !== null) return toTrial(end);
  const last = gaps.at(-1);
  if (last?.to === span.to) replay.lose(last.from);
  replay.end(span.to);
  return toTrial(span.to);
}

/** Prepares the replay. */
async function prepare(
  rule: Rule,
  test: OrderTest,
  span: { readonly from: number; readonly to: number },
  { journal, keptFrom }: TrialDeps & { readonly keptFrom: number },
) {
  const windowMs = rule.about === 'activity' ? rule.window_seconds * 1_000 : 0;
  const from = Math.max(span.from, keptFrom);
  // Starts between readings, not within one that was read in parts.
  const begin = (await journal.bookAt(Math.max(span.from - windowMs, keptFrom)))?.reading.to ?? keptFrom;
  const [book, gaps, times] = await Promise.all([
    journal.bookAt(begin),
    findUnread(journal, begin, span.to),
    journal.readings(begin + 1, span.to),
  ]);
  const replay = createReplay(rule, test, {
    begin,
    from,
    orders: [...(book?.orders ?? [])],
    isComplete: book?.reading.isComplete === true,
    gaps,
  });
  return { from, begin, gaps, times, replay };
}

/**
 * Replays all readings and returns null, or the time at which it stopped because it took too long or fired too often.
 */
async function replayAll(
  replay: Replay,
  readings: AsyncIterable<PastReading>,
  from: number,
  { elapsed, ...parts }: Pick<TrialDeps, 'elapsed' | 'yield'>,
): Promise<number | null> {
  const startedAt = elapsed();
  let sliceAt = startedAt;
  for await (const { reading, changes } of readings) {
    replay.read(reading, changes);
    if (reading.to >= from && (elapsed() - startedAt > MAX_MS || replay.firings().length >= MOST_FIRINGS))
      return reading.to;
    if (elapsed() - sliceAt < SLICE_MS) continue;
    await parts.yield();
    sliceAt = elapsed();
  }
  return null;
}

/** Returns the gaps, and the time since the last reading if that was too long ago to describe the end. */
async function findUnread(
  { gaps, bookAt }: TrialDeps['journal'],
  from: number,
  to: number,
): Promise<readonly Unread[]> {
  const [closed, end] = await Promise.all([gaps(from, to), bookAt(to)]);
  if (end === null) return closed;
  const { reading } = end;
  const known = closed.filter((gap) => gap.from < reading.to);
  return to - reading.to <= tooOldAfterMs(WORKING.everySeconds) ? known : [...known, { from: reading.to, to }];
}

function clip(gaps: readonly Unread[], from: number, to: number): readonly Unread[] {
  return gaps
    .map((gap) => ({ from: Math.max(gap.from, from), to: Math.min(gap.to, to) }))
    .filter((gap) => gap.from < gap.to);
}

interface PastReading {
  readonly reading: ReadingTime;
  readonly changes: readonly ShownChange[];
}

/**
 * Yields the readings, oldest first, each with its changes. The parts of one reading belong together, even if a page
 * ends between them.
 */
async function* pastReadings(
  { changes }: TrialDeps['journal'],
  times: readonly ReadingTime[],
  from: number,
  to: number,
): AsyncGenerator<PastReading> {
  let place = 0;
  let waiting: readonly ShownChange[] = [];
  for (let after: Parameters<typeof changes>[0]['after'] = null; ;) {
    const page = await changes({
      from: from + 1,
      to: to + 1,
      isNewestFirst: false,
      after,
      limit: PAGE,
      matches: () => true,
    });
    waiting = [...waiting, ...page.changes];
    for (let reading = times[place]; reading !== undefined; reading = times[++place]) {
      const { to: at } = reading;
      const end = waiting.findIndex((change) => change.to > at);
      if (end === -1 && page.next !== null) break;
      yield { reading, changes: end === -1 ? waiting : waiting.slice(0, end) };
      waiting = end === -1 ? [] : waiting.slice(end);
    }
    if (page.next === null) return;
    after = page.next;
  }
}

/** The orders that were working at a time in the past. */
interface PastBook {
  readonly apply: (changes: readonly ShownChange[]) => void;
  readonly rowsAt: (now: number) => readonly OrderRow[];
  /** The number of further orders whose rows are not valid. */
  readonly unreadable: () => number;
}

type IdAndRow = readonly [id: string, row: string];

/** Parses each state of an order once. */
function createPastBook(orders: readonly IdAndRow[]): PastBook {
  const repetitions = createRepetitionCount();
  const termsOf = createTerms([], () => null);
  const known = new Map<string, { readonly order: OrderRow['order']; readonly twins: { readonly others: number } }>();
  const unreadable = new Set<string>();
  const drop = (id: string): void => {
    const before = known.get(id);
    if (before !== undefined) repetitions.remove(before.order);
    known.delete(id);
    unreadable.delete(id);
  };
  const put = (rows: readonly IdAndRow[]): void => {
    const parsed = parseOrders([...new Set(rows.map(([, row]) => row))]);
    for (const [id, row] of rows) {
      const order = parsed.get(row);
      drop(id);
      if (order === undefined) unreadable.add(id);
      else known.set(id, { order, twins: repetitions.add(order).twins });
    }
  };
  put(orders);
  return {
    apply: (changes) => {
      put(
        changes
          .filter(({ kind }) => kind === 'seen' || kind === 'changed' || kind === 'returned')
          .map(({ id, row }) => [id, row]),
      );
      for (const { kind, id } of changes) if (kind === 'gone') drop(id);
    },
    rowsAt: (now) => {
      const source = toSource('desk/journal', now);
      return Array.from(known.values(), ({ order, twins }) => ({
        order,
        terms: termsOf(order),
        source,
        asOf: now,
        twins: twins.others,
      }));
    },
    unreadable: () => unreadable.size,
  };
}

/** A period without readings. */
interface Unread {
  readonly from: number;
  readonly to: number;
}

interface ReplayedFiring {
  readonly group: string;
  readonly at: number;
  readonly resolvedAt: number | null;
  readonly value: string | null;
}

/** Evaluates a rule on successive past readings. */
interface Replay {
  readonly read: (reading: ReadingTime, changes: readonly ShownChange[]) => void;
  /** Marks the time after the last reading as unknown. */
  readonly lose: (after: number) => void;
  /** Applies the changes that the mere passing of time causes. */
  readonly end: (to: number) => void;
  readonly firings: () => readonly ReplayedFiring[];
}

interface ReplayStart {
  /** From when changes are known. The rule is evaluated only from `from` on. */
  readonly begin: number;
  readonly from: number;
  readonly orders: readonly (readonly [id: string, row: string])[];
  readonly isComplete: boolean;
  /** The gaps in the whole replayed period. */
  readonly gaps: readonly Unread[];
}

type PastData = Pick<RuleData, 'now'> & {
  readonly [Name in 'working' | 'activity']: Exclude<RuleData[Name], { missing: string }>;
};

function createReplay(rule: Rule, test: OrderTest, { begin, from, orders, isComplete, gaps }: ReplayStart): Replay {
  const forMs = rule.for_seconds * 1_000;
  const needsRows = rule.about === 'orders' || (rule.about === 'activity' && rule.each !== 'all');
  const board = createAlertBoard();
  const book = createPastBook(orders);
  const follow = createEventWindow(rule);
  const evaluatePast = createPastEvaluation(rule, test);
  const { note, firings } = createFirings();
  let complete = isComplete;
  let isLost = false;
  let lastAt = begin;
  /** When the rule is evaluated next if no reading comes first. */
  let due = from;

  const take = (evaluation: Evaluation, now: number): void => {
    for (const move of board.take(rule, evaluation, now)) note(move, now);
  };
  const evaluateAt = (now: number): void => {
    const working = {
      rows: needsRows ? book.rowsAt(now) : [],
      complete,
      unreadable: book.unreadable(),
      pricesMissing: null,
    };
    const data = {
      now,
      working,
      activity: { events: follow.at(now), from: begin, to: now, gaps: gaps.filter((gap) => gap.to <= now) },
    };
    take(
      evaluatePast(
        data,
        board.all().map(({ group: subject }) => subject),
      ),
      now,
    );
    const turns = board
      .all()
      .flatMap(({ state }) => findNextTurn(state, forMs) ?? [])
      .filter((at) => at > now);
    due = Math.min(findNextInstant(rule, data), ...turns);
  };
  /** Evaluates up to an instant, exclusively. */
  const pass = (until: number): void => {
    while (due < until) evaluateAt(due);
  };
  const lose = (after: number): void => {
    pass(after + 1);
    take({ missing: 'The journal has a gap.' }, Math.max(after, from));
    [isLost, due] = [true, Infinity];
  };

  return {
    read: ({ to: at, isComplete: isWhole, isAfterGap }, changes) => {
      const gap = isAfterGap ? gaps.find((one) => one.to > lastAt && one.to <= at) : undefined;
      if (gap !== undefined && at > from) lose(gap.from);
      lastAt = at;
      pass(at);
      book.apply(changes);
      follow.add(changes);
      const isSame = changes.length === 0 && isWhole === complete && !isLost;
      [complete, isLost] = [isWhole, false];
      if (at >= from && !isSame) evaluateAt(at);
    },
    lose,
    end: (to) => {
      pass(to + 1);
    },
    firings,
  };
}

function createPastEvaluation(
  rule: Rule,
  test: OrderTest,
): (data: PastData, remembered: readonly string[]) => Evaluation {
  if (rule.about === 'activity') {
    const count = createEventCount(rule, test);
    return (data, remembered) => evaluateActivity(rule, data, { test, count, remembered });
  }
  return ({ working }, remembered) => (rule.about === 'orders' ? evaluateOrders(rule, working, test, remembered) : []);
}

/** Keeps the events within the window of an activity rule. */
function createEventWindow(rule: Rule) {
  const windowMs = rule.about === 'activity' ? rule.window_seconds * 1_000 : 0;
  const toEvents = createEventFinder();
  let events: OrderEvent[] = [];
  return {
    add: (changes: readonly ShownChange[]): void => {
      if (windowMs > 0) events.push(...toEvents(changes));
    },
    at: (now: number): readonly OrderEvent[] => (events = events.filter(({ at }) => at > now - windowMs)),
  };
}

/** Collects firings. An alert that fires before and after a gap counts as one. */
function createFirings() {
  const firings: (ReplayedFiring & { resolvedAt: number | null })[] = [];
  const open = new Map<string, (typeof firings)[number]>();
  return {
    firings: () => firings,
    note: (
      { alert: { group: subject, reading }, after }: ReturnType<ReturnType<typeof createAlertBoard>['take']>[number],
      now: number,
    ): void => {
      const firing = open.get(subject);
      if (after?.status === 'firing' && firing === undefined) {
        const fired = { group: subject, at: now, resolvedAt: null, value: reading?.value?.toFixed() ?? null };
        firings.push(fired);
        open.set(subject, fired);
      }
      if (firing !== undefined && (after === null || after.status === 'resolved')) {
        firing.resolvedAt = now;
        open.delete(subject);
      }
    },
  };
}
