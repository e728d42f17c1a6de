import type { Rule } from '#contract/desk-rules.ts';
import { findMeasure } from '#contract/rule-measures.ts';
import { createRepetitionCount } from '#domain/orders/duplicates.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { createTerms } from '#domain/orders/order-terms.ts';
import { evaluateActivity } from '#domain/rules/evaluate-activity.ts';
import { evaluateOrders } from '#domain/rules/evaluate-orders.ts';
import type { OrderTest } from '#domain/rules/match-orders.ts';
import type { Evaluation, OrderEvent, RuleData } from '#domain/rules/readings.ts';
import type { JournalReader, ShownChange } from '../journal/read-journal.ts';
import { createEventFinder } from './activity-log.ts';
import { createAlertBoard } from './alert-board.ts';
import { parseOrders } from './order-reader.ts';
import { toSource } from './topic-readings.ts';

export interface TrialParts {
  readonly journal: Pick<JournalReader, 'bookAt' | 'changes' | 'gaps'>;
  /** Since when the journal has readings; null: it has none. */
  readonly keptFrom: number | null;
  /** Monotonic. */
  readonly elapsed: () => number;
  /** Lets others work. */
  readonly yield: () => Promise<void>;
}

interface TriedFiring {
  readonly group: string;
  readonly at: number;
  readonly resolvedAt: number | null;
  readonly value: string | null;
}

export interface Trial {
  readonly from: number;
  /** How far it was tried. */
  readonly to: number;
  readonly firings: readonly TriedFiring[];
}

const PAGE = 2_000;
const MAX_MS = 10_000;
const SLICE_MS = 20;
/** Between two readings, time alone can make an order too old or a window empty. */
const STEP_MS = 60_000;
const MOST_FIRINGS = 1_000;

/** Why a rule cannot be tried on the journal, a sentence; null where it can. */
export function findTrialObstacle(rule: Rule): string | null {
  if (findMeasure(rule.about, rule.measure)?.inJournal === true) return null;
  return rule.about === 'orders' ? 'The journal has orders, but not the prices that they were compared with.' : 'The journal has orders only.';
}

/** When a rule would have fired, by the readings of the journal between two times. */
export async function tryOnJournal(rule: Rule, test: OrderTest, span: { readonly from: number; readonly to: number }, parts: TrialParts): Promise<Trial> {
  const { journal, keptFrom, elapsed } = parts;
  if (keptFrom === null) return { from: span.to, to: span.to, firings: [] };
  const windowMs = rule.about === 'activity' ? rule.window_seconds * 1_000 : 0;
  const begin = Math.max(span.from - windowMs, keptFrom);
  const book = await journal.bookAt(begin);
  const replay = createReplay(rule, test, { begin, from: Math.max(span.from, keptFrom), orders: [...(book?.orders ?? [])], gaps: await journal.gaps(begin, span.to) });
  const startedAt = elapsed();
  let sliceAt = startedAt;
  for await (const { at, changes } of readings(journal, begin, span.to)) {
    replay.read(at, changes);
    if (elapsed() - startedAt > MAX_MS || replay.firings().length >= MOST_FIRINGS) return replay.end(at);
    if (elapsed() - sliceAt < SLICE_MS) continue;
    await parts.yield();
    sliceAt = elapsed();
  }
  replay.read(span.to, []);
  return replay.end(span.to);
}

interface PastReading {
  readonly at: number;
  readonly changes: readonly ShownChange[];
}

/** Readings that showed a change, the oldest first; a page may end in the middle of one. */
async function* readings({ changes }: TrialParts['journal'], from: number, to: number): AsyncGenerator<PastReading> {
  let rest: readonly ShownChange[] = [];
  for (let after: Parameters<typeof changes>[0]['after'] = null; ; ) {
    const page = await changes({ from: from + 1, to, isNewestFirst: false, after, limit: PAGE, matches: () => true });
    const groups = [...Map.groupBy([...rest, ...page.changes], (change) => change.to)];
    rest = page.next === null ? [] : (groups.pop()?.[1] ?? []);
    for (const [at, group] of groups) yield { at, changes: group };
    if (page.next === null) return;
    after = page.next;
  }
}

