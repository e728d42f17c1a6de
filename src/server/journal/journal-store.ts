import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress, zstdDecompressSync, type ZstdOptions } from 'node:zlib';
import type { Dialect, Read, ReadPlan, Row, Step } from '#sql/driver.ts';
import type { Store } from '#server/store/store.ts';
import {
  journalBlocks,
  journalHistory,
  journalLastStored,
  journalOrders,
  journalReadings,
  journalSegments,
  journalSummaries,
} from '#server/store/tables.ts';
import type { Change } from './segment/change.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/**
 * Decompressing into one buffer of this size avoids joining many small ones, which takes half as long again. A list
 * that compressed better than this still needs several.
 */
const EXPECTED_RATIO = 12;

/** Packs a list; an empty one takes no bytes. */
export async function packList(list: readonly object[]): Promise<Uint8Array> {
  return list.length === 0 ? NOTHING : compress(JSON.stringify(list));
}

export async function unpackList<Item>(bytes: Uint8Array): Promise<readonly Item[]> {
  return bytes.byteLength === 0
    ? []
    : (JSON.parse((await decompress(bytes, inOnePiece(bytes))).toString()) as readonly Item[]);
}

/** Blocks its thread, so it is only for a thread with no other work. */
export function unpackChangesSync(bytes: Uint8Array): readonly Change[] {
  return bytes.byteLength === 0
    ? []
    : (JSON.parse(zstdDecompressSync(bytes, inOnePiece(bytes)).toString()) as readonly Change[]);
}

function inOnePiece({ byteLength }: Uint8Array): ZstdOptions {
  return { chunkSize: Math.max(constants.Z_DEFAULT_CHUNK, byteLength * EXPECTED_RATIO) };
}

const NOTHING = new Uint8Array();

/** When the working set was read, in epoch milliseconds. */
export interface ReadingTime {
  readonly from: number;
  readonly to: number;
  readonly isComplete: boolean;
  /** At least one reading before it failed or was missed, so that changes may have been missed. */
  readonly isAfterGap: boolean;
  /** Why nothing was read in the gap before it, if that is known. */
  readonly cause?: GapCause | undefined;
  /**
   * The last read of the order history whose finds are recorded, in epoch milliseconds: orders accepted until shortly
   * before are in the journal, whether or not a reading listed them. Absent in older journals.
   */
  readonly historyTo?: number | undefined;
}

/** `exchange`: it did not respond as it should. `budget`: the requests were used up. */
export type GapCause = 'exchange' | 'budget';
/** As stored: 0 is no gap, 1 a gap without a known cause. */
const GAPS: readonly (GapCause | null)[] = [null, null, 'exchange', 'budget'];

/** A reading with the changes it showed. */
export interface StoredReading extends ReadingTime {
  readonly number: number;
  readonly changes: readonly Change[];
}

/** A stretch of time whose changes are sealed. */
export interface SegmentInfo {
  readonly number: number;
  /** The reading that its base rows are from. `to` is its last reading. */
  readonly from: number;
  readonly to: number;
  readonly changes: number;
  readonly bytes: number;
  /** The earliest change or disappearance that its summary counts; null if it was sealed without a summary. */
  readonly reachesBack: number | null;
}

interface SealedBlock {
  /** The keys of the orders that changed in it. */
  readonly orderKeys: readonly bigint[];
  readonly content: Uint8Array;
}

/** A packed stretch. */
export interface PackedStretch {
  readonly blocks: readonly SealedBlock[];
  readonly summary: Uint8Array;
}

interface NewSegment extends SegmentInfo, PackedStretch {
  readonly reachesBack: number;
  readonly readings: readonly ReadingTime[];
  /** The last reading in it: readings up to this one are deleted. */
  readonly lastReading: number;
}

interface BlockPlace {
  readonly segment: number;
  readonly content: Uint8Array;
}

