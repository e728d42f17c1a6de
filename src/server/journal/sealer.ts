import { ignoring } from '#server/core/venue-failure.ts';
import { toOrderKey, type JournalStore, type PackedStretch, type SegmentInfo } from './journal-store.ts';
import { type OpenStretch, readStretch, type Stretch } from './stretch.ts';
import type { PackRequest } from './pack-stretch.ts';
import { reachesBack, toColumns } from './summary/summary-columns.ts';
import type { Summary } from './summary/summary.ts';

export interface SealerDeps {
  readonly store: JournalStore;
  readonly pack: (request: PackRequest) => PackedStretch | Promise<PackedStretch>;
  /** Above this size, the oldest segments are dropped. */
  readonly maxBytes: number;
  /** Receives the error when sealing fails; it is tried again. */
  readonly report: (error: unknown) => void;
}

/** Turns stretches into segments, one at a time. */
export interface Sealer {
  readonly segments: () => readonly SegmentInfo[];
  /** The stretch that is being sealed; null if there is none. */
  readonly sealing: () => Counted<Stretch> | null;
  readonly take: (stretch: Counted<OpenStretch>) => void;
  /** Starts sealing the stretch that was taken, or tries again after a failed write. */
  readonly run: () => void;
  readonly close: () => Promise<void>;
}

/** A stretch with the summary of its changes. */
type Counted<One> = One & { readonly summary: Summary };

/** The size of an order’s index entry, which is stored in addition to the blocks. */
const INDEX_BYTES = 24;

export function createSealer(
  { store, pack, maxBytes, report }: SealerDeps,
  stored: readonly SegmentInfo[],
  lastNumber: number,
): Sealer {
  const segments = [...stored];
  let number = lastNumber;
  let taken: Counted<OpenStretch> | null = null;
  let running: Promise<void> | null = null;

  const write = async (stretch: Counted<OpenStretch>): Promise<SegmentInfo> => {
    const last = stretch.readings.at(-1);
    const lastReading = last?.number ?? 0;
    const columns = toColumns(stretch.summary);
    const { blocks, summary } = await pack({
      base: [...stretch.base.values()],
      readings: await store.packedChanges(lastReading),
      summary: columns,
    });
    const bytes =
      summary.byteLength +
      sumOf(blocks, ({ content, orderKeys }) => content.byteLength + orderKeys.length * INDEX_BYTES);
    const segment = {
      number: number + 1,
      from: stretch.from,
      to: last?.to ?? stretch.from,
      changes: stretch.changes.length,
      bytes,
      reachesBack: reachesBack(columns) ?? stretch.from,
    };
    const readings = stretch.readings.map(({ from, to, isComplete, isAfterGap, cause, historyTo }) => ({
      from,
      to,
      isComplete,
      isAfterGap,
      cause,
      historyTo,
    }));
    await store.seal({ ...segment, readings, blocks, summary, lastReading });
    return segment;
  };

  const seal = async (stretch: Counted<OpenStretch>): Promise<void> => {
    // The segment exists already if it was stored but the database’s reply was lost; its readings are then deleted.
    const segment = (await store.segment(number + 1)) ?? (await write(stretch));
    ({ number } = segment);
    segments.push(segment);
    taken = null;
    while (segments.length > 1 && sumOf(segments, (one) => one.bytes) > maxBytes) await dropOldest();
  };

  const dropOldest = async (): Promise<void> => {
    const [oldest] = segments;
    if (oldest === undefined) return;
    const { changes } = await readStretch(store, oldest);
    segments.shift();
    await store.drop(oldest.number, [...new Set(changes.map(({ id }) => toOrderKey(id)))]);
  };

  return {
    segments: () => segments,
    sealing: () => taken,
    take: (stretch) => {
      taken = stretch;
    },
    run: () => {
      if (taken === null || running !== null) return;
      running = ignoring(seal(taken), 'desk-cannot-write')
        .catch(report)
        .finally(() => {
          running = null;
        });
    },
    close: async () => {
      await running;
    },
  };
}

export function sumOf<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}
