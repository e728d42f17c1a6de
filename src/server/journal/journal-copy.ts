import { setBounded } from '#server/core/maps.ts';
import { type Change, fold, idTextOf, toId } from './segment/change.ts';
import {
  type GapCause,
  type JournalStore,
  type ReadingTime,
  type SegmentInfo,
  type StoredReading,
  toOrderKey,
} from './journal-store.ts';
import { decodeOrder } from './segment/block.ts';
import { type Book, compareReading, type Reading, toBook } from './compare-reading.ts';
import { extend, type OpenStretch, openStretch, readStretch, type Stretch } from './stretch.ts';
import { createGoneOrders, findGone, type Finds, type GoneOrders } from './gone-orders.ts';
import { createSummariser } from './summary/summariser.ts';
import type { Summary } from './summary/summary.ts';
import { createSealer, type Sealer, type SealerDeps, sumOf } from './sealer.ts';

export interface CopyDeps extends SealerDeps {
  readonly now: () => number;
  /** Monotonic. */
  readonly elapsed: () => number;
  /**
   * Called when the clock was set back to before the last reading: until it catches up, times in the journal stand
   * still.
   */
  readonly onSetBack: (lastReadAt: number) => void;
}

/** What a desk holds in memory of the stored journal: all of it but the changes of the segments. */
export interface JournalCopy extends Pick<GoneOrders, 'unexplained' | 'returned' | 'explain'> {
  /**
   * Records a reading. Throws if it cannot be written; it then counts as never made. Returns the reads of the order
   * history that are recorded with it; null if it is no new reading.
   */
  readonly append: (reading: Reading, since: SinceLast) => Promise<readonly Finds[] | null>;
  /** Whether the journal has an order; the oldest may have been dropped. */
  readonly hasOrder: (id: string) => Promise<boolean>;
  readonly sealIfDue: () => void;
  /** Takes what another desk has recorded since; false if that takes a new copy. */
  readonly follow: () => Promise<boolean>;
  readonly segments: () => readonly SegmentInfo[];
  /** The stretches that are in no segment yet, oldest first. */
  readonly stretches: () => readonly Stretch[];
  /** The summaries of these stretches. */
  readonly summaries: () => readonly Summary[];
  readonly state: () => JournalState;
  /** The working orders, as far as they are known. */
  readonly orders: () => Iterable<string>;
  /** Resolves once what is being sealed is written. */
  readonly close: () => Promise<void>;
}

export interface JournalState {
  /** The first reading that the journal has, in epoch milliseconds; null if it is empty. */
  readonly from: number | null;
  readonly lastReading: ReadingTime | null;
  /** The interval that was planned when the last reading was made; absent or 0 if another desk made it. */
  readonly expectedMs?: number;
  readonly changes: number;
  readonly bytes: number;
  readonly maxBytes: number;
}

/** What is known of the time since the last reading. */
interface SinceLast {
  /** The interval that was planned. */
  readonly expectedMs: number;
  /** Why a reading failed; null if none did. */
  readonly failed: GapCause | null;
  /** The reads of the order history, oldest first. */
  readonly finds: readonly Finds[];
}

/** Readings that are further apart than this many expected intervals leave a gap, because at least one was missed. */
const GAP_FACTOR = 2;
/** The last orders that are known without a look into the store. */
const MAX_KNOWN = 50_000;
const MAX_CHANGES = 90_000;
const SEAL_AFTER_MS = 600_000;
const SEAL_AT_LAST_AFTER_MS = 86_400_000;

