import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { ProblemDocument } from '#contract/desk/problems.ts';
import type { Cell, Dialect, Row, Step } from '#sql/driver.ts';
import { setBounded } from '#server/core/maps.ts';
import type { Provenance, ServerPorts } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import { topicReadings } from '#server/store/tables.ts';
import { type Cursor, type SharedCursors, type Tick, toNamedCursor } from './messages.ts';

/** A reading of a topic, as desks pass it on. Times are by the clock of the desk that has it. */
export interface TopicReading extends Omit<Facts, 'ageMs' | 'readAgeMs' | 'bodyTick' | 'provenance'> {
  readonly address: string;
  readonly cursor: Cursor;
  /** Null if it failed. */
  readonly response: {
    readonly text: string;
    readonly provenance: Provenance | undefined;
    readonly readAt: number;
  } | null;
  /** The orders that may be working although the reading does not list them. */
  readonly missing: readonly string[];
}

/** The same, as it is stored: everything but the response itself. */
interface Facts {
  /** The tick of the reading of this topic before it; null if the desk that read it does not know that one. */
  readonly before: Tick | null;
  readonly everySeconds: number;
  /** The number of streams, at all desks. */
  readonly sharedBy: number;
  /** In requests to the exchange. */
  readonly cost: number;
  readonly problem: ProblemDocument | null;
  /** Null without a source in the exchange. */
  readonly provenance: Omit<Provenance, 'respondedAt'> | null;
  /** How old the response was when it was stored, by its source and by its reading. */
  readonly ageMs: number;
  readonly readAgeMs: number;
  /** The tick of the reading with the body. */
  readonly bodyTick: Tick;
}

/** What a desk finds about a reading. */
export interface FoundReading extends Pick<TopicReading, 'address' | 'cursor'> {
  /** Null if it is not wanted, or its body is no longer stored. */
  readonly reading: TopicReading | null;
}

/** The last readings of each topic, stored by the leader for the other desks. */
export interface PublishedReadings {
  readonly publish: (reading: TopicReading) => Promise<void>;
  /** Notes that another desk may have published since. */
  readonly begin: () => void;
  /** Whether another desk that begins to follow the topic finds this response. */
  readonly has: (address: string, readTick: Tick) => boolean;
  /**
   * Returns all readings after a tick, and all that are stored of some topics, oldest first; those of the wanted topics
   * with their responses. Undefined if the store cannot be read.
   */
  readonly find: (
    after: Tick,
    wanted: readonly string[],
    whole: readonly string[],
  ) => Promise<FoundReading[] | undefined>;
}

interface PublishedDeps extends Pick<ServerPorts, 'now' | 'elapsed'>, Pick<SharedCursors, 'names'> {
  readonly store: Store;
  /** The store for what only the leader writes. */
  readonly leaderStore: Store;
}

interface Body {
  readonly text: string;
  readonly tick: Tick;
}

interface PublishedBody extends Body {
  /** The last reading of which this is the response. */
  readonly readTick: Tick;
  readonly storedAt: number;
}

/** At least this many of each topic are kept, for streams that come from another desk. */
const KEPT = 4;
const KEPT_MS = 1_800_000;
/** A body that stays the same is stored again, before it is too old to be kept. */
const RENEWED_MS = 900_000;
const MAX_BODIES = 2_000;