/** The journal at one moment. */
interface LoadedJournal {
  readonly segments: readonly SegmentInfo[];
  /** The readings that are in no segment yet. */
  readonly readings: readonly StoredReading[];
  /** The last numbers that were assigned, in any scope. */
  readonly lastNumbers: { readonly segment: number; readonly reading: number };
  /** How long ago the last reading was stored, by the clock of the database; null if no other desk can have stored it. */
  readonly pausedMs: number | null;
}

/** What a desk has of the stored journal: zeros if it has no segment, or no reading that is in none. */
interface KnownJournal {
  readonly firstSegment: number;
  readonly lastSegment: number;
  /** The last reading, and its time: another one may have taken its number. */
  readonly number: number;
  readonly to: number;
}

/** The stored journal: recent readings one by one, all earlier ones in segments. */
export interface JournalStore {
  readonly load: () => Promise<LoadedJournal>;
  /** Null: what is known is no longer what is stored. */
  readonly readingsSince: (known: KnownJournal) => Promise<readonly StoredReading[] | null>;
  /** Null: no such segment was sealed. */
  readonly segment: (number: number) => Promise<SegmentInfo | null>;
  /** The changes of all readings up to this one, still packed. */
  readonly packedChanges: (lastReading: number) => Promise<readonly Uint8Array[]>;
  /** Throws if the store cannot be written; the reading then counts as never made. */
  readonly append: (reading: StoredReading) => Promise<void>;
  readonly seal: (segment: NewSegment) => Promise<void>;
  /**
   * Also deletes the index of the orders that changed in it. The keys are given because finding them by segment would
   * scan the whole index.
   */
  readonly drop: (segment: number, orderKeys: readonly bigint[]) => Promise<void>;
  readonly readingsOf: (segment: number) => Promise<readonly ReadingTime[]>;
  /** Null: the segment has no summary. */
  readonly summaryOf: (segment: number) => Promise<Uint8Array | null>;
  /** For a segment that was sealed without one. */
  readonly addSummary: (segment: number, reachesBack: number, summary: Uint8Array) => Promise<void>;
  readonly blocksOf: (segment: number) => Promise<readonly Uint8Array[]>;
  /** The blocks with changes of an order, oldest first. */
  readonly blocksWith: (orderKey: bigint) => Promise<readonly BlockPlace[]>;
}

