import { createJournalStore, type StoredReading } from '../../../src/server/journal/journal-store.ts';
import { packInWorker } from '../../../src/server/journal/pack-stretch.ts';
import { createJournalReader } from '../../../src/server/journal/read-journal.ts';
import { createSealer } from '../../../src/server/journal/sealer.ts';
import { openEnvelope } from '../../../src/server/journal/segment/content.ts';
import { createActivityReader } from '../../../src/server/journal/read-activity.ts';
import { createSummariser } from '../../../src/server/journal/summary/summariser.ts';
import { openStore } from '../../../src/server/store/open-store.ts';
import { TRAITS } from '../../../src/server/journal/summary/summary.ts';
import { bytesOf } from './bytes-of.ts';
import type { Contender, Counts, Segment } from './contender.ts';

/**
 * Stores and reads as Perpdesk does, on SQLite: each reading as it comes, and once they make a segment, sealed in a
 * worker while the next ones come.
 */
export async function createOwnJournal(folder: string): Promise<Contender> {
  let journal = await open(folder);
  let lastReading = 0;
  return {
    keep: async ({ start, base, changes }) => {
      const { store, sealer } = journal;
      const readings = toReadings(changes, lastReading);
      lastReading += readings.length;
      for (const reading of readings) await store.append(reading);
      const orders = new Map(base.map(({ id, row }) => [id, row]));
      const { add, summary } = createSummariser(new Map(orders));
      add(changes);
      await sealer.close();
      sealer.take({ from: start, base: orders, readings, changes: [...changes], summary: summary() });
      sealer.run();
    },
    settle: () => journal.sealer.close(),
    reopen: async () => {
      await journal.database.close();
      journal = await open(folder);
    },
    countBook: async (_, reading) => (await journal.reader.bookAt(reading))?.orders.size ?? 0,
    countLife: async (id) => (await journal.reader.lifeOf(id)).changes.length,
    size: () => bytesOf(folder),
    counts: createCounts(() => journal),
    [Symbol.asyncDispose]: () => journal.database.close(),
  };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function open(folder: string) {
  const database = await openStore(
    { dataDir: folder, databaseUrl: null },
    { now: Date.now, elapsed: () => performance.now(), report: throwReason },
  );
  const store = createJournalStore(database, 'benchmark');
  const { segments: stored, lastNumbers: numbers } = await store.load();
  const sealer = createSealer(
    { store, pack: packInWorker, maxBytes: Infinity, report: throwError },
    stored,
    numbers.segment,
  );
  const parts = {
    ...{ segments: sealer.segments, stretches: () => [], summaries: () => [] },
    refresh: () => Promise.resolve(),
  };
  return {
    database,
    store,
    sealer,
    reader: createJournalReader(parts, store),
    activity: createActivityReader(parts, store),
  };
}

const BY = (['account_id', 'product_id'] as const).map((trait) => TRAITS.indexOf(trait));
const SUMMARY_FORMAT = 2;
const BUCKET_MS = 3_600_000;

function createCounts(opened: () => Opened): Counts {
  const summaries = (from: number): Promise<readonly Uint8Array[]> => {
    const { sealer, store } = opened();
    return Promise.all(
      sealer
        .segments()
        .filter(({ to }) => to >= from)
        .map(async ({ number }) => (await store.summaryOf(number)) ?? new Uint8Array()),
    );
  };
  return {
    count: async (from, to) => {
      const { buckets } = await opened().activity({ from, to, bucketMs: BUCKET_MS, by: BY, tests: [], scope: 'all' });
      return [...buckets.values()].reduce(
        (sum, { seen, changed, gone, ended }) => sum + seen + changed + gone + ended,
        0,
      );
    },
    readBytes: async (from) => {
      let sum = 0;
      for (const summary of await summaries(from))
        for (const byte of openEnvelope(summary, SUMMARY_FORMAT).content) sum += byte;
      if (sum === 0) throw new Error('there are no counts');
    },
    bytes: async () => ({
      counts: (await summaries(-Infinity)).reduce((sum, { byteLength }) => sum + byteLength, 0),
      all: opened()
        .sealer.segments()
        .reduce((sum, { bytes }) => sum + bytes, 0),
    }),
  };
}

function toReadings(changes: Segment['changes'], before: number): StoredReading[] {
  const byTime = [...Map.groupBy(changes, ({ to }) => to)];
  return byTime.map(([to, ofReading], index) => ({
    number: before + index + 1,
    from: to,
    to,
    isComplete: true,
    isAfterGap: false,
    changes: ofReading,
  }));
}

function throwReason(event: string, reason: string): never {
  throw new Error(`${event}: ${reason}`);
}

function throwError(error: unknown): never {
  throw error;
}