interface ReplayStart {
  /** From when changes are known; and from when the rule is evaluated. */
  readonly begin: number;
  readonly from: number;
  readonly orders: readonly (readonly [id: string, row: string])[];
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
}

function createReplay(rule: Rule, test: OrderTest, { begin, from, orders, gaps }: ReplayStart) {
  const board = createAlertBoard();
  const book = createPastBook(orders);
  const toEvents = createEventFinder();
  const firings: (TriedFiring & { resolvedAt: number | null })[] = [];
  let events: OrderEvent[] = [];
  let last = from;

  const evaluateAt = (now: number): void => {
    const working = { rows: book.rowsAt(now), complete: true, unreadable: 0, pricesMissing: null };
    const activity = { events, from: begin, to: now, gaps: gaps.filter((gap) => gap.to <= now) };
    for (const { alert, before, after } of board.take(rule, evaluatePast(rule, test, { now, working, activity }), now)) {
      const isFiring = after?.status === 'firing';
      if (isFiring && before?.status !== 'firing') firings.push({ group: alert.group, at: now, resolvedAt: null, value: alert.reading?.value?.toFixed() ?? null });
      const open = firings.findLast(({ group, resolvedAt }) => group === alert.group && resolvedAt === null);
      if (!isFiring && before?.status === 'firing' && open !== undefined) open.resolvedAt = now;
    }
  };

  return {
    firings: () => firings,
    read: (at: number, changes: readonly ShownChange[]): void => {
      for (let step = last + STEP_MS; dependsOnTime(rule) && step < at; step += STEP_MS) evaluateAt(step);
      book.apply(changes);
      if (rule.about === 'activity') events = [...events, ...toEvents(changes)].filter((event) => event.at > at - rule.window_seconds * 1_000);
      if (at < from) return;
      evaluateAt(at);
      last = at;
    },
    end: (to: number): Trial => ({ from, to, firings }),
  };
}

function dependsOnTime({ about, measure }: Rule): boolean {
  return about === 'activity' || measure === 'oldest_age';
}

function evaluatePast(rule: Rule, test: OrderTest, { now, working, activity }: Pick<RuleData, 'now' | 'working' | 'activity'>): Evaluation {
  if (rule.about === 'activity') return evaluateActivity(rule, { now, activity, working }, test);
  return rule.about === 'orders' ? evaluateOrders(rule, working, test) : [];
}

/** The orders that were working, each parsed once. */
function createPastBook(orders: readonly (readonly [id: string, row: string])[]) {
  const repetitions = createRepetitionCount();
  const termsOf = createTerms([], () => null);
  const known = new Map<string, { readonly order: OrderRow['order']; readonly twins: { readonly others: number } }>();
  const drop = (id: string): void => {
    const before = known.get(id);
    if (before !== undefined) repetitions.remove(before.order);
    known.delete(id);
  };
  const put = (rows: readonly (readonly [id: string, row: string])[]): void => {
    const parsed = parseOrders([...new Set(rows.map(([, row]) => row))]);
    for (const [id, row] of rows) {
      const order = parsed.get(row);
      drop(id);
      if (order !== undefined) known.set(id, { order, twins: repetitions.add(order).twins });
    }
  };
  put(orders);
  return {
    apply: (changes: readonly ShownChange[]): void => {
      put(changes.filter(({ kind }) => kind === 'seen' || kind === 'changed').map(({ id, row }) => [id, row]));
      for (const { kind, id } of changes) if (kind === 'gone') drop(id);
    },
    rowsAt: (now: number): readonly OrderRow[] => {
      const source = toSource('desk/journal', now);
      return Array.from(known.values(), ({ order, twins }) => ({ order, terms: termsOf(order), source, asOf: now, twins: twins.others }));
    },
  };
}
