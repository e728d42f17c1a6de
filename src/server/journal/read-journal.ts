import { setBounded } from '#server/core/maps.ts';
import { type Change, fold, type Orders, type RowText } from './segment/change.ts';
import type { Journal } from './journal.ts';
import { type GapCause, toOrderKey, type JournalStore, type ReadingTime, type SegmentInfo } from './journal-store.ts';
import { AFTER_ALL_IDS, compareChanges, type Position, readBook, readStretch, type Stretch } from './stretch.ts';
import { decodeOrder } from './segment/block.ts';

/** The orders that were working at an instant, as far as readings show. */
interface PastBook {
  readonly orders: Orders;
  /** The last reading before that instant. */
  readonly reading: ReadingTime;
  /** The reading after it; null if there is none yet. */
  readonly next: ReadingTime | null;
}

/** A change with the row before it; null if the order was not known to be working. */
export interface ShownChange extends Change {
  readonly before: RowText | null;
}

/** The known history of one order. */
interface OrderLife {
  /** The row with which the journal begins; null if the order was not working then. */
  readonly before: RowText | null;
  readonly changes: readonly ShownChange[];
}

interface ChangeRequest {
  /** In epoch milliseconds; `to` is not included. */
  readonly from: number;
  readonly to: number;
  readonly isNewestFirst: boolean;
  readonly after: Position | null;
  readonly limit: number;
  readonly matches: (change: ShownChange) => boolean;
}

interface ChangePage {
  readonly changes: readonly ShownChange[];
  /** The start of the next page; null if this is the last. */
  readonly next: Position | null;
}

/** A gap, from the last reading before it to the first one after it. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  /** Null if it is not known. */
  readonly cause: GapCause | null;
}

/** How closely the journal covers a time range. */
interface Coverage {
  readonly readings: number;
  /** The longest interval between two readings outside gaps; null if there are fewer than two readings. */
  readonly longestMs: number | null;
  readonly gaps: readonly Gap[];
  /** The last read of the order history whose finds are recorded in the time; null if that is not known. */
  readonly historyTo: number | null;
  /** Whether changes before the journal’s first reading were dropped. */
  readonly isCut: boolean;
}

/** Reads the journal, sealed or not. */
export interface JournalReader {
  /** Null: the journal begins later. */
  readonly bookAt: (instant: number) => Promise<PastBook | null>;
  readonly lifeOf: (id: string) => Promise<OrderLife>;
  /** The gaps between two instants. */
  readonly gaps: (from: number, to: number) => Promise<readonly Gap[]>;
  /** The readings from one instant to another, oldest first. */
  readonly readings: (from: number, to: number) => Promise<readonly ReadingTime[]>;
  /** Covers the readings after the first instant, up to and including the second. */
  readonly coverage: (from: number, to: number) => Promise<Coverage>;
  /** A page may be short if finding its changes took many reads: only `next` says whether more follow. */
  readonly changes: (request: ChangeRequest) => Promise<ChangePage>;
}

/** The most sealed stretches that one page reads. */
const MAX_STRETCHES = 8;
/** Sealed stretches never change, so their reading times are cached: 300 are two days of them, some megabytes. */
const MAX_KNOWN = 300;

