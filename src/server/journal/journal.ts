import { copyOf, NO_ROWS, readRows, type RowList, type RowReading } from '#server/core/row-list.ts';
import { createTurns } from '#server/core/in-turn.ts';
import { type Change, fold, idTextOf, type RowText, toId } from './segment/change.ts';
import type { JournalStore, ReadingTime, SegmentInfo, StoredReading } from './journal-store.ts';
import { extend, type OpenStretch, openStretch, readStretch, type Stretch } from './stretch.ts';
import { createGoneOrders, findGone, type GoneOrders } from './gone-orders.ts';
import { createSummariser } from './summary/summariser.ts';
import type { Summary } from './summary/summary.ts';
import { createSealer, type Sealer, type SealerDeps, sumOf, unlessUnwritable } from './sealer.ts';

/** The summary of the newest stretch, which each reading extends. */
interface RunningSummary {
  readonly add: (changes: readonly Change[]) => Promise<void>;
  readonly current: () => Summary;
  /** Returns the summary of the stretch that ends, and starts the next one. */
  readonly take: () => Summary;
}

/** Continues the summary of what was read before a restart. */
async function resumeSummary(
  store: Pick<JournalStore, 'blocksWith'>,
  sealed: Stretch | null,
  open: OpenStretch,
): Promise<RunningSummary> {
  const { add, remember, strangers, summary, restart } = createSummariser(new Map(open.base));
  for (const change of sealed?.changes ?? []) if (change.kind === 'gone') remember(change);
  const running: RunningSummary = {
    add: async (changes) => {
      try {
        for (const ended of strangers(changes)) await findGone(store, ended, remember);
      } finally {
        add(changes);
      }
    },
    current: summary,
    take: () => {
      const taken = summary();
      restart();
      return taken;
    },
  };
  for (const { changes } of open.readings) await running.add(changes);
  return running;
}

export interface JournalDeps extends SealerDeps {
  readonly now: () => number;
  /** Monotonic. */
  readonly elapsed: () => number;
  /**
   * Called when the clock was set back to before the last reading: until it catches up, times in the journal stand
   * still.
   */
  readonly onSetBack: (lastReadAt: number) => void;
}

/** Every change of a working order that a reading showed. */
export interface Journal extends Pick<GoneOrders, 'unexplained' | 'returned' | 'explain'> {
  /**
   * Records a reading of the whole working set. If it cannot be written, or too many others are waiting, it counts as
   * never made: the next reading then shows its changes, over a longer interval.
   */
  readonly record: (reading: Reading, expectedMs: number) => Promise<void>;
  readonly segments: () => readonly SegmentInfo[];
  /** The stretches that are in no segment yet, oldest first. */
  readonly stretches: () => readonly Stretch[];
  /** The summaries of these stretches. */
  readonly summaries: () => readonly Summary[];
  readonly state: () => JournalState;
  /** The working orders, as far as they are known. */
  readonly orders: () => Iterable<string>;
  /** Resolves once everything begun is written. */
  readonly close: () => Promise<void>;
}

export interface JournalState {
  /** The first reading that the journal has, in epoch milliseconds; null if it is empty. */
  readonly from: number | null;
  readonly lastReading: ReadingTime | null;
  readonly changes: number;
  readonly bytes: number;
  readonly maxBytes: number;
}

/** Readings that are further apart than this many expected intervals leave a gap. */
const GAP_FACTOR = 3;
/** Each waiting reading holds a whole response in memory. */
const MAX_WAITING = 4;
const MAX_CHANGES = 90_000;
const SEAL_AFTER_MS = 600_000;
const SEAL_AT_LAST_AFTER_MS = 86_400_000;

