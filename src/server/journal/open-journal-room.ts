import type { ServerPorts } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import { toInstant } from '#server/core/to-instant.ts';
import type { Lease } from '#server/store/lease.ts';
import type { Reading } from './compare-reading.ts';
import { type Journal, openJournal } from './journal.ts';
import { type AcceptedDeps, createAccepted } from './find-accepted.ts';
import { createOutcomes, type OutcomeDeps } from './find-outcomes.ts';
import { createJournalStore } from './journal-store.ts';
import { packInWorker } from './pack-stretch.ts';
import { createJournalReader, type JournalReader } from './read-journal.ts';
import { createActivityReader, type ActivityReader } from './read-activity.ts';

export interface JournalRoom {
  readonly reader: JournalReader;
  readonly activity: ActivityReader;
  /** As of the last refresh or reading. */
  readonly state: Journal['state'];
  readonly refresh: Journal['refresh'];
  /** Returns at once; failures are reported. */
  readonly record: (reading: Reading, expectedMs: number) => void;
  readonly noteFailure: Journal['noteFailure'];
  readonly orders: Journal['orders'];
  readonly returned: Journal['returned'];
  /** Starts looking up how orders that are gone were closed. */
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

interface JournalRoomDeps
  extends Pick<ServerPorts, 'now' | 'elapsed' | 'schedule' | 'log'>, Pick<AcceptedDeps, 'share' | 'venueNow'> {
  readonly readOutcomes: OutcomeDeps['readHistory'];
  readonly readAccepted: AcceptedDeps['readHistory'];
  /** How often the journal has the exchange read; null: it only records what others have read. */
  readonly everySeconds: number | null;
  readonly store: Store;
  readonly leaderStore: Store;
  readonly lease: Pick<Lease, 'isHeld' | 'epoch'>;
  /** The exchange and whose orders these are. */
  readonly scope: string;
  readonly maxBytes: number;
}

/** Opens the journal with its readers and the look-up of outcomes. */
export async function openJournalRoom({
  store: database,
  leaderStore,
  lease,
  scope,
  maxBytes,
  readOutcomes,
  readAccepted,
  everySeconds,
  share,
  venueNow,
  now,
  elapsed,
  schedule,
  log,
}: JournalRoomDeps): Promise<JournalRoom> {
  const store = {
    ...createJournalStore(leaderStore, scope),
    // Any desk may add it: each computes the same summary.
    addSummary: createJournalStore(database, scope).addSummary,
  };
  const report = (error: unknown): void => {
    log('error', 'journal failed', { reason: error instanceof Error ? error.stack : String(error) });
  };
  const warn = (lastReadAt: number): void => {
    log('warn', 'clock set back', {
      reason:
        `The last reading of the journal is from ${toInstant(lastReadAt)}. Until then, changes of ` +
        'orders are recorded as of that time.',
    });
  };
  const journal = await openJournal({
    ...{ store, lease, pack: packInWorker, now, elapsed, maxBytes, report },
    onSetBack: warn,
  });
  const outcomes = createOutcomes({
    ...{ journal, records: lease.isHeld, schedule, elapsed, report },
    readHistory: readOutcomes,
  });
  const accepted =
    everySeconds === null
      ? null
      : createAccepted({
          ...{ journal, records: lease.isHeld, everySeconds, share, schedule, elapsed, now, venueNow, report },
          readHistory: readAccepted,
        });
  return {
    reader: createJournalReader(journal, store),
    activity: createActivityReader(journal, store),
    state: journal.state,
    refresh: journal.refresh,
    orders: journal.orders,
    returned: journal.returned,
    record: (reading, expectedMs) => {
      journal
        .record(reading, expectedMs)
        .then(() => accepted?.noteReading())
        .catch(report);
    },
    noteFailure: journal.noteFailure,
    start: outcomes.start,
    close: () => {
      outcomes.close();
      accepted?.close();
      return journal.close();
    },
  };
}