export function createJournalReader(
  journal: Pick<Journal, 'segments' | 'stretches' | 'refresh'>,
  store: JournalStore,
): JournalReader {
  const all = (): readonly (SegmentInfo | Stretch)[] => [...journal.segments(), ...journal.stretches()];
  const load = async (one: SegmentInfo | Stretch): Promise<Stretch> => ('base' in one ? one : readStretch(store, one));
  const ordersAt = async (one: SegmentInfo | Stretch, instant: number): Promise<Orders> =>
    'base' in one ? fold(new Map(one.base), takeUntil(one.changes, instant)) : readBook(store, one, instant);
  const readingsOf = createReadingTimes(store);

  const findCovering = (from: number, to: number): readonly (SegmentInfo | Stretch)[] =>
    all().filter((stretch) => stretch.from <= to && endOf(stretch) >= from);

  return {
    bookAt: async (instant) => {
      await journal.refresh();
      const stretches = all();
      const place = stretches.findLastIndex(({ from }) => from <= instant);
      const found = stretches[place];
      if (found === undefined) return null;
      const readings = await readingsOf(found);
      // Until a stretch’s own first reading, the last reading of the stretch before it counts.
      const earlier = stretches[place - 1];
      const before = readings.findLast(({ to }) => to <= instant) ?? (earlier && (await readingsOf(earlier)).at(-1));
      if (before === undefined) return null;
      const later = stretches[place + 1];
      const next = readings.find(({ to }) => to > instant) ?? (later && (await readingsOf(later))[0]) ?? null;
      return { orders: await ordersAt(found, instant), reading: before, next };
    },
    lifeOf: async (id) => {
      await journal.refresh();
      return readLife(journal, store, id);
    },
    gaps: async (from, to) => {
      await journal.refresh();
      const found = await Promise.all(
        findCovering(from, to).map(async (one) => findGaps(one.from, await readingsOf(one))),
      );
      return found.flat().filter((gap) => gap.from < to && gap.to > from);
    },
    readings: async (from, to) => {
      await journal.refresh();
      return (await Promise.all(findCovering(from, to).map(readingsOf)))
        .flat()
        .filter((reading) => reading.to >= from && reading.to <= to);
    },
    coverage: async (from, to) => {
      await journal.refresh();
      const covering = findCovering(from, to);
      const times = await Promise.all(
        covering.map(async (one) => ({ from: one.from, readings: await readingsOf(one) })),
      );
      const [first] = times;
      const isCut = first !== undefined && covering[0] === all()[0] && first.readings[0]?.to !== first.from;
      return { ...toCoverage(times, from, to), isCut };
    },
    changes: async (request) => {
      await journal.refresh();
      const covering = all().filter((stretch) => overlaps(stretch, request));
      const ordered = request.isNewestFirst ? covering.toReversed() : covering;
      const found: ShownChange[] = [];
      for (const [place, one] of ordered.entries()) {
        const stretch = await load(one);
        for (const change of listChanges(stretch, request)) found.push(change);
        if (found.length > request.limit) return cutPage(found, request.limit);
        const isLast = place === ordered.length - 1;
        if (place === MAX_STRETCHES - 1 && !isLast) return { changes: found, next: afterAll(stretch, request) };
      }
      return { changes: found, next: null };
    },
  };
}

async function readLife(
  journal: Pick<Journal, 'segments' | 'stretches'>,
  store: JournalStore,
  id: string,
): Promise<OrderLife> {
  const [lastSegment, stretches] = [journal.segments().at(-1)?.number ?? 0, journal.stretches()];
  // A stretch that is being sealed may already be in a segment too.
  const blocks = (await store.blocksWith(toOrderKey(id))).filter(({ segment }) => segment <= lastSegment);
  const sealed = blocks.map(({ content }) => decodeOrder(content, id));
  const [first] = sealed;
  const bases = first === undefined ? stretches.slice(0, 1).map(({ base }) => base.get(id)) : first.base;
  const changes = [...sealed, ...stretches].flatMap((stretch) => stretch.changes.filter((change) => change.id === id));
  const before = bases[0] ?? null;
  return { before, changes: withBefore(changes, new Map(before === null ? [] : [[id, before]])) };
}

/** Returns when a stretch was read. */
function createReadingTimes({
  readingsOf,
}: Pick<JournalStore, 'readingsOf'>): (one: SegmentInfo | Stretch) => Promise<readonly ReadingTime[]> {
  const known = new Map<number, readonly ReadingTime[]>();
  return async (one) => {
    if ('base' in one) return one.readings;
    const readings = known.get(one.number) ?? (await readingsOf(one.number));
    setBounded(known, one.number, readings, MAX_KNOWN);
    return readings;
  };
}

/** Changes are in the order of their readings. */
function takeUntil(changes: readonly Change[], instant: number): readonly Change[] {
  const end = changes.findIndex(({ to }) => to > instant);
  return end === -1 ? changes : changes.slice(0, end);
}

