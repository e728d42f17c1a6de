import type { ActivityRule, OrdersRule, Rule } from '#contract/desk/rules.ts';
import { filterOfSubjects, isOfOrders } from '#model/rules/rule-subjects.ts';
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
  /**
   * Returns the subjects that a rule about activity covers even if they have no orders left: a silent account has none.
   */
  readonly of: (rule: Rule) => readonly string[];
  readonly note: (rule: Rule, groups: readonly string[]) => void;
  /** Returns whether any order ever matched the rule's filter. */
  readonly hasMatched: (rule: Rule) => boolean;
}

export function createKnownSubjects({ activity, state }: Pick<JournalRoom, 'activity' | 'state'>): KnownSubjects {
  const known = new WeakMap<Rule, Set<string>>();
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
      tests: toTraitTests(Object.entries(rule.filter)),
      scope: 'all',
    });
    return subjects.map(({ traits }) => traits[0] ?? '');
  };
  return {
    prepare: async (rules) => {
      for (const rule of rules)
        if (isOfOrders(rule) && !known.has(rule)) known.set(rule, new Set(await inJournal(rule)));
    },
    // The journal's summaries cannot evaluate an expression for orders that are gone.
    of: (rule) => (rule.about === 'activity' && rule.expression === undefined ? [...(known.get(rule) ?? [])] : []),
    note: (rule, subjects) => {
      const own = known.get(rule);
      for (const subject of subjects) own?.add(subject);
    },
    hasMatched: (rule) => (known.get(rule)?.size ?? 0) > 0,
  };
}

/** Events of orders from the journal, within the longest window of any rule. */
export interface ActivityLog {
  /** Reads what the journal has recorded since `from`. */
  readonly update: (from: number) => Promise<void>;
  readonly reading: () => ActivityReading | Missing;
}

export interface ActivityLogDeps {
  readonly journal: Pick<JournalReader, 'changes' | 'gaps'>;
  readonly state: () => { readonly from: number | null; readonly lastReading: { readonly to: number } | null };
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
      const { from: begins, lastReading } = state();
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
        gaps: await journal.gaps(from, Infinity),
      };
    },
    reading: () => reading ?? { missing: 'The journal is empty.' },
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
      const kind = toKind(
        change,
        order,
        change.before === null ? undefined : orders.get(change.before),
        filledOfGone.get(change.id),
      );
      if (change.kind === 'gone' && filledOfGone.size < MAX_GONE) filledOfGone.set(change.id, filledOf(order));
      else filledOfGone.delete(change.id);
      return kind === null ? [] : [{ number: ++number, kind, at: change.to, order }];
    });
  };
}

/** Orders in the very first reading existed before, so they were not placed then. */
function toKind(
  { kind, from }: ShownChange,
  order: Order,
  before: Order | undefined,
  filledWhenGone: number | undefined,
): OrderEvent['kind'] | null {
  switch (kind) {
    case 'seen':
      return from === null ? null : 'placed';
    case 'gone':
    case 'returned':
      return kind;
    case 'changed':
      return before !== undefined && filledOf(order) > filledOf(before) ? 'filled' : null;
    case 'ended':
      return filledWhenGone !== undefined && filledOf(order) > filledWhenGone ? 'filled' : null;
  }
}

function filledOf({ quantity_filled: filled }: Order): number {
  return filled === null ? 0 : toNumber(filled);
}
