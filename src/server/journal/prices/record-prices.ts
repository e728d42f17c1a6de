import type { ServerPorts } from '#server/core/ports.ts';
import { createTurns } from '#server/core/in-turn.ts';
import { ignoring } from '#server/core/venue-failure.ts';
import type { Lease } from '#server/store/lease.ts';
import { packList } from '../journal-store.ts';
import type { SealerDeps } from '../sealer.ts';
import { fold } from '../segment/change.ts';
import { applyReadings, comparePrices, type Prices, pricesOf, readPrices } from './price-rows.ts';
import type { PriceReading, PriceStore } from './price-store.ts';

interface RecorderDeps extends Pick<ServerPorts, 'now'>, Pick<SealerDeps, 'pack'> {
  readonly store: PriceStore;
  /** Only the leader records. */
  readonly lease: Pick<Lease, 'isHeld' | 'epoch'>;
  /** How long prices are kept. */
  readonly keptMs: number;
}

/** Records the market prices that readings of product data show. */
export interface PriceRecorder {
  /**
   * Records a reading, if this desk is the leader. One that cannot be written counts as never made: the next one then
   * shows its changes.
   */
  readonly record: (text: string, at: number) => Promise<void>;
  /** Resolves once what was recorded is written. */
  readonly close: () => Promise<void>;
}

/** The end of the record. */
interface Recorded {
  /** The prices before the first of these readings. */
  readonly base: Prices;
  /** The readings that are in no segment yet. */
  readonly readings: PriceReading[];
  /** The prices of now. */
  readonly prices: Prices;
  lastAt: number | null;
}

/** Four hours of readings, unless prices are read more often because someone looks at them. */
const SEALED_READINGS = 240;
/** Reading more than this at once would block everything else for too long. */
const SEALED_CHANGES = 10_000;

export function createPriceRecorder({ store, lease, pack, keptMs, now }: RecorderDeps): PriceRecorder {
  const inTurn = createTurns();
  let recorded: Recorded | null = null;
  /** The epoch in which `recorded` was loaded: another leader may have recorded since. */
  let epoch = 0;

  const load = async (): Promise<Recorded> => {
    const begun = lease.epoch();
    if (recorded !== null && epoch === begun) return recorded;
    recorded = await loadEnd(store);
    epoch = begun;
    return recorded;
  };
  const append = async (text: string, at: number): Promise<void> => {
    if (!lease.isHeld()) return;
    const { prices, readings, lastAt, ...end } = await load();
    if (lastAt !== null && at <= lastAt) return;
    const reading = { at, changes: comparePrices(prices, readPrices(text), { from: lastAt, to: at }) };
    await store.append(reading);
    fold(prices, reading.changes);
    readings.push(reading);
    recorded = { ...end, prices, readings, lastAt: at };
    if (isDue(readings)) recorded = await seal(recorded);
  };
  const seal = async ({ base, readings, prices, lastAt }: Recorded): Promise<Recorded> => {
    const times = readings.map((reading) => reading.at);
    const changes = await Promise.all(readings.map((reading) => packList(reading.changes)));
    const { blocks } = await pack({ base: [...base.values()], readings: changes, summary: null });
    const segment = { from: times[0] ?? 0, to: times.at(-1) ?? 0, times, blocks: blocks.map(({ content }) => content) };
    await store.seal(segment, now() - keptMs);
    return { base: new Map(prices), readings: [], prices, lastAt };
  };

  return {
    record: (text, at) => inTurn(() => ignoring(append(text, at), 'desk-cannot-read', 'desk-cannot-write')),
    close: () => inTurn(() => Promise.resolve()),
  };
}

async function loadEnd(store: PriceStore): Promise<Recorded> {
  const { segment, readings } = await store.upTo(Number.MAX_SAFE_INTEGER);
  const base = segment === null ? new Map() : pricesOf(segment, segment.to);
  return {
    base,
    readings: [...readings],
    prices: applyReadings(new Map(base), readings),
    lastAt: readings.at(-1)?.at ?? segment?.to ?? null,
  };
}

function isDue(readings: readonly PriceReading[]): boolean {
  const changes = readings.reduce((sum, reading) => sum + reading.changes.length, 0);
  return readings.length >= SEALED_READINGS || changes >= SEALED_CHANGES;
}