/** Opens the stored journal; `scope` names the exchange and whose orders these are. */
export function createJournalStore({ dialect, isShared, read, mustWrite }: Store, scope: string): JournalStore {
  const rowsOf = (statement: Read): Promise<readonly Row[]> => read((store) => store.read(statement));
  return {
    load: async () => {
      const { rows, ...loaded } = await read((store) => store.readTogether(loadAll(scope, dialect)));
      return { ...loaded, readings: await Promise.all(rows.map(toReading)) };
    },
    readingsSince: async (known) => {
      const rows = await read((store) => store.readTogether(listSince(scope, known)));
      return rows && Promise.all(rows.map(toReading));
    },
    segment: async (number) => {
      const [found] = await rowsOf(findSegment(scope, number));
      return found === undefined ? null : toSegment(found);
    },
    packedChanges: async (lastReading) =>
      (await rowsOf(listChanges(scope, lastReading))).map(([changes]) => changes as Uint8Array),
    append: async ({ number, from, to, isComplete, isAfterGap, cause, historyTo, changes }) => {
      const gap = isAfterGap ? Math.max(1, GAPS.indexOf(cause ?? null)) : 0;
      const row = [number, scope, from, to, Number(isComplete), gap, await packList(changes)];
      const note = isShared ? [noteStored(scope, dialect)] : [];
      const history = historyTo === undefined ? [] : [[number, scope, historyTo]];
      await mustWrite(({ write }) =>
        write([{ table: journalReadings, rows: [row] }, { table: journalHistory, rows: history }, ...note]),
      );
    },
    seal: async ({ number, from, to, changes, bytes, readings, blocks, lastReading, reachesBack, summary }) => {
      const times = await packList(readings);
      await mustWrite(({ write }) =>
        write([
          { table: journalSegments, rows: [[number, scope, from, to, changes, bytes, times]] },
          { table: journalBlocks, rows: blocks.map(({ content }, place) => [number, place, content]) },
          {
            table: journalOrders,
            rows: blocks.flatMap(({ orderKeys }, place) => orderKeys.map((key) => [key, number, place])),
          },
          { table: journalSummaries, rows: [[number, reachesBack, summary]] },
          {
            name: 'drop sealed readings',
            sql: 'DELETE FROM journal_reading WHERE scope = $1 AND number <= $2',
            values: [scope, lastReading],
          },
          {
            name: 'drop history of sealed readings',
            sql: 'DELETE FROM journal_history WHERE scope = $1 AND number <= $2',
            values: [scope, lastReading],
          },
        ]),
      );
    },
    drop: (segment, orderKeys) =>
      mustWrite(({ write }) => write(dropSegment(segment, orderKeys, dialect.isAmong('order_key', 2, 'bigint')))),
    readingsOf: async (segment) => {
      const [[times] = []] = await rowsOf({
        name: 'readings of segment',
        sql: 'SELECT readings FROM journal_segment WHERE number = $1',
        values: [segment],
      });
      return times instanceof Uint8Array ? await unpackList<ReadingTime>(times) : [];
    },
    summaryOf: async (segment) => {
      const [[content] = []] = await rowsOf({
        name: 'summary of segment',
        sql: 'SELECT content FROM journal_summary WHERE segment = $1',
        values: [segment],
      });
      return content instanceof Uint8Array ? content : null;
    },
    addSummary: (segment, reachesBack, summary) =>
      mustWrite(({ write }) => write([{ table: journalSummaries, rows: [[segment, reachesBack, summary]] }])),
    blocksOf: async (segment) => (await rowsOf(listBlocks(segment))).map(([content]) => content as Uint8Array),
    blocksWith: async (orderKey) =>
      (await rowsOf(listBlocksWith(orderKey, scope))).map(([segment, content]) => ({
        segment: Number(segment),
        content: content as Uint8Array,
      })),
  };
}

const lastNumbers: Read = {
  name: 'last journal numbers',
  sql:
    'SELECT (SELECT coalesce(max(number), 0) FROM journal_segment), (SELECT coalesce(max(number), 0) ' +
    'FROM journal_reading)',
  values: [],
};
const selectSegments = `SELECT number, from_at, to_at, changes, bytes, reaches_back FROM journal_segment
    LEFT JOIN journal_summary ON segment = number WHERE scope = $1`;
const listSegments = (scope: string): Read => ({
  name: 'journal segments',
  sql: `${selectSegments} ORDER BY number`,
  values: [scope],
});
const findSegment = (scope: string, number: number): Read => ({
  name: 'journal segment',
  sql: `${selectSegments} AND number = $2`,
  values: [scope, number],
});
const listReadings = (scope: string, after: number): Read => ({
  name: 'journal readings',
  sql:
    'SELECT number, read_from, read_to, is_complete, is_after_gap, changes, history_to FROM journal_reading ' +
    'LEFT JOIN journal_history USING (number, scope) WHERE scope = $1 AND number > $2 ORDER BY number',
  values: [scope, after],
});
const findEnds = (scope: string, number: number): Read => ({
  name: 'ends of journal',
  sql: `SELECT (SELECT min(number) FROM journal_segment WHERE scope = $1),
    (SELECT max(number) FROM journal_segment WHERE scope = $1),
    (SELECT read_to FROM journal_reading WHERE scope = $1 AND number = $2)`,
  values: [scope, number],
});
const readPause = (scope: string, { now }: Dialect): Read => ({
  name: 'pause of journal',
  sql: `SELECT ${now} - stored_at FROM ${journalLastStored.name} WHERE scope = $1`,
  values: [scope],
});
const listChanges = (scope: string, lastReading: number): Read => ({
  name: 'changes of journal readings',
  sql: 'SELECT changes FROM journal_reading WHERE scope = $1 AND number <= $2 ORDER BY number',
  values: [scope, lastReading],
});
const listBlocks = (segment: number): Read => ({
  name: 'journal blocks',
  sql: 'SELECT content FROM journal_block WHERE segment = $1 ORDER BY place',
  values: [segment],
});
const listBlocksWith = (orderKey: bigint, scope: string): Read => ({
  name: 'journal blocks of order',
  sql: `SELECT segment, content FROM journal_order JOIN journal_block USING (segment, place)
    WHERE order_key = $1 AND segment IN (SELECT number FROM journal_segment WHERE scope = $2) ORDER BY segment`,
  values: [orderKey, scope],
});

