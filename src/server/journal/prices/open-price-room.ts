import type { ResponseListeners, ServerPorts } from '#server/core/ports.ts';
import type { Lease } from '#server/store/lease.ts';
import type { Store } from '#server/store/store.ts';
import { packInWorker } from '../pack-stretch.ts';
import { createPriceStore } from './price-store.ts';
import { createPriceReader, type PriceReader } from './read-prices.ts';
import { createPriceRecorder } from './record-prices.ts';

/** The record of market prices. */
export interface PriceRoom {
  readonly reader: PriceReader;
  /** Records the market prices in product data. Returns at once; failures are reported. */
  readonly note: NonNullable<ResponseListeners['productDataAll']>;
  readonly close: () => Promise<void>;
}

interface PriceRoomDeps extends Pick<ServerPorts, 'now' | 'log'> {
  readonly store: Store;
  readonly leaderStore: Store;
  readonly lease: Pick<Lease, 'isHeld' | 'epoch'>;
  readonly scope: string;
  readonly keptDays: number;
  /** How often prices are read at least, in seconds. */
  readonly everySeconds: number;
}

const DAY_MS = 86_400_000;

export function openPriceRoom({
  store,
  leaderStore,
  lease,
  scope,
  keptDays,
  everySeconds,
  now,
  log,
}: PriceRoomDeps): PriceRoom {
  const recorder = createPriceRecorder({
    ...{ store: createPriceStore(leaderStore, scope), lease, pack: packInWorker, now },
    keptMs: keptDays * DAY_MS,
  });
  return {
    reader: createPriceReader(createPriceStore(store, scope), everySeconds),
    note: ({ query }, { body, respondedAt }) => {
      // Settled sessions have parameters.
      if (query.length > 0) return;
      recorder.record(body.toString(), respondedAt).catch((error: unknown) => {
        log('error', 'market prices not recorded', { reason: error instanceof Error ? error.stack : String(error) });
      });
    },
    close: recorder.close,
  };
}
