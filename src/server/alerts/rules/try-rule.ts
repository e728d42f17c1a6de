import { writeValue } from '#model/rules/describe-rule.ts';
import { createRepetitionCount, type Repetition } from '#model/orders/duplicates.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { createTerms, type MarketPriceOf, type OrderTerms, type TermsOf } from '#model/orders/order-terms.ts';
import type { JournalReader, ShownChange } from '#server/journal/read-journal.ts';
import type { PriceReading } from '#server/journal/prices/price-store.ts';
import type { PriceReader } from '#server/journal/prices/read-prices.ts';
import { createPassingPrices, type PassingPrices } from './past-prices.ts';
import { parseOrders, tooOldAfterMs, toSource, WORKING } from './rule-topics.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { createEventCount } from '#model/rules/count-events.ts';
import { evaluateActivity, findNextInstant, LONGEST_LAG_MS } from '#model/rules/evaluate-activity.ts';
import { withClearing } from '#model/rules/clear-value.ts';
import { evaluateOrders, findMatching } from '#model/rules/evaluate-orders.ts';
import { isMissing } from '#model/rules/readings.ts';
import { findNextBegin, findOccurrence, type Holidays } from '#model/rules/rule-hours.ts';
import type { OrderTest } from '#model/rules/rule-subjects.ts';
import type { Evaluation, OrderEvent, RuleData } from '#model/rules/readings.ts';
import type { ReadingTime } from '#server/journal/journal-store.ts';
import { isForNewOnly } from './order-baselines.ts';
import { createEventFinder } from './rule-journal.ts';
import { createAlertBoard } from './alert-board.ts';
import { findNextTurn } from './alert-state.ts';
import { findMeasure } from '#contract/desk/rule-measures.ts';

export interface TrialDeps {
  readonly journal: Pick<JournalReader, 'bookAt' | 'changes' | 'gaps' | 'readings'>;
  /** Since when the journal has readings; null if it has none. */
  readonly keptFrom: number | null;
  /** Null for a rule that needs no market prices. */
  readonly prices: TrialPrices | null;
  readonly holidays: Holidays;
  /** Monotonic, in milliseconds. */
  readonly elapsed: () => number;
  /** Yields to other work. */
  readonly yield: () => Promise<void>;
}

/**
 * The recorded market prices, and how they become terms of orders.
 *
 * @internal Exported for its test.
 */
export interface TrialPrices extends Pick<PriceReader, 'at' | 'between' | 'keptFrom' | 'maxAgeMs'> {
  readonly termsAt: (marketOf: MarketPriceOf) => TermsOf;
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
  return 'Only rules about orders or settled rates can be.';
}

/** Returns when a rule would have fired, based on the journal's readings between two times. */
export async function tryOnJournal(
  rule: Rule,
  test: OrderTest,
  span: { readonly from: number; readonly to: number },
  deps: TrialDeps,
): Promise<Trial> {
  const keptFrom = await findBegin(deps);
  if (keptFrom === null || keptFrom > span.to) return { from: span.to, to: span.to, gaps: [], firings: [] };
  const { from, begin, gaps, times, prices, replay } = await prepare(rule, test, span, { ...deps, keptFrom });
  const readings = pastReadings(deps.journal, times, begin, span.to);
  const steps = deps.prices === null ? readings : inTime(readings, deps.prices.between(begin, span.to));
  const end = await replayAll(replay, steps, from, deps);
  const toTrial = (to: number): Trial => ({
    ...{ from, to, firings: replay.firings() },
    gaps: clip(join([...gaps, ...(prices?.gaps(begin, to) ?? [])]), from, to),
  });
  if (end !== null) return toTrial(end);
  const last = gaps.at(-1);
  if (last?.to === span.to) replay.lose(last.from);
  replay.end(span.to);
  return toTrial(span.to);
}