export async function loadCopy(deps: CopyDeps): Promise<JournalCopy> {
  const { store, now, elapsed, maxBytes } = deps;
  const { segments: stored, readings, lastNumbers, pausedMs } = await store.load();
  const loadedAt = elapsed();
  const sealer = createSealer(deps, stored, lastNumbers.segment);
  let lastNumber = lastNumbers.reading;
  const sealed = await readLast(store, stored.at(-1));
  let [open, openedAt] = [resume(sealed, readings), elapsed()];
  let last: ReadingTime | null = open.readings.at(-1) ?? sealed?.readings.at(-1) ?? null;
  /** The newest reading that is in no segment. */
  let newest = readings.at(-1) ?? null;
  let book = restoreBook(open, stored[0]?.from ?? open.from, await findComplete(store, stored, open));
  const gone = createGoneOrders();
  const known = new Map<string, true>();
  const note = (changes: readonly Change[]): void => {
    gone.follow(changes);
    for (const { id } of changes) setBounded(known, id, true, MAX_KNOWN);
  };
  for (const { changes } of [...(sealed === null ? [] : [sealed]), open]) note(changes);
  const summary = await resumeSummary(store, sealed, open);
  const followClock = createClockFollower(now, deps.onSetBack);
  /** How long nothing was recorded before the first reading of this copy, whatever the clocks of the desks say. */
  let pauseMs = (): number => (pausedMs === null ? 0 : pausedMs + elapsed() - loadedAt);
  let triedTo = -Infinity;
  /** The interval that was planned when the last reading was made. */
  let lastExpectedMs = 0;

  const take = async (reading: StoredReading): Promise<void> => {
    note(reading.changes);
    [lastNumber, last, newest] = [reading.number, reading, reading];
    extend(open, reading);
    await summary.add(reading.changes);
  };

  return {
    ...gone,
    append: async (given, { expectedMs, failed, finds }) => {
      const isMissed = (ms: number): boolean => ms > GAP_FACTOR * Math.max(expectedMs, lastExpectedMs);
      const reading = followClock(given, last === null ? null : Math.max(last.to, triedTo));
      const [from, to] = spanOf(reading);
      // A cached response is no new reading. After a failure, the same one must not be written twice: another desk may
      // have read the first, and finds out by its time that it has been replaced.
      if (last !== null && to <= Math.max(last.to, triedTo)) return null;
      const { changes, apply } = compareReading(book, notBefore(last?.to ?? 0, reading), gone.goneOf);
      triedTo = to;
      // An order that a later reading lists is not one that came and went, so the history must be older than the reading.
      const recorded = finds.filter(({ at }) => at <= from);
      const next = {
        ...{ number: lastNumber + 1, from, to, isComplete: reading.isComplete },
        isAfterGap: last === null || isMissed(Math.max(to - last.to, pauseMs())) || failed !== null,
        cause: failed ?? undefined,
        historyTo: toHistoryTo(recorded, last),
        changes: [
          ...changes,
          ...gone.toEnded(to, changes),
          ...toPassed(recorded, { to, open, book, isKnown: (id) => known.has(id), changes }),
        ],
      };
      await store.append(next);
      pauseMs = () => 0;
      lastExpectedMs = expectedMs;
      if (last === null) open = openStretch(to, new Map());
      book = apply();
      await take(next);
      return recorded;
    },
    hasOrder: async (id) => {
      if (known.has(id)) return true;
      const blocks = await store.blocksWith(toOrderKey(id));
      return blocks.some(({ content }) => decodeOrder(content, id).changes.length > 0);
    },
    sealIfDue: () => {
      if (sealer.sealing() === null && isDue(open, elapsed() - openedAt)) {
        const { from } = open;
        sealer.take({ ...open, summary: summary.take() });
        [open, openedAt] = [openStretch(last?.to ?? from, toOrders(book)), elapsed()];
      }
      sealer.run();
    },
    follow: async () => {
      const segments = sealer.segments();
      const news = await store.readingsSince({
        firstSegment: segments[0]?.number ?? 0,
        lastSegment: segments.at(-1)?.number ?? 0,
        number: newest?.number ?? 0,
        to: newest?.to ?? 0,
      });
      for (const reading of news ?? []) {
        if (last === null) open = openStretch(reading.to, new Map());
        await take(reading);
      }
      return news !== null;
    },
    segments: sealer.segments,
    stretches: () => unsealed(sealer, open),
    summaries: () => [sealer.sealing()?.summary, summary.current()].filter((one) => one !== undefined),
    state: () => ({ ...describe(sealer, open, last, maxBytes), expectedMs: lastExpectedMs }),
    orders: () => fold(new Map(open.base), open.changes).values(),
    close: sealer.close,
  };
}

