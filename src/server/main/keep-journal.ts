import { ignoring } from '#server/core/venue-failure.ts';
import { type JournalRoom, openJournalRoom } from '#server/journal/open-journal-room.ts';
import { openPriceRoom, type PriceRoom } from '#server/journal/prices/open-price-room.ts';
import { toPriceSeconds } from '#server/proxy/budget/shares.ts';
import type { openProxy } from '#server/proxy/open-proxy.ts';
import type { Live } from '#server/push/open-live.ts';
import type { DropCheck } from '#server/readings/working-orders/drop-check.ts';
import {
  type createHistoryReader,
  toAcceptedReader,
  toOutcomeReader,
} from '#server/readings/working-orders/read-history.ts';
import type { Lease } from '#server/store/lease.ts';
import type { Core } from './open-core.ts';
import { type ServerConfig, toJournalSeconds } from './server-config.ts';

const JOURNAL_BYTES = 5 * 1_024 ** 3;
const PRICE_DAYS = 90;

/** Opens the journal with what it reads of the order history. */
export function openJournal(
  config: ServerConfig,
  core: Core,
  {
    readHistory,
    rateLimiter,
    venueNow,
  }: Pick<Awaited<ReturnType<typeof openProxy>>, 'rateLimiter' | 'venueNow'> & {
    readonly readHistory: ReturnType<typeof createHistoryReader>;
  },
): Promise<JournalRoom> {
  return openJournalRoom({
    ...core,
    maxBytes: config.journalBytes ?? JOURNAL_BYTES,
    readOutcomes: toOutcomeReader(readHistory),
    readAccepted: toAcceptedReader(readHistory),
    everySeconds: toJournalSeconds(config),
    share: () => rateLimiter.shareOf('journal'),
    venueNow,
  });
}

export function openPrices(
  config: ServerConfig,
  core: Omit<Parameters<typeof openPriceRoom>[0], 'keptDays' | 'everySeconds'>,
): PriceRoom {
  return openPriceRoom({
    ...core,
    keptDays: config.priceDays ?? PRICE_DAYS,
    everySeconds: toPriceSeconds(config.journalSeconds ?? 0),
  });
}

interface JournalKeeping {
  readonly live: Pick<Live, 'watch'>;
  readonly journal: Pick<JournalRoom, 'refresh' | 'start'>;
  readonly drops: Pick<DropCheck, 'restart'>;
  readonly lease: Pick<Lease, 'isHeld' | 'onChange'>;
}

/** Has working orders and market prices read for the journal while this desk is the leader. */
export function keepJournal(config: ServerConfig, { live, journal, drops, lease }: JournalKeeping): void {
  const seconds = toJournalSeconds(config);
  let stops: readonly (() => void)[] = [];
  const stop = (): void => {
    for (const one of stops) one();
    stops = [];
  };
  const begin = async (): Promise<void> => {
    // If it cannot be loaded now, it is loaded before the first reading is recorded.
    await ignoring(journal.refresh(), 'desk-cannot-read');
    if (!lease.isHeld()) return;
    drops.restart();
    stop();
    if (seconds === null) return;
    stops = [
      live.watch(
        { name: 'working-orders', pairs: [] },
        { everySeconds: seconds, payer: 'journal', onReading: () => undefined },
      ),
      live.watch(
        { name: 'product-data', pairs: [] },
        { everySeconds: toPriceSeconds(seconds), payer: 'journal', onReading: () => undefined },
      ),
    ];
  };
  lease.onChange((isHeld) => {
    if (isHeld) void begin();
    else stop();
  });
  if (seconds !== null) journal.start();
}
