import { toNumber } from '#contract/exchange/brand.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { ActivityReading, Missing, OrderEvent } from '#model/rules/readings.ts';
import type { JournalReader, ShownChange } from '#server/journal/read-journal.ts';
import { parseOrders } from './order-reader.ts';

/** What happened to orders within the longest window of any rule, from the journal. */
export interface ActivityLog {
  /** Takes what the journal has by now, back to this time. */
  readonly update: (from: number) => Promise<void>;
  readonly reading: () => ActivityReading | Missing;
}

export interface ActivityLogParts {
  readonly journal: Pick<JournalReader, 'changes' | 'gaps'>;
  readonly state: () => { readonly from: number | null; readonly lastReading: { readonly to: number } | null };
}

const PAGE = 2_000;
/** Beyond it, the oldest are forgotten. */
const MAX_EVENTS = 100_000;

export function createActivityLog({ journal, state }: ActivityLogParts): ActivityLog {
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
      // What is recorded meanwhile is read the next time, and counts once.
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

/** Of orders that are gone, how much had been filled by then: only the history says what came after. */
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

/** The first reading of all shows orders that were there before. */
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