function noteStored(scope: string, { now }: Dialect): Step {
  const sql = `INSERT INTO ${journalLastStored.name} (scope, stored_at) VALUES ($1, ${now})
    ON CONFLICT (scope) DO UPDATE SET stored_at = excluded.stored_at`;
  return { name: 'note time of reading', sql, values: [scope] };
}

function* loadAll(
  scope: string,
  dialect: Dialect,
): ReadPlan<Omit<LoadedJournal, 'readings'> & { rows: readonly Row[] }> {
  const segments = (yield listSegments(scope)).map(toSegment);
  const rows = yield listReadings(scope, 0);
  const [[segment, reading] = []] = yield lastNumbers;
  const [[pausedMs] = []] = yield readPause(scope, dialect);
  const numbers = { segment: Number(segment), reading: Number(reading) };
  return { segments, rows, lastNumbers: numbers, pausedMs: pausedMs === undefined ? null : Number(pausedMs) };
}

/** Of one moment, because readings that are sealed are deleted. */
function* listSince(scope: string, known: KnownJournal): ReadPlan<readonly Row[] | null> {
  const [[first, last, to] = []] = yield findEnds(scope, known.number);
  const isKnown = Number(first) === known.firstSegment && Number(last) === known.lastSegment && Number(to) === known.to;
  return isKnown ? yield listReadings(scope, known.number) : null;
}

function dropSegment(segment: number, orderKeys: readonly bigint[], isAmong: string): readonly Step[] {
  return [
    { name: 'drop segment', sql: 'DELETE FROM journal_segment WHERE number = $1', values: [segment] },
    { name: 'drop summary', sql: 'DELETE FROM journal_summary WHERE segment = $1', values: [segment] },
    { name: 'drop blocks', sql: 'DELETE FROM journal_block WHERE segment = $1', values: [segment] },
    {
      name: 'drop orders of segment',
      sql: `DELETE FROM journal_order WHERE segment = $1 AND ${isAmong}`,
      values: [segment, orderKeys],
    },
  ];
}

function toSegment([number, from, to, changes, bytes, back]: Row): SegmentInfo {
  const reachesBack = back === null ? null : Number(back);
  return {
    number: Number(number),
    from: Number(from),
    to: Number(to),
    changes: Number(changes),
    bytes: Number(bytes),
    reachesBack,
  };
}

async function toReading([number, from, to, isComplete, gap, content, historyTo]: Row): Promise<StoredReading> {
  return {
    number: Number(number),
    from: Number(from),
    to: Number(to),
    isComplete: Number(isComplete) === 1,
    isAfterGap: Number(gap) > 0,
    cause: GAPS[Number(gap)] ?? undefined,
    historyTo: historyTo === null ? undefined : Number(historyTo),
    changes: await unpackList<Change>(content as Uint8Array),
  };
}

/**
 * Maps an ID to a 64-bit integer. Two IDs may share it, so a caller that finds a block by it must compare the IDs too.
 */
export function toOrderKey(id: string): bigint {
  return BigInt.asIntN(64, /^\d+$/.test(id) ? BigInt(id) : 0n);
}
