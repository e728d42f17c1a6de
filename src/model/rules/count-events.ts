import type { ActivityRule } from '#contract/desk/rules.ts';
import { subjectOf, type OrderTest } from './rule-subjects.ts';
import type { OrderEvent } from './readings.ts';

/** The events of one subject that an activity rule counts. */
export interface CountedEvents {
  readonly total: number;
  /** The newest events, oldest of them first. */
  readonly newest: readonly OrderEvent[];
}

/**
 * Counts the events in a rule's window by subject: after `from`, which is the beginning of the window that ends now
 * unless an earlier one is given. The result is valid until the next call, which processes only events
 * that are new or have left the window. An order that returned cancels its earlier `gone` event.
 */
export type CountEvents = (
  events: readonly OrderEvent[],
  now: number,
  from?: number,
) => ReadonlyMap<string, CountedEvents>;

const MOST_KEPT = 20;

export function createEventCount(
  { measure, window_seconds: windowSeconds, each }: ActivityRule,
  test: OrderTest,
): CountEvents {
  const subjectOfEvent = ({ order }: OrderEvent): string => (each === 'all' ? '' : subjectOf(order, each));
  const create = (): Subjects => createSubjects(each === 'all' ? [''] : []);
  let subjects = create();
  let window = createQueue();
  /** The last `gone` event of each order in the window. */
  const goneOf = new Map<OrderEvent['order']['id'], OrderEvent>();
  let lookedAt = -Infinity;
  let begun = -Infinity;
  let newest = -Infinity;

  const isCounted = ({ kind, order }: OrderEvent): boolean => kind === measure && test(order);
  const restart = (): void => {
    [subjects, window, newest] = [create(), createQueue(), -Infinity];
    goneOf.clear();
  };
  const enter = (event: OrderEvent): void => {
    window.add(event);
    subjects.add(subjectOfEvent(event), event);
    if (event.kind === 'gone') goneOf.set(event.order.id, event);
  };
  const leave = (event: OrderEvent): void => {
    subjects.drop(subjectOfEvent(event));
    if (goneOf.get(event.order.id) === event) goneOf.delete(event.order.id);
  };
  const dropBefore = (from: number, oldestKnown: number): void => {
    for (const event of window.takeWhile(({ at, number }) => at <= from || number < oldestKnown)) leave(event);
  };
  /** Returns the subjects that lose an event because an order returned. */
  const takeBack = ({ kind, order: { id } }: OrderEvent): readonly string[] => {
    const gone = kind === 'returned' ? goneOf.get(id) : undefined;
    if (gone === undefined) return [];
    window.remove(gone);
    leave(gone);
    return [subjectOfEvent(gone)];
  };

  return (events, now, from = now - windowSeconds * 1_000) => {
    if (now < lookedAt || from < begun) restart();
    [lookedAt, begun] = [now, from];
    dropBefore(from, events[0]?.number ?? Infinity);
    const shortened = new Set<string>();
    for (let place = findNewerThan(events, newest); place < events.length; place++) {
      const event = events[place];
      if (event === undefined || event.at > now) break;
      newest = event.number;
      for (const subject of takeBack(event)) shortened.add(subject);
      if (event.at > from && isCounted(event)) enter(event);
    }
    if (shortened.size > 0) subjects.renew(shortened, Map.groupBy(window.all(), subjectOfEvent));
    return subjects.all;
  };
}

interface Subjects {
  readonly all: ReadonlyMap<string, CountedEvents>;
  readonly add: (group: string, event: OrderEvent) => void;
  /** Drops the oldest event of a subject. */
  readonly drop: (group: string) => void;
  /** Called after events in the middle were dropped. `left`: the remaining events of each subject. */
  readonly renew: (names: Iterable<string>, left: ReadonlyMap<string, readonly OrderEvent[]>) => void;
}

/** `lasting`: the subjects that exist even without events. */
function createSubjects(lasting: readonly string[]): Subjects {
  const all = new Map(lasting.map((name) => [name, { total: 0, newest: [] as OrderEvent[] }]));
  return {
    all,
    add: (name, event) => {
      const subject = all.get(name) ?? { total: 0, newest: [] };
      all.set(name, subject);
      subject.total++;
      subject.newest.push(event);
      if (subject.newest.length > MOST_KEPT) subject.newest.shift();
    },
    drop: (name) => {
      const subject = all.get(name);
      if (subject === undefined) return;
      subject.total--;
      if (subject.newest.length > subject.total) subject.newest.shift();
      if (subject.total === 0 && !lasting.includes(name)) all.delete(name);
    },
    renew: (names, left) => {
      for (const name of names) {
        const subject = all.get(name);
        if (subject !== undefined) subject.newest = left.get(name)?.slice(-MOST_KEPT) ?? [];
      }
    },
  };
}

/** With fewer freed places, moving the remaining events costs more than the memory is worth. */
const LEAST_FREED = 1_000;

/** Creates a queue for the events in the window, oldest first. */
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

/** Finds where the uncounted events begin, which are the last ones. */
function findNewerThan(events: readonly OrderEvent[], number: number): number {
  return events.findLastIndex((event) => event.number <= number) + 1;
}
