import { type Change, toId } from './segment/change.ts';
import type { JournalStore, ReadingTime, SegmentInfo, StoredReading } from './journal-store.ts';
import { extend, type OpenStretch, openStretch, type Stretch } from './stretch.ts';
import { findGone } from './find-gone.ts';
import { createSummariser } from './summary/summariser.ts';
import type { Summary } from './summary/summary.ts';
import { type Book, compareReading, createBook, type Reading, toBook } from './compare-reading.ts';
import { fold } from './segment/fold.ts';
import { createTurns } from '../core/in-turn.ts';
import { createGoneOrders, type GoneOrders } from './gone-orders.ts';
import { readStretch } from './read-segment.ts';
import { createSealer, type Sealer, type SealerParts, sumOf, unlessUnwritable } from './sealer.ts';

/** The summary of the newest stretch, which each reading extends. */
interface RunningSummary {
  readonly add: (changes: readonly Change[]) => Promise<void>;
  readonly current: () => Summary;
  /** Of the stretch that ends; the next one begins. */
  readonly take: () => Summary;
}

/** Goes on from what was read before. */
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

export interface JournalParts extends SealerParts {
  readonly now: () => number;
  /** Monotonic. */
  readonly elapsed: () => number;
  /** The clock was set back to before the last reading: until it has passed that, times in the journal stand still. */
  readonly onSetBack: (lastReadAt: number) => void;
}

/** Every change of a working order that a reading showed. */
export interface Journal extends Pick<GoneOrders, 'unexplained' | 'returned' | 'explain'> {
  /**
   * Records a reading of the whole working set. One that cannot be written, or that comes while too many others still
   * wait for it, is as if it had not been made: the next one then shows its changes, as having happened in a longer time.
   */
  readonly record: (reading: Reading, expectedMs: number) => Promise<void>;
  readonly segments: () => readonly SegmentInfo[];
  /** Those that are in no segment yet, the oldest first. */
  readonly stretches: () => readonly Stretch[];
  /** Of these stretches. */
  readonly summaries: () => readonly Summary[];
  readonly state: () => JournalState;
  /** Those that are working as far as is known. */
  readonly orders: () => Iterable<string>;
  /** Once what was begun is written. */
  readonly close: () => Promise<void>;
}

export interface JournalState {
  /** Since when the journal has readings, in epoch milliseconds; null: it has none. */
  readonly from: number | null;
  readonly lastReading: ReadingTime | null;
  readonly changes: number;
  readonly bytes: number;
  readonly maxBytes: number;
}

/** Readings further apart than this many times what was expected leave a gap. */
const GAP_FACTOR = 3;
/** Each holds a whole response in memory. */
const MAX_WAITING = 4;
const MAX_CHANGES = 90_000;
const SEAL_AFTER_MS = 600_000;
const SEAL_AT_LAST_AFTER_MS = 86_400_000;

export async function openJournal(parts: JournalParts): Promise<Journal> {
  const { store, now, elapsed, maxBytes } = parts;
  const [stored, numbers] = await Promise.all([store.segments(), store.lastNumbers()]);
  const sealer = createSealer(parts, stored, numbers.segment);
  let lastNumber = numbers.reading;
  const sealed = await readLast(store, stored.at(-1));
  let [open, openedAt] = [resume(sealed, await store.readings()), elapsed()];
  let last: ReadingTime | null = open.readings.at(-1) ?? sealed?.readings.at(-1) ?? null;
  let book = restoreBook(open, last, await findCompleteAt(store, stored, open));
  const gone = createGoneOrders();
  for (const { changes } of [...(sealed === null ? [] : [sealed]), open]) gone.follow(changes);
  const summary = await resumeSummary(store, sealed, open);
  const followClock = createClockFollower(now, parts.onSetBack);
  const inTurn = createTurns();
  let waiting = 0;

  const append = async (given: Reading, expectedMs: number): Promise<void> => {
    const reading = followClock(given, last);
    const time = toTime(reading, last, expectedMs);
    // What the cache still has is no new reading.
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

/** What was read since the last segment was sealed. */
function resume(sealed: Stretch | null, readings: readonly StoredReading[]): OpenStretch {
  const base = sealed === null ? new Map<string, string>() : fold(new Map(sealed.base), sealed.changes);
  const stretch = openStretch(sealed?.readings.at(-1)?.to ?? readings[0]?.to ?? 0, base);
  for (const reading of readings) extend(stretch, reading);
  return stretch;
}

function restoreBook({ base, changes }: OpenStretch, last: ReadingTime | null, completeAt: number | null): Book {
  return last === null ? createBook() : toBook(fold(new Map(base), changes).values(), last.to, completeAt);
}

/** When the last complete reading began, which may be sealed: what no reading after it had shown is new. */
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
 * Nothing was read in the future: a last reading from there shows that the clock was set back since. Readings then follow
 * it closely until the clock has caught up, so that none is lost and no time is before an earlier one.
 */
function createClockFollower(
  now: () => number,
  onSetBack: (lastReadAt: number) => void,
): (reading: Reading, last: ReadingTime | null) => Reading {
  let lastAnsweredAt = -Infinity;
  let isAhead = false;
  return (reading, last) => {
    const answeredAt = Math.max(...reading.parts.map(({ at }) => at));
    const isCached = answeredAt === lastAnsweredAt;
    const wasAhead = isAhead;
    lastAnsweredAt = answeredAt;
    isAhead = last !== null && last.to > now();
    if (last === null || !isAhead) return reading;
    if (!wasAhead) onSetBack(last.to);
    return isCached ? reading : notBefore(last.to + 1, reading);
  };
}

/** A part that was answered before the last reading, as where a cache had held it, shows its changes no earlier than that. */
function notBefore(instant: number, { parts, ...reading }: Reading): Reading {
  return { ...reading, parts: parts.map(({ text, at }) => ({ text, at: Math.max(at, instant) })) };
}

/** A book of many orders that hardly changes is not stored again and again. */
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
