import type { ActivityRule, OrdersRule, Rule } from '#contract/desk/rules.ts';
import { isHistoryBehind } from '#model/orders/journal-figures.ts';
import { filterOfSubjects, isOfOrders } from '#model/rules/rule-subjects.ts';
import type { ReadingTime } from '#server/journal/journal-store.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import { MINUTE_MS, toTraitTests, TRAITS } from '#server/journal/summary/summary.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { ActivityReading, Missing, OrderEvent } from '#model/rules/readings.ts';
import type { JournalReader, ShownChange } from '#server/journal/read-journal.ts';
import { parseOrders } from './rule-topics.ts';

/** The subjects whose orders a rule has ever been about, as far back as the journal goes and since it is evaluated. */
export interface KnownSubjects {
  /** Reads them from the journal, once per rule. */
  readonly prepare: (rules: readonly Rule[]) => Promise<void>;
  /** Returns the subjects that a rule covers even if they have no orders left: a silent account has none. */
  readonly of: (rule: Rule) => readonly string[];
  readonly note: (rule: Rule, groups: readonly string[]) => void;
  /** Returns whether any order ever matched the rule's filter. */
  readonly hasMatched: (rule: Rule) => boolean;
}

export function createKnownSubjects({ activity, state }: Pick<JournalRoom, 'activity' | 'state'>): KnownSubjects {
  const known = new WeakMap<Rule, Set<string>>();
  const noted = new WeakMap<Rule, Set<string>>();
  const inJournal = async (rule: OrdersRule | ActivityRule): Promise<readonly string[]> => {
    const { from, lastReading } = state();
    if (from === null || lastReading === null) return [];
    const trait = filterOfSubjects(rule);
    const span = {
      from: Math.floor(from / MINUTE_MS) * MINUTE_MS,
      to: (Math.floor(lastReading.to / MINUTE_MS) + 1) * MINUTE_MS,
    };
    const { groups: subjects } = await activity({
      ...span,
      bucketMs: span.to - span.from,
      by: trait === null ? [] : [TRAITS.indexOf(trait)],
      tests: toTraitTests(
        Object.entries(rule.filter).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
      ),
      scope: 'all',
    });
    return subjects.map(({ traits }) => traits[0] ?? '');
  };
  return {
    prepare: async (rules) => {
      for (const rule of rules)
        if (isOfOrders(rule) && !known.has(rule)) {
          known.set(rule, new Set(await inJournal(rule)));
          noted.set(rule, new Set());
        }
    },
    of: (rule) => {
      if (!isOfOrders(rule) || rule.each === 'order' || !isAboutAbsence(rule)) return [];
      // The journal's summaries have neither kinds nor anything for an expression about orders that are gone.
      const isInJournal = rule.expression === undefined && rule.filter.kinds === undefined;
      return [...((isInJournal ? known : noted).get(rule) ?? [])];
    },
    note: (rule, subjects) => {
      for (const sets of [known, noted]) for (const subject of subjects) sets.get(rule)?.add(subject);
    },
    hasMatched: (rule) => (known.get(rule)?.size ?? 0) > 0,
  };
}

/** Returns whether a subject without orders may meet the condition of a rule, or had events in its window. */
function isAboutAbsence(rule: OrdersRule | ActivityRule): boolean {
  return (
    rule.about === 'activity' || (rule.comparison === 'under' && !['oldest_age', 'distance'].includes(rule.measure))
  );
}

/** Events of orders from the journal, within the longest window of any rule. */
export interface ActivityLog {
  /** Reads what the journal has recorded since `from`. */
  readonly update: (from: number) => Promise<void>;
  readonly reading: () => ActivityReading | Missing;
}

export interface ActivityLogDeps {
  readonly journal: Pick<JournalReader, 'changes' | 'gaps'>;
  readonly state: () => {
    readonly from: number | null;
    readonly lastReading: Pick<ReadingTime, 'to' | 'historyTo'> | null;
    readonly expectedMs?: number;
  };
}

/**
 * Returns the times in which orders may have come and gone unseen: gaps, unless the order history was read since, and
 * the time since it was read if that is long ago.
 */