export function createPublishedReadings({ store, leaderStore, names, now, elapsed }: PublishedDeps): PublishedReadings {
  const published = new Map<string, PublishedBody>();
  const found = new Map<string, Body>();

  const isRecent = (body: PublishedBody | undefined): body is PublishedBody =>
    body !== undefined && elapsed() - body.storedAt < RENEWED_MS;

  /** Returns what is published with this reading. */
  const toBody = ({ address, cursor: { tick }, response }: TopicReading): PublishedBody | null => {
    const known = published.get(address);
    if (response === null) return known ?? null;
    const isSame = isRecent(known) && known.text === response.text;
    return isSame ? { ...known, readTick: tick } : { text: response.text, tick, readTick: tick, storedAt: elapsed() };
  };

  /** Ages are counted from before the query, so that data never look younger than they are. */
  const toReading = async (row: Row, queriedAt: number): Promise<FoundReading> => {
    const [tick, topic, name, sinceMs, facts, bytes = null, missing = null] = row;
    const address = String(topic);
    const cursor = toNamedCursor(Number(tick), String(name), names);
    const { ageMs, readAgeMs, bodyTick, provenance, ...rest } = JSON.parse(String(facts)) as Facts;
    const body = bytes === null ? found.get(address) : { text: await fromBytes(bytes), tick: cursor.tick };
    if (body !== undefined) setBounded(found, address, body, MAX_BODIES);
    if (rest.problem === null && body?.tick !== bodyTick) return { address, cursor, reading: null };
    const storedAt = queriedAt - Number(sinceMs);
    const response = rest.problem === null &&
      body !== undefined && {
        text: body.text,
        provenance: provenance === null ? undefined : { ...provenance, respondedAt: storedAt - ageMs },
        readAt: storedAt - readAgeMs,
      };
    const missed = missing === null ? [] : (JSON.parse(await fromBytes(missing)) as readonly string[]);
    return { address, cursor, reading: { ...rest, address, cursor, response: response || null, missing: missed } };
  };

  return {
    publish: async (reading) => {
      const body = toBody(reading);
      const isNew = body?.tick === reading.cursor.tick;
      const [bytes, missing] = await Promise.all([
        isNew ? toBytes(body.text) : null,
        reading.missing.length === 0 ? null : toBytes(JSON.stringify(reading.missing)),
      ]);
      // Until it is certain to be stored, the next one does not rely on it.
      published.delete(reading.address);
      for (const [address, old] of published) if (!isRecent(old)) published.delete(address);
      const row = [
        reading.cursor.tick,
        reading.address,
        reading.cursor.id,
        toFacts(reading, body, now()),
        bytes,
        missing,
      ];
      await leaderStore.mustWrite(({ dialect, write }) => write(toSteps(dialect, row)));
      if (body !== null) setBounded(published, reading.address, body, MAX_BODIES);
    },
    begin: () => {
      published.clear();
    },
    has: (address, readTick) => {
      const body = published.get(address);
      return isRecent(body) && body.readTick === readTick;
    },
    find: async (after, wanted, whole) => {
      const isWanted = new Set(wanted);
      for (const address of found.keys()) if (!isWanted.has(address)) found.delete(address);
      const queriedAt = now();
      const rows = await store.tryToRead(({ dialect, read }) =>
        read({ name: 'find readings', sql: toQuery(dialect), values: [after, wanted, whole] }),
      );
      if (rows === undefined) return undefined;
      const readings: FoundReading[] = [];
      // In order, because a body may be that of the reading before.
      for (const row of rows)
        readings.push(
          isWanted.has(String(row[1]))
            ? await toReading(row, queriedAt)
            : { address: String(row[1]), cursor: toNamedCursor(Number(row[0]), String(row[2]), names), reading: null },
        );
      return readings;
    },
  };
}

function toFacts({ response, ...reading }: TopicReading, body: Body | null, now: number): string {
  const { before, everySeconds, sharedBy, cost, problem } = reading;
  const { respondedAt, ...provenance } = response?.provenance ?? { respondedAt: now };
  const facts: Facts = {
    ...{ before, everySeconds, sharedBy, cost, problem },
    provenance: 'outcome' in provenance ? provenance : null,
    ageMs: now - respondedAt,
    readAgeMs: now - (response?.readAt ?? now),
    bodyTick: body?.tick ?? 0,
  };
  return JSON.stringify(facts);
}

function toSteps({ now }: Dialect, row: readonly Cell[]): readonly Step[] {
  const [, address] = row;
  return [
    {
      name: 'publish reading',
      sql: `INSERT INTO ${topicReadings.name} (number, topic, name, facts, body, missing, at)
        VALUES ($1, $2, $3, $4, $5, $6, ${now})`,
      values: row,
    },
    // All since the oldest body that is still needed.
    {
      name: 'delete older readings',
      sql: `DELETE FROM ${topicReadings.name} WHERE topic = $1 AND number < (
        SELECT max(number) FROM ${topicReadings.name} WHERE topic = $1 AND body IS NOT NULL AND number <= (
          SELECT min(number) FROM (
            SELECT number FROM ${topicReadings.name} WHERE topic = $1 ORDER BY number DESC LIMIT ${String(KEPT)}
          ) AS newest))`,
      values: [address ?? null],
    },
    {
      name: 'delete old readings',
      sql: `DELETE FROM ${topicReadings.name} WHERE at < ${now} - ${String(KEPT_MS)}`,
      values: [],
    },
  ];
}

function toQuery({ now, isAmong }: Dialect): string {
  const isWanted = isAmong('topic', 2, 'text');
  return `SELECT number, topic, name, ${now} - at, facts,
      CASE WHEN ${isWanted} THEN body END, CASE WHEN ${isWanted} THEN missing END
    FROM ${topicReadings.name} WHERE number > $1 OR ${isAmong('topic', 3, 'text')} ORDER BY number`;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

function toBytes(text: string): Promise<Buffer> {
  return compress(text, FAST);
}

async function fromBytes(bytes: Cell): Promise<string> {
  return (await decompress(bytes as Uint8Array)).toString();
}
