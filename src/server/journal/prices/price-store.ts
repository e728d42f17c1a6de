import type { Read, ReadPlan, Row } from '#sql/driver.ts';
import type { Store } from '#server/store/store.ts';
import { priceBlocks, priceReadings, priceSegments } from '#server/store/tables.ts';
import { packList, unpackList } from '../journal-store.ts';
import type { Change } from '../segment/change.ts';

/** A reading of product data, with the prices that differ from the reading before. Times are in epoch milliseconds. */
export interface PriceReading {
  readonly at: number;
  readonly changes: readonly Change[];
}

/** The sealed readings of a stretch of time. */
export interface PriceSegment {
  /** Its first and last reading. */
  readonly from: number;
  readonly to: number;
  readonly times: readonly number[];
  /** The prices before its first reading, and their changes. */
  readonly blocks: readonly Uint8Array[];
}

/** A segment, and readings that are in none yet. */
interface PriceStretch {
  readonly segment: PriceSegment | null;
  readonly readings: readonly PriceReading[];
}

export interface PriceStore {
  /** The first recorded reading; null if there is none. */
  readonly keptFrom: () => Promise<number | null>;
  /** The segment that covers an instant or is the last one before it, and the readings after that segment until then. */
  readonly upTo: (instant: number) => Promise<PriceStretch>;
  /** The next segment with readings after `from`, unless all readings from there to `to` are in none yet. */
  readonly after: (from: number, to: number) => Promise<PriceStretch>;
  /** Throws if it cannot be written. */
  readonly append: (reading: PriceReading) => Promise<void>;
  /** Replaces the readings that the segment has, and drops what ended before `keepFrom`. */
  readonly seal: (segment: PriceSegment, keepFrom: number) => Promise<void>;
}

/** Opens the stored prices; `scope` names the exchange. */
export function createPriceStore({ read, mustWrite }: Store, scope: string): PriceStore {
  const stretchOf = async (plan: () => ReadPlan<PackedStretch>): Promise<PriceStretch> => {
    const { segment, rows } = await read((store) => store.readTogether(plan()));
    return { segment: segment && (await unpackSegment(segment)), readings: await Promise.all(rows.map(toReading)) };
  };
  return {
    keptFrom: async () => {
      const [[segment = null, reading = null] = []] = await read((store) => store.read(findBegin(scope)));
      const begin = segment ?? reading;
      return begin === null ? null : Number(begin);
    },
    upTo: (instant) =>
      stretchOf(function* () {
        const segment = yield* readSegment(findSegmentBefore(scope, instant), scope);
        return { segment, rows: yield listReadings(scope, segment?.to ?? -1, instant) };
      }),
    after: (from, to) =>
      stretchOf(function* () {
        const segment = yield* readSegment(findSegmentAfter(scope, from, to), scope);
        return { segment, rows: segment === null ? yield listReadings(scope, from, to) : [] };
      }),
    append: async ({ at, changes }) => {
      const row = [scope, at, await packList(changes)];
      await mustWrite(({ write }) => write([{ table: priceReadings, rows: [row] }]));
    },
    seal: async ({ from, to, times, blocks }, keepFrom) => {
      const packed = await packList(times.map((at) => ({ at })));
      await mustWrite(({ write }) =>
        write([
          { table: priceSegments, rows: [[scope, from, to, packed]] },
          { table: priceBlocks, rows: blocks.map((content, place) => [scope, from, place, content]) },
          {
            name: 'drop sealed prices',
            sql: `DELETE FROM ${priceReadings.name} WHERE scope = $1 AND read_at <= $2`,
            values: [scope, to],
          },
          {
            name: 'drop old price blocks',
            sql: `DELETE FROM ${priceBlocks.name} WHERE scope = $1 AND from_at IN
              (SELECT from_at FROM ${priceSegments.name} WHERE scope = $1 AND to_at < $2)`,
            values: [scope, keepFrom],
          },
          {
            name: 'drop old price segments',
            sql: `DELETE FROM ${priceSegments.name} WHERE scope = $1 AND to_at < $2`,
            values: [scope, keepFrom],
          },
        ]),
      );
    },
  };
}

const findBegin = (scope: string): Read => ({
  name: 'begin of prices',
  sql: `SELECT (SELECT min(from_at) FROM ${priceSegments.name} WHERE scope = $1),
    (SELECT min(read_at) FROM ${priceReadings.name} WHERE scope = $1)`,
  values: [scope],
});
const selectSegment = `SELECT from_at, to_at, times FROM ${priceSegments.name} WHERE scope = $1`;
const findSegmentBefore = (scope: string, instant: number): Read => ({
  name: 'price segment before',
  sql: `${selectSegment} AND from_at <= $2 ORDER BY from_at DESC LIMIT 1`,
  values: [scope, instant],
});
const findSegmentAfter = (scope: string, from: number, to: number): Read => ({
  name: 'price segment after',
  sql: `${selectSegment} AND to_at > $2 AND from_at <= $3 ORDER BY from_at LIMIT 1`,
  values: [scope, from, to],
});
const listBlocks = (scope: string, from: number): Read => ({
  name: 'price blocks',
  sql: `SELECT content FROM ${priceBlocks.name} WHERE scope = $1 AND from_at = $2 ORDER BY place`,
  values: [scope, from],
});
const listReadings = (scope: string, after: number, to: number): Read => ({
  name: 'price readings',
  sql: `SELECT read_at, changes FROM ${priceReadings.name} WHERE scope = $1 AND read_at > $2 AND read_at <= $3
    ORDER BY read_at`,
  values: [scope, after, to],
});

type PackedSegment = Omit<PriceSegment, 'times'> & { readonly packed: Uint8Array };

interface PackedStretch {
  readonly segment: PackedSegment | null;
  readonly rows: readonly Row[];
}

function* readSegment(find: Read, scope: string): ReadPlan<PackedSegment | null> {
  const [found] = yield find;
  if (found === undefined) return null;
  const [from, to, packed] = found;
  const blocks = (yield listBlocks(scope, Number(from))).map(([content]) => content as Uint8Array);
  return { from: Number(from), to: Number(to), packed: packed as Uint8Array, blocks };
}

async function unpackSegment({ packed, ...segment }: PackedSegment): Promise<PriceSegment> {
  const times = await unpackList<{ readonly at: number }>(packed);
  return { ...segment, times: times.map(({ at }) => at) };
}

async function toReading([at, changes]: Row): Promise<PriceReading> {
  return { at: Number(at), changes: await unpackList<Change>(changes as Uint8Array) };
}