function toUnread(
  gaps: ActivityReading['gaps'],
  { to, historyTo }: Pick<ReadingTime, 'to' | 'historyTo'>,
  expectedMs = 0,
): ActivityReading['gaps'] {
  const spans = gaps.map((gap) => ({ from: gap.from, to: gap.to }));
  if (historyTo === undefined) return spans;
  const unread = spans.filter((gap) => gap.to > historyTo);
  return isHistoryBehind(historyTo, to, expectedMs) ? [...unread, { from: historyTo, to }] : unread;
}

/** Without the order history, nothing is known of orders that came and went. */
function toKnown({ to, historyTo = to }: Pick<ReadingTime, 'to' | 'historyTo'>): number {
  return Math.min(to, historyTo);
}

const PAGE = 2_000;
/** Beyond this number, the oldest are dropped. */
const MAX_EVENTS = 100_000;

export function createActivityLog({ journal, state }: ActivityLogDeps): ActivityLog {
  let reading: ActivityReading | null = null;
  const toEvents = createEventFinder();

  const readChanges = async (from: number, to: number): Promise<readonly OrderEvent[]> => {
    const found: OrderEvent[] = [];
    for (let after: Parameters<JournalReader['changes']>[0]['after'] = null; ;) {
      const page = await journal.changes({
        from,
        to: to + 1,
        isNewestFirst: false,
        after,
        limit: PAGE,
        matches: () => true,
      });
      for (const event of toEvents(page.changes)) found.push(event);
      if (page.next === null) return found;
      after = page.next;
    }
  };

  return {
    update: async (from) => {
      const { from: begins, lastReading, expectedMs } = state();
      if (begins === null || lastReading === null) return;
      const { to } = lastReading;
      const known = reading !== null && reading.from <= Math.max(from, begins) ? reading : null;
      if (known?.to === to) return;
      // Changes recorded during the read are read the next time and count once.
      const fresh = await readChanges(known === null ? from : known.to + 1, to);
      const events = [...(known?.events ?? []), ...fresh].filter(({ at }) => at >= from).slice(-MAX_EVENTS);
      const isCut = events.length === MAX_EVENTS;
      reading = {
        events,
        from: Math.max(begins, isCut ? (events[0]?.at ?? from) : from),
        to,
        knownTo: toKnown(lastReading),
        gaps: toUnread(await journal.gaps(from, Infinity), lastReading, expectedMs),
      };
    },
    reading: () =>
      reading ?? {
        missing: state().lastReading === null ? 'The journal is empty.' : 'The journal has not been read yet.',
      },
  };
}

/** The most gone orders whose filled quantity is remembered: later fills appear only in the order history. */
const MAX_GONE = 10_000;

export function createEventFinder(): (changes: readonly ShownChange[]) => readonly OrderEvent[] {
  const filledOfGone = new Map<string, number>();
  let number = 0;
  return (changes) => {
    const orders = parseOrders([
      ...new Set(changes.flatMap(({ row, before }) => (before === null ? [row] : [row, before]))),
    ]);
    return changes.flatMap((change): readonly OrderEvent[] => {
      const order = orders.get(change.row);
      if (order === undefined) return [];
      const kinds = toKinds(
        change,
        order,
        change.before === null ? undefined : orders.get(change.before),
        filledOfGone.get(change.id),
      );
      if (change.kind === 'gone' && filledOfGone.size < MAX_GONE) filledOfGone.set(change.id, filledOf(order));
      else filledOfGone.delete(change.id);
      return kinds.map((kind) => ({ number: ++number, kind, at: change.to, order }));
    });
  };
}

/** Orders in the very first reading existed before, so they were not placed then. */
function toKinds(
  { kind, from }: ShownChange,
  order: Order,
  before: Order | undefined,
  filledWhenGone: number | undefined,
): readonly OrderEvent['kind'][] {
  switch (kind) {
    case 'seen':
      return from === null ? [] : ['placed'];
    case 'gone':
    case 'returned':
      return [kind];
    case 'changed':
      return before !== undefined && filledOf(order) > filledOf(before) ? ['filled'] : [];
    case 'ended':
      return filledWhenGone !== undefined && filledOf(order) > filledWhenGone ? ['filled'] : [];
    case 'passed':
      return filledOf(order) > 0 ? ['placed', 'filled', 'gone'] : ['placed', 'gone'];
  }
}

function filledOf({ quantity_filled: filled }: Order): number {
  return filled === null ? 0 : toNumber(filled);
}