/** Since when all that the rule needs is recorded; null if something is not. */
async function findBegin({ keptFrom, prices }: TrialDeps): Promise<number | null> {
  if (prices === null || keptFrom === null) return keptFrom;
  const pricesFrom = await prices.keptFrom();
  return pricesFrom && Math.max(pricesFrom, keptFrom);
}

/** Prepares the replay. */
async function prepare(
  rule: Rule,
  test: OrderTest,
  span: { readonly from: number; readonly to: number },
  { journal, keptFrom, prices, holidays }: TrialDeps & { readonly keptFrom: number },
) {
  const windowMs = rule.about === 'activity' ? rule.window_seconds * 1_000 + LONGEST_LAG_MS : 0;
  const from = Math.max(span.from, keptFrom);
  // Starts between readings, not within one that was read in parts.
  const begin = (await journal.bookAt(Math.max(span.from - windowMs, keptFrom)))?.reading.to ?? keptFrom;
  const [book, gaps, times] = await Promise.all([
    journal.bookAt(begin),
    findUnread(journal, begin, span.to),
    journal.readings(begin + 1, span.to),
  ]);
  const passing = prices && createPassingPrices(await prices.at(begin), prices);
  const replay = createReplay(rule, test, {
    begin,
    from,
    orders: [...(book?.orders ?? [])],
    isComplete: book?.reading.isComplete === true,
    gaps,
    prices: passing,
    holidays,
  });
  return { from, begin, gaps, times, prices: passing, replay };
}

/**
 * Replays all readings and returns null, or the time at which it stopped because it took too long or fired too often.
 */
async function replayAll(
  replay: Replay,
  steps: AsyncIterable<PastReading | PriceReading>,
  from: number,
  { elapsed, ...parts }: Pick<TrialDeps, 'elapsed' | 'yield'>,
): Promise<number | null> {
  const startedAt = elapsed();
  let sliceAt = startedAt;
  for await (const step of steps) {
    const at = 'reading' in step ? step.reading.to : step.at;
    if ('reading' in step) replay.read(step.reading, step.changes);
    else replay.price(step);
    if (at >= from && (elapsed() - startedAt > MAX_MS || replay.firings().length >= MOST_FIRINGS)) return at;
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

/** Joins gaps that overlap. */
function join(gaps: readonly Unread[]): readonly Unread[] {
  const joined: Unread[] = [];
  for (const gap of gaps.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last === undefined || gap.from >= last.to) joined.push(gap);
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, gap.to) };
  }
  return joined;
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

/** Yields the readings of orders and of market prices in the order of their times. */
async function* inTime(
  readings: AsyncIterable<PastReading>,
  prices: AsyncIterable<PriceReading>,
): AsyncGenerator<PastReading | PriceReading> {
  const iterator = prices[Symbol.asyncIterator]();
  let next = await iterator.next();
  for await (const read of readings) {
    for (; next.done !== true && next.value.at <= read.reading.to; next = await iterator.next()) yield next.value;
    yield read;
  }
  for (; next.done !== true; next = await iterator.next()) yield next.value;
}

/** The orders that were working at a time in the past. */
interface PastBook {
  readonly apply: (changes: readonly ShownChange[]) => void;
  /** Returns the same rows as long as nothing changes: making thousands of them anew would take most of a trial. */
  readonly rowsAt: (now: number, termsOf: TermsOf) => readonly OrderRow[];
  /** The number of further orders whose rows are not valid. */
  readonly unreadable: () => number;
}

type IdAndRow = readonly [id: string, row: string];

/** The row of one state of an order. Its terms and times are those of the instant for which rows were last returned. */
class PastRow implements OrderRow {
  terms: OrderTerms;
  readonly order: Order;
  readonly #time: Pick<OrderRow, 'source' | 'asOf'>;
  readonly #twins: Repetition['twins'];

  constructor(order: Order, terms: OrderTerms, time: Pick<OrderRow, 'source' | 'asOf'>, { twins }: Repetition) {
    this.order = order;
    this.terms = terms;
    this.#time = time;
    this.#twins = twins;
  }