function endOf(one: SegmentInfo | Stretch): number {
  return 'base' in one ? (one.readings.at(-1)?.to ?? one.from) : one.to;
}

function toCoverage(
  times: readonly Pick<Stretch, 'from' | 'readings'>[],
  from: number,
  to: number,
): Omit<Coverage, 'isCut'> {
  const gaps = times.flatMap((one) => findGaps(one.from, one.readings)).filter((gap) => gap.from < to && gap.to > from);
  const all = times.flatMap((one) =>
    one.readings.map((reading, place) => ({ reading, before: one.readings[place - 1]?.to ?? one.from })),
  );
  const inside = all.filter(({ reading }) => reading.to >= from && reading.to < to);
  const spans = inside
    .filter(({ reading, before }) => !reading.isAfterGap && before < reading.to)
    .map(({ reading, before }) => reading.to - before);
  const historyTo = inside.at(-1)?.reading.historyTo ?? null;
  return { readings: inside.length, longestMs: spans.length === 0 ? null : Math.max(...spans), gaps, historyTo };
}

/** Finds the gaps between readings; `from` is the last reading before these. */
function findGaps(from: number, readings: readonly ReadingTime[]): readonly Gap[] {
  return readings.flatMap((reading, place) => {
    const before = readings[place - 1]?.to ?? from;
    return reading.isAfterGap && before < reading.from
      ? [{ from: before, to: reading.from, cause: reading.cause ?? null }]
      : [];
  });
}

function overlaps(one: SegmentInfo | Stretch, { from, to, isNewestFirst, after }: ChangeRequest): boolean {
  const [first, last] =
    after === null ? [from, to] : isNewestFirst ? [from, Math.min(to, after.to)] : [Math.max(from, after.to), to];
  return endOf(one) >= first && one.from <= last;
}

function withBefore(changes: readonly Change[], orders: Map<string, RowText>): readonly ShownChange[] {
  return changes.map((change) => {
    const before = orders.get(change.id) ?? null;
    fold(orders, [change]);
    return { ...change, before };
  });
}

function listChanges(
  stretch: Stretch,
  { from, to, isNewestFirst, after, matches }: ChangeRequest,
): readonly ShownChange[] {
  const isAfter = (change: Change): boolean =>
    after === null || (isNewestFirst ? compareChanges(change, after) < 0 : compareChanges(change, after) > 0);
  const found = showFrom(stretch, from)
    .filter((change) => change.to < to && isAfter(change) && matches(change))
    .sort(compareChanges);
  return isNewestFirst ? found.reverse() : found;
}

/**
 * Returns the changes from an instant on, each with the row before it. Earlier changes, of which there may be a hundred
 * times as many, are only searched for the same orders.
 */
function showFrom({ base, changes }: Stretch, from: number): readonly ShownChange[] {
  const first = findFirst(changes, from);
  const shown = changes.slice(first);
  const ids = new Set(shown.map(({ id }) => id));
  const orders: Orders = new Map();
  for (const id of ids) {
    const row = base.get(id);
    if (row !== undefined) orders.set(id, row);
  }
  for (let at = 0; at < first; at++) {
    const change = changes[at];
    if (change !== undefined && ids.has(change.id)) fold(orders, [change]);
  }
  return withBefore(shown, orders);
}

/** Returns the index of the first change at or after an instant. */
function findFirst(changes: readonly Change[], from: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.to ?? Infinity) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

function cutPage(found: readonly ShownChange[], limit: number): ChangePage {
  const changes = found.slice(0, limit);
  const last = changes.at(-1);
  return { changes, next: last === undefined ? null : { to: last.to, id: last.id, kind: last.kind } };
}

/** Returns the position after all changes of a stretch, none of which matched. */
function afterAll({ from, readings }: Stretch, { isNewestFirst }: ChangeRequest): Position {
  return isNewestFirst
    ? { to: from, id: AFTER_ALL_IDS, kind: 'seen' }
    : { to: readings.at(-1)?.to ?? from, id: AFTER_ALL_IDS, kind: 'seen' };
}
