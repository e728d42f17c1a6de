import type { ActivityRule } from '#contract/desk/rules.ts';
import { groupOf, type OrderTest } from './match-orders.ts';
import type { OrderEvent } from './readings.ts';

/** The events of one group that an activity rule counts. */
export interface CountedEvents {
  readonly total: number;
  /** The newest of them, the oldest first. */
  readonly newest: readonly OrderEvent[];
}

/**
 * Counts the events in a rule's window, by group. Valid until the next call, which only looks at the events that are new
 * since then, and at those that have left the window. An order that returned takes back that it had gone.
 */
export type CountEvents = (events: readonly OrderEvent[], now: number) => ReadonlyMap<string, CountedEvents>;

const MOST_KEPT = 20;

export function createEventCount(
  { measure, window_seconds: windowSeconds, each }: ActivityRule,
  test: OrderTest,
): CountEvents {
  const groupOfEvent = ({ order }: OrderEvent): string => (each === 'all' ? '' : groupOf(order, each));
  const create = (): Groups => createGroups(each === 'all' ? [''] : []);
  let groups = create();
  let window = createQueue();
  /** When each order in the window was gone last. */
  const goneOf = new Map<OrderEvent['order']['id'], OrderEvent>();
  let lookedAt = -Infinity;
  let newest = -Infinity;

  const isCounted = ({ kind, order }: OrderEvent): boolean => kind === measure && test(order);
  const restart = (): void => {
    [groups, window, newest] = [create(), createQueue(), -Infinity];
    goneOf.clear();
  };
  const enter = (event: OrderEvent): void => {
    window.add(event);
    groups.add(groupOfEvent(event), event);
    if (event.kind === 'gone') goneOf.set(event.order.id, event);
  };
  const leave = (event: OrderEvent): void => {
    groups.drop(groupOfEvent(event));
    if (goneOf.get(event.order.id) === event) goneOf.delete(event.order.id);
  };
  /** The groups that have one event less. */
  const takeBack = ({ order: { id } }: OrderEvent): readonly string[] => {
    const gone = goneOf.get(id);
    if (gone === undefined) return [];
    window.remove(gone);
    leave(gone);
    return [groupOfEvent(gone)];
  };

  return (events, now) => {
    if (now < lookedAt) restart();
    lookedAt = now;
    const from = now - windowSeconds * 1_000;
    const oldestKnown = events[0]?.number ?? Infinity;
    for (const event of window.takeWhile(({ at, number }) => at <= from || number < oldestKnown)) leave(event);
    const shortened = new Set<string>();
    for (let place = findNewerThan(events, newest); place < events.length; place++) {
      const event = events[place];
      if (event === undefined || event.at > now) break;
      newest = event.number;
      if (event.kind === 'returned') for (const group of takeBack(event)) shortened.add(group);
      if (event.at > from && isCounted(event)) enter(event);
    }
    if (shortened.size > 0) groups.renew(shortened, Map.groupBy(window.all(), groupOfEvent));
    return groups.all;
  };
}

interface Groups {
  readonly all: ReadonlyMap<string, CountedEvents>;
  readonly add: (group: string, event: OrderEvent) => void;
  /** Drops the oldest event of a group. */
  readonly drop: (group: string) => void;
  /** After events in the middle were dropped. `left`: those of each group that are left. */
  readonly renew: (names: Iterable<string>, left: ReadonlyMap<string, readonly OrderEvent[]>) => void;
}

/** `lasting`: the groups that are there even without events. */
function createGroups(lasting: readonly string[]): Groups {
  const all = new Map(lasting.map((name) => [name, { total: 0, newest: [] as OrderEvent[] }]));
  return {
    all,
    add: (name, event) => {
      const group = all.get(name) ?? { total: 0, newest: [] };
      all.set(name, group);
      group.total++;
      group.newest.push(event);
      if (group.newest.length > MOST_KEPT) group.newest.shift();
    },
    drop: (name) => {
      const group = all.get(name);
      if (group === undefined) return;
      group.total--;
      if (group.newest.length > group.total) group.newest.shift();
      if (group.total === 0 && !lasting.includes(name)) all.delete(name);
    },
    renew: (names, left) => {
      for (const name of names) {
        const group = all.get(name);
        if (group !== undefined) group.newest = left.get(name)?.slice(-MOST_KEPT) ?? [];
      }
    },
  };
}

/** Below it, moving up what is left costs more than the memory. */
const LEAST_FREED = 1_000;

/** The events in the window, the oldest first. */
function createQueue() {
  let events: OrderEvent[] = [];
  let first = 0;
  const removed = new WeakSet<OrderEvent>();
  const isLeft = (event: OrderEvent): boolean => !removed.has(event);
  return {
    all: (): readonly OrderEvent[] => events.slice(first).filter(isLeft),
    remove: (event: OrderEvent): void => void removed.add(event),
    add: (event: OrderEvent): void => void events.push(event),
    takeWhile: (leaves: (event: OrderEvent) => boolean): readonly OrderEvent[] => {
      const begin = first;
      for (let event = events[first]; event !== undefined && leaves(event); event = events[first]) first++;
      const taken = events.slice(begin, first);
      if (first >= LEAST_FREED && first * 2 >= events.length) [events, first] = [events.slice(first), 0];
      return taken.filter(isLeft);
    },
  };
}

/** Where the events begin that were not counted yet, which are the last ones. */
function findNewerThan(events: readonly OrderEvent[], number: number): number {
  return events.findLastIndex((event) => event.number <= number) + 1;
}
