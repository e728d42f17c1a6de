import { createRepetitionCount } from '#model/orders/duplicates.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { createTerms } from '#model/orders/order-terms.ts';
import type { ShownChange } from '../../journal/read-journal.ts';
import { parseOrders } from './order-reader.ts';
import { toSource } from './topic-readings.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { createEventCount } from '#model/rules/count-events.ts';
import { evaluateActivity } from '#model/rules/evaluate-activity.ts';
import { evaluateOrders } from '#model/rules/evaluate-orders.ts';
import type { OrderTest } from '#model/rules/match-orders.ts';
import { findNextInstant } from '#model/rules/next-instant.ts';
import type { Evaluation, OrderEvent, RuleData } from '#model/rules/readings.ts';
import type { ReadingTime } from '../../journal/journal-store.ts';
import { createEventFinder } from './activity-log.ts';
import { createAlertBoard } from './alert-board.ts';
import { findNextTurn } from './alert-state.ts';

/** The orders that were working at a time in the past. */
interface PastBook {
  readonly apply: (changes: readonly ShownChange[]) => void;
  readonly rowsAt: (now: number) => readonly OrderRow[];
  /** How many more there are, whose rows are no orders. */
  readonly unreadable: () => number;
}

type IdAndRow = readonly [id: string, row: string];

/** Each order is parsed once for each of its states. */
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

/** A time in which nothing was read. */
export interface Unread {
  readonly from: number;
  readonly to: number;
}

interface ReplayedFiring {
  readonly group: string;
  readonly at: number;
  readonly resolvedAt: number | null;
  readonly value: string | null;
}

/** A rule on one past reading after the other. */
export interface Replay {
  readonly read: (reading: ReadingTime, changes: readonly ShownChange[]) => void;
  /** After the last reading nothing more was read, so nothing is known of the time after it. */
  readonly lose: (after: number) => void;
  /** What time alone brings up to then. */
  readonly end: (to: number) => void;
  readonly firings: () => readonly ReplayedFiring[];
}

interface ReplayStart {
  /** From when changes are known; and from when the rule is evaluated. */
  readonly begin: number;
  readonly from: number;
  readonly orders: readonly (readonly [id: string, row: string])[];
  readonly isComplete: boolean;
  /** Of all of the time that is replayed. */
  readonly gaps: readonly Unread[];
}

type PastData = Pick<RuleData, 'now'> & {
  readonly [Name in 'working' | 'activity']: Exclude<RuleData[Name], { missing: string }>;
};

export function createReplay(
  rule: Rule,
  test: OrderTest,
  { begin, from, orders, isComplete, gaps }: ReplayStart,
): Replay {
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
  /** When it is to be evaluated next, even if no reading comes before. */
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
        board.all().map(({ group }) => group),
      ),
      now,
    );
    const turns = board
      .all()
      .flatMap(({ state }) => findNextTurn(state, forMs) ?? [])
      .filter((at) => at > now);
    due = Math.min(findNextInstant(rule, data), ...turns);
  };
  /** Up to an instant, which is not included. */
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

/** The events within the window of an activity rule. */
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

/** One that fired before a gap, and does after it, fired once. */
function createFirings() {
  const firings: (ReplayedFiring & { resolvedAt: number | null })[] = [];
  const open = new Map<string, (typeof firings)[number]>();
  return {
    firings: () => firings,
    note: (
      { alert: { group, reading }, after }: ReturnType<ReturnType<typeof createAlertBoard>['take']>[number],
      now: number,
    ): void => {
      const firing = open.get(group);
      if (after?.status === 'firing' && firing === undefined) {
        const fired = { group, at: now, resolvedAt: null, value: reading?.value?.toFixed() ?? null };
        firings.push(fired);
        open.set(group, fired);
      }
      if (firing !== undefined && (after === null || after.status === 'resolved')) {
        firing.resolvedAt = now;
        open.delete(group);
      }
    },
  };
}