  get source(): OrderRow['source'] {
    return this.#time.source;
  }

  get asOf(): number {
    return this.#time.asOf;
  }

  get twins(): number {
    return this.#twins.others;
  }
}

/** Parses each state of an order once. */
function createPastBook(orders: readonly IdAndRow[], firstTerms: TermsOf): PastBook {
  const repetitions = createRepetitionCount();
  const time = { source: toSource('desk/journal', 0), asOf: 0 };
  const known = new Map<string, PastRow>();
  let rows: readonly PastRow[] | null = null;
  let termsOf = firstTerms;
  const unreadable = new Set<string>();
  const drop = (id: string): void => {
    const before = known.get(id);
    if (before !== undefined) repetitions.remove(before.order);
    known.delete(id);
    unreadable.delete(id);
  };
  const put = (states: readonly IdAndRow[]): void => {
    const parsed = parseOrders([...new Set(states.map(([, row]) => row))]);
    for (const [id, row] of states) {
      const order = parsed.get(row);
      drop(id);
      if (order === undefined) unreadable.add(id);
      else known.set(id, new PastRow(order, termsOf(order), time, repetitions.add(order)));
    }
  };
  put(orders);
  return {
    apply: (changes) => {
      if (changes.length > 0) rows = null;
      put(
        changes
          .filter(({ kind }) => kind === 'seen' || kind === 'changed' || kind === 'returned')
          .map(({ id, row }) => [id, row]),
      );
      for (const { kind, id } of changes) if (kind === 'gone') drop(id);
    },
    rowsAt: (now, given) => {
      if (given !== termsOf) for (const row of known.values()) row.terms = given(row.order);
      termsOf = given;
      Object.assign(time, { source: toSource('desk/journal', now), asOf: now });
      return (rows ??= [...known.values()]);
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
  readonly label: string | undefined;
  readonly at: number;
  readonly resolvedAt: number | null;
  readonly value: string | null;
}

/** Evaluates a rule on successive past readings. */
interface Replay {
  readonly read: (reading: ReadingTime, changes: readonly ShownChange[]) => void;
  readonly price: (reading: PriceReading) => void;
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
  /** Null for a rule that needs no market prices. */
  readonly prices: PassingPrices | null;
  readonly holidays: Holidays;
}

type PastData = Pick<RuleData, 'now'> & {
  readonly [Name in 'working' | 'activity']: Exclude<RuleData[Name], { missing: string }>;
};

const IN_TICKS = createTerms([], () => null);

function createReplay(rule: Rule, test: OrderTest, start: ReplayStart): Replay {
  const { begin, from, orders, isComplete, gaps, prices } = start;
  const forMs = rule.for_seconds * 1_000;
  const keepMs = (rule.keep_seconds ?? 0) * 1_000;
  const needsRows = rule.about === 'orders' || (rule.about === 'activity' && rule.each !== 'all');
  const board = createAlertBoard();
  const book = createPastBook(orders, IN_TICKS);
  const follow = createEventWindow(rule);
  // What is known to have not happened changes with each reading.
  const isAboutFew = rule.about === 'activity' && rule.comparison === 'under';
  const evaluatePast = createPastEvaluation(rule, test);
  const { note, end, firings } = createFirings();
  let complete = isComplete;
  let isLost = false;
  let lastAt = begin;
  /** The reading before the last one: orders that came and went until then are known. */
  let knownTo = begin;
  /** When the rule is evaluated next if no reading comes first. */
  let due = from;

  const take = (evaluation: Evaluation, now: number): void => {
    for (const move of board.take(rule, evaluation, now)) note(move, now);
  };
  const evaluateAt = (now: number): void => {
    const hours = toHours(rule, now, start.holidays);
    if (!hours.isWithin) {
      // All alerts end with the hours.
      end(now);
      board.load([], new Map());
      due = hours.turnsAt;
      return;
    }
    const working = {
      rows: needsRows ? book.rowsAt(now, prices?.termsOf() ?? IN_TICKS) : [],
      complete,
      unreadable: book.unreadable(),
      pricesMissing: prices?.missingAt(now) ?? null,
    };
    const data = {
      now,
      working,
      activity: {
        events: follow.after(Math.min(now, knownTo)),
        from: begin,
        to: now,
        knownTo,
        gaps: gaps.filter((gap) => gap.to <= now),
      },
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
      .flatMap(({ state }) => findNextTurn(state, forMs, keepMs) ?? [])
      .filter((at) => at > now);
    if (prices !== null && prices.knownUntil() >= now) turns.push(prices.knownUntil() + 1);
    due = Math.min(hours.turnsAt, findNextInstant(rule, data), ...turns);
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
      const before = lastAt;
      lastAt = at;
      pass(at);
      knownTo = before;
      book.apply(changes);
      follow.add(changes);
      const isSame = changes.length === 0 && isWhole === complete && !isLost && !isAboutFew;
      [complete, isLost] = [isWhole, false];
      if (at >= from && !isSame) evaluateAt(at);
    },
    price: (reading) => {
      const isInGap = gaps.some((gap) => gap.from === lastAt);
      // In a gap, nothing is evaluated after its beginning until orders are read again.
      pass(isInGap ? lastAt + 1 : reading.at);
      if (prices?.take(reading) === true && !isInGap && reading.at >= from) evaluateAt(reading.at);
    },
    lose,
    end: (to) => {
      pass(to + 1);
    },
    firings,
  };
}

/** Whether the rule is evaluated at an instant, and when that changes; never if the rule has no hours. */
function toHours({ hours }: Rule, now: number, holidays: Holidays) {
  if (hours === undefined) return { isWithin: true, turnsAt: Infinity };
  const present = findOccurrence(hours, now, holidays);
  if (present !== null) return { isWithin: true, turnsAt: present.to };
  return { isWithin: false, turnsAt: findNextBegin(hours, now, holidays) ?? Infinity };
}

function createPastEvaluation(
  rule: Rule,
  test: OrderTest,
): (data: PastData, remembered: readonly string[]) => Evaluation {
  if (rule.about === 'activity') {
    const count = createEventCount(rule, test);
    return (data, remembered) => withClearing(rule, (one) => evaluateActivity(one, data, { test, count, remembered }));
  }
  if (rule.about !== 'orders') return () => [];
  /** As if the rule had been saved at the first complete reading. */
  let excluded: ReadonlySet<string> | undefined;
  return ({ working }, remembered) => {
    if (isForNewOnly(rule) && excluded === undefined) {
      const found = findMatching(rule, working, test);
      if (isMissing(found)) return found;
      excluded = new Set(found.orders);
    }
    return withClearing(rule, (one) => evaluateOrders(one, working, test, { remembered, excluded }));
  };
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
    /** Returns those in the window that ends then, and later ones. */
    after: (end: number): readonly OrderEvent[] => (events = events.filter(({ at }) => at > end - windowMs)),
  };
}

/** Collects firings. An alert that fires before and after a gap counts as one. */
export function createFirings() {
  const firings: (ReplayedFiring & { resolvedAt: number | null })[] = [];
  const open = new Map<string, (typeof firings)[number]>();
  return {
    firings: () => firings,
    /** Ends those that still fire. */
    end: (now: number): void => {
      for (const firing of open.values()) firing.resolvedAt = now;
      open.clear();
    },
    note: (
      { alert: { group: subject, reading }, after }: ReturnType<ReturnType<typeof createAlertBoard>['take']>[number],
      now: number,
    ): void => {
      const firing = open.get(subject);
      if (after?.status === 'firing' && firing === undefined) {
        const fired = {
          group: subject,
          label: after.label,
          at: now,
          resolvedAt: null,
          value: writeValue(reading?.value),
        };
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