function toHistoryTo(recorded: readonly Finds[], last: ReadingTime | null): number | undefined {
  return recorded.at(-1)?.readTo ?? last?.historyTo;
}

interface Recorded {
  readonly to: number;
  readonly open: Stretch;
  readonly book: Book;
  readonly isKnown: (id: string) => boolean;
  /** What the reading shows. */
  readonly changes: readonly Change[];
}

/** Returns the orders that came and went without any reading listing them. */
function toPassed(finds: readonly Finds[], { to, open, book, isKnown, changes }: Recorded): readonly Change[] {
  const listed = new Set(changes.map(({ id }) => id));
  const passed = new Map(finds.flatMap(({ closed }) => [...closed]).filter(([id]) => !isKnown(id) && !listed.has(id)));
  if (passed.size === 0) return [];
  const working = new Set(book.list.keys);
  return [...passed].flatMap(([id, { row, acceptedAt }]): Change[] => {
    if (working.has(idTextOf(row))) return [];
    const before = open.readings.findLast((reading) => reading.to <= acceptedAt)?.to ?? open.from;
    return [{ kind: 'passed', id, from: Math.min(before, to), to, row }];
  });
}

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
  for (const change of sealed?.changes ?? []) if (change.kind === 'gone' || change.kind === 'passed') remember(change);
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

/** An order that the last complete reading did not show anew may have been missing from later, incomplete ones. */
function restoreBook({ base, changes }: OpenStretch, begunAt: number, complete: ReadingTime | null): Book {
  const readAt = complete?.to ?? begunAt;
  const book = toBook(fold(new Map(base), changes).values(), readAt, complete?.from ?? null);
  const changedAt = new Map(changes.map(({ id, to }) => [id, to]));
  return { ...book, times: book.list.keys.map((key) => Math.max(readAt, changedAt.get(toId(key)) ?? readAt)) };
}

/** Returns the last complete reading, which may be in a sealed stretch. An order that no later one had shown is new. */
async function findComplete(
  store: JournalStore,
  segments: readonly SegmentInfo[],
  open: OpenStretch,
): Promise<ReadingTime | null> {
  const isComplete = (reading: ReadingTime): boolean => reading.isComplete;
  let found: ReadingTime | undefined = open.readings.findLast(isComplete);
  for (let place = segments.length - 1; place >= 0 && found === undefined; place--) {
    found = (await store.readingsOf(segments[place]?.number ?? 0)).findLast(isComplete);
  }
  return found ?? null;
}

function spanOf({ parts }: Reading): readonly [from: number, to: number] {
  const times = parts.map(({ at }) => at);
  return [Math.min(...times), Math.max(...times)];
}

/**
 * Dates readings so that times never go backwards. No reading is from the future, so a last reading from there means
 * that the clock was set back. Later readings are then dated just after it until the clock has caught up, so that none
 * is lost.
 */
function createClockFollower(
  now: () => number,
  onSetBack: (lastReadAt: number) => void,
): (reading: Reading, lastTo: number | null) => Reading {
  let lastRespondedAt = -Infinity;
  let isAhead = false;
  return (reading, lastTo) => {
    const respondedAt = Math.max(...reading.parts.map(({ at }) => at));
    const isCached = respondedAt === lastRespondedAt;
    const wasAhead = isAhead;
    lastRespondedAt = respondedAt;
    isAhead = lastTo !== null && lastTo > now();
    if (lastTo === null || !isAhead) return reading;
    if (!wasAhead) onSetBack(lastTo);
    return isCached ? reading : notBefore(lastTo + 1, reading);
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
