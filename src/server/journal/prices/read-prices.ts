import { decodeBlock } from '../segment/block.ts';
import type { Change } from '../segment/change.ts';
import { applyReadings, type Prices, pricesOf } from './price-rows.ts';
import type { PriceReading, PriceSegment, PriceStore } from './price-store.ts';

/** The prices of a reading. */
export interface PastPrices {
  /** In epoch milliseconds. */
  readonly readAt: number;
  readonly prices: Prices;
}

/** Reads the recorded market prices, at any desk. */
export interface PriceReader {
  /** The first recorded reading; null if there is none. */
  readonly keptFrom: () => Promise<number | null>;
  /** The prices of the last reading until then, however old; null if there is none. */
  readonly at: (instant: number) => Promise<PastPrices | null>;
  /** The readings after the first instant, up to and including the second, oldest first. */
  readonly between: (from: number, to: number) => AsyncIterable<PriceReading>;
  /** Prices of a reading that is older than this are not those of an instant. */
  readonly maxAgeMs: number;
  /** How often prices are read at least. */
  readonly everySeconds: number;
}

/** After this many intervals without a reading, the prices are unknown. */
const MAX_INTERVALS = 3;

export function createPriceReader(store: PriceStore, everySeconds: number): PriceReader {
  return {
    maxAgeMs: MAX_INTERVALS * everySeconds * 1_000,
    everySeconds,
    keptFrom: store.keptFrom,
    at: async (instant) => {
      const { segment, readings } = await store.upTo(instant);
      const readAt = readings.at(-1)?.at ?? segment?.times.findLast((at) => at <= instant);
      if (readAt === undefined) return null;
      return { readAt, prices: applyReadings(segment === null ? new Map() : pricesOf(segment, instant), readings) };
    },
    between: async function* (from, to) {
      for (let last = from; ;) {
        const { segment, readings } = await store.after(last, to);
        for (const reading of segment === null ? readings : readingsOf(segment))
          if (reading.at > from && reading.at <= to) yield reading;
        if (segment === null) return;
        last = segment.to;
      }
    },
  };
}

function readingsOf({ times, blocks }: PriceSegment): readonly PriceReading[] {
  const changes = new Map<number, Change[]>(times.map((at) => [at, []]));
  for (const block of blocks) for (const change of decodeBlock(block).changes) changes.get(change.to)?.push(change);
  return times.map((at) => ({ at, changes: changes.get(at) ?? [] }));
}