export async function openJournal(deps: JournalDeps): Promise<Journal> {
  const { store, now, elapsed, maxBytes } = deps;
  const [stored, numbers] = await Promise.all([store.segments(), store.lastNumbers()]);
  const sealer = createSealer(deps, stored, numbers.segment);
  let lastNumber = numbers.reading;
  const sealed = await readLast(store, stored.at(-1));
  let [open, openedAt] = [resume(sealed, await store.readings()), elapsed()];
  let last: ReadingTime | null = open.readings.at(-1) ?? sealed?.readings.at(-1) ?? null;
  let book = restoreBook(open, last, await findCompleteAt(store, stored, open));
  const gone = createGoneOrders();
  for (const { changes } of [...(sealed === null ? [] : [sealed]), open]) gone.follow(changes);
  const summary = await resumeSummary(store, sealed, open);
  const followClock = createClockFollower(now, deps.onSetBack);
  const inTurn = createTurns();
  let waiting = 0;

  const append = async (given: Reading, expectedMs: number): Promise<void> => {
    const reading = followClock(given, last);
    const time = toTime(reading, last, expectedMs);
    // A cached response is no new reading.
    if (last !== null && time.to <= last.to) return;
    const { changes, apply } = compareReading(book, notBefore(last?.to ?? 0, reading), (id) =>
      gone.unexplained().get(id),
    );
    const next = { ...time, number: lastNumber + 1, changes: [...changes, ...gone.toEnded(time.to, changes)] };
    await store.append(next);
    gone.follow(next.changes);
    lastNumber = next.number;
    if (last === null) open = openStretch(time.to, new Map());
    [book, last] = [apply(), time];
    extend(open, next);
    await summary.add(next.changes);
  };

  const sealIfDue = (): void => {
    if (sealer.sealing() === null && isDue(open, elapsed() - openedAt)) {
      const { from } = open;
      sealer.take({ ...open, summary: summary.take() });
      [open, openedAt] = [openStretch(last?.to ?? from, toOrders(book)), elapsed()];
    }
    sealer.run();
  };

  return {
    ...gone,
    record: async (reading, expectedMs) => {
      if (waiting === MAX_WAITING || reading.parts.length === 0) return;
      waiting += 1;
      await inTurn(() => unlessUnwritable(append(reading, expectedMs))).finally(() => (waiting -= 1));
      sealIfDue();
    },
    segments: sealer.segments,
    stretches: () => unsealed(sealer, open),
    summaries: () => [sealer.sealing()?.summary, summary.current()].filter((one) => one !== undefined),
    state: () => describe(sealer, open, last, maxBytes),
    orders: () => book.list.rows,
    close: async () => {
      await inTurn(() => Promise.resolve());
      await sealer.close();
    },
  };
}

function unsealed(sealer: Sealer, open: Stretch): readonly Stretch[] {
  return [sealer.sealing(), open].filter((stretch) => stretch !== null);
}

function describe(sealer: Sealer, open: Stretch, lastReading: ReadingTime | null, maxBytes: number): JournalState {
  const [segments, stretches] = [sealer.segments(), unsealed(sealer, open)];
  return {
    from: lastReading === null ? null : (segments[0] ?? stretches[0] ?? open).from,
    lastReading,
    changes: sumOf(segments, ({ changes }) => changes) + sumOf(stretches, ({ changes }) => changes.length),
    bytes: sumOf(segments, ({ bytes }) => bytes),
    maxBytes,
  };
}

async function readLast(store: JournalStore, segment: SegmentInfo | undefined): Promise<Stretch | null> {
  return segment === undefined ? null : readStretch(store, segment);
}

/** Restores the stretch since the last segment was sealed. */
function resume(sealed: Stretch | null, readings: readonly StoredReading[]): OpenStretch {
  const base = sealed === null ? new Map<string, string>() : fold(new Map(sealed.base), sealed.changes);
  const stretch = openStretch(sealed?.readings.at(-1)?.to ?? readings[0]?.to ?? 0, base);
  for (const reading of readings) extend(stretch, reading);
  return stretch;
}

function restoreBook({ base, changes }: OpenStretch, last: ReadingTime | null, completeAt: number | null): Book {
  return last === null ? createBook() : toBook(fold(new Map(base), changes).values(), last.to, completeAt);
}

/**
 * Returns when the last complete reading began, which may be in a sealed stretch. An order that no later reading had
 * shown is new.
 */
async function findCompleteAt(
  store: JournalStore,
  segments: readonly SegmentInfo[],
  open: OpenStretch,
): Promise<number | null> {
  const isComplete = (reading: ReadingTime): boolean => reading.isComplete;
  let found: ReadingTime | undefined = open.readings.findLast(isComplete);
  for (let place = segments.length - 1; place >= 0 && found === undefined; place--) {
    found = (await store.readingsOf(segments[place]?.number ?? 0)).findLast(isComplete);
  }
  return found?.from ?? null;
}

function toTime({ parts, isComplete }: Reading, last: ReadingTime | null, expectedMs: number): ReadingTime {
  const times = parts.map(({ at }) => at);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  return { from, to, isComplete, isAfterGap: last === null || to - last.to > GAP_FACTOR * expectedMs };
}

/**
 * Dates readings so that times never go backwards. No reading is from the future, so a last reading from there means
 * that the clock was set back. Later readings are then dated just after it until the clock has caught up, so that none
 * is lost.
 */
function createClockFollower(
  now: () => number,
  onSetBack: (lastReadAt: number) => void,
): (reading: Reading, last: ReadingTime | null) => Reading {
  let lastRespondedAt = -Infinity;
  let isAhead = false;
  return (reading, last) => {
    const respondedAt = Math.max(...reading.parts.map(({ at }) => at));
    const isCached = respondedAt === lastRespondedAt;
    const wasAhead = isAhead;
    lastRespondedAt = respondedAt;
    isAhead = last !== null && last.to > now();
    if (last === null || !isAhead) return reading;
    if (!wasAhead) onSetBack(last.to);
    return isCached ? reading : notBefore(last.to + 1, reading);
  };
}

/** Raises the times of parts to `instant`: a part that a cache had held may be older than the last reading. */
function notBefore(instant: number, { parts, ...reading }: Reading): Reading {
  return { ...reading, parts: parts.map(({ text, at }) => ({ text, at: Math.max(at, instant) })) };
}

/** Decides when to seal the stretch: a large book that hardly changes is not stored again and again. */
function isDue({ changes, base }: Stretch, openMs: number): boolean {
  if (changes.length === 0) return false;
  return (
    changes.length >= MAX_CHANGES ||
    openMs >= SEAL_AT_LAST_AFTER_MS ||
    (openMs >= SEAL_AFTER_MS && changes.length >= base.size)
  );
}

function toOrders({ list: { keys, rows } }: Book): Map<string, string> {
  return new Map(keys.map((key, index) => [toId(key), rows[index] ?? '']));
}

/** A response of the exchange: its orders as written, without the brackets, and its time in epoch milliseconds. */
interface ReadPart {
  readonly text: string;
  readonly at: number;
}

/** One reading of the whole working set. */
export interface Reading {
  readonly parts: readonly ReadPart[];
  /** False if the working set was not read completely: an order that is missing may still be working. */
  readonly isComplete: boolean;
  /** The comparison of its rows with another reading, if it was already made. */
  readonly rows?: RowReading | undefined;
}

/**
 * The working orders, as far as they are known.
 *
 * @internal Exported for its test.
 */
export interface Book {
  readonly list: RowList;
  /** When each order was last read. */
  readonly times: readonly number[];
  /** When the last complete reading began; null before the first. */
  readonly completeAt: number | null;
}

/** The step from one book to the next. */
interface Comparison {
  /** In the order of the readings. */
  readonly changes: readonly Change[];
  readonly apply: () => Book;
}

/** @internal Exported for its test. */
export function createBook(): Book {
  return { list: NO_ROWS, times: [], completeAt: null };
}

/**
 * Creates the book of orders that were read at one moment, for example before a restart.
 *
 * @internal Exported for its test.
 */
export function toBook(orders: Iterable<RowText>, readAt: number, completeAt: number | null): Book {
  const rows = [...orders];
  const keys = rows.map(idTextOf);
  return { list: { keys, rows }, times: keys.map(() => readAt), completeAt };
}

/**
 * Finds the changes that a reading shows. If it lists an order twice, the first row counts. `goneOf` returns the change
 * that recorded an order of no book as gone.
 *
 * @internal Exported for its test.
 */
export function compareReading(
  book: Book,
  { parts, isComplete, rows }: Reading,
  goneOf: (id: string) => Change | undefined = nothing,
): Comparison {
  const texts = parts.map(({ text }) => text);
  const { list, counts, diff } = rows?.from.deref() === book.list ? rows : readRows(book.list, texts, 'id');
  const times = parts.flatMap(({ at }, part) => Array.from({ length: counts[part] ?? 0 }, () => at));
  const to = Math.max(...parts.map(({ at }) => at));
  const timeOf = (place: number): number => times[place] ?? to;
  const shown = [
    ...diff.added.map(({ key, row, place }) => {
      const change = { id: toId(key), from: book.completeAt, to: timeOf(place), row: copyOf(row) };
      return { place, change: toSeen(change, goneOf) };
    }),
    ...diff.changed.map(([before, { key, row, place }]) => {
      const from = book.times[before.place] ?? book.completeAt;
      return { place, change: { kind: 'changed' as const, id: toId(key), from, to: timeOf(place), row: copyOf(row) } };
    }),
  ].sort((a, b) => a.place - b.place);
  const gone = (isComplete ? diff.gone : []).map(({ key, row, place }) => {
    return { kind: 'gone' as const, id: toId(key), from: book.times[place] ?? to, to, row: copyOf(row) };
  });
  return {
    changes: [...shown.map(({ change }) => change), ...gone].sort((a, b) => a.to - b.to),
    apply: () => {
      const left = isComplete ? [] : diff.gone;
      const next = rows?.list ?? list;
      return {
        // The next comparison starts from the list of the reading, if there is one.
        list:
          left.length === 0
            ? next
            : {
                keys: [...next.keys, ...left.map(({ key }) => key)],
                rows: [...next.rows, ...left.map(({ row }) => row)],
              },
        times: [...times, ...left.map(({ place }) => book.times[place] ?? to)],
        completeAt: isComplete ? Math.min(...parts.map(({ at }) => at)) : book.completeAt,
      };
    },
  };
}

function toSeen(change: Omit<Change, 'kind'>, goneOf: (id: string) => Change | undefined): Change {
  const gone = goneOf(change.id);
  return gone === undefined ? { ...change, kind: 'seen' } : { ...change, kind: 'returned', from: gone.from };
}

function nothing(): undefined {
  return undefined;
}
