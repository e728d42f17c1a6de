import type { ServerPorts } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import { toInstant } from '#server/core/to-instant.ts';
import { type Journal, openJournal, type Reading } from './journal.ts';
import { createOutcomes, type OutcomeDeps } from './find-outcomes.ts';
import { createJournalStore } from './journal-store.ts';
import { packInWorker } from './pack-stretch.ts';
import { createJournalReader, type JournalReader } from './read-journal.ts';
import { createActivityReader, type ActivityReader } from './read-activity.ts';

export interface JournalRoom {
  readonly reader: JournalReader;
  readonly activity: ActivityReader;
  readonly state: Journal['state'];
  /** Returns at once; failures are reported. */
  readonly record: (reading: Reading, expectedMs: number) => void;
  readonly orders: Journal['orders'];
  readonly returned: Journal['returned'];
  /** Starts looking up how orders that are gone were closed. */
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

interface JournalRoomDeps
  extends Pick<ServerPorts, 'now' | 'elapsed' | 'schedule' | 'log'>, Pick<OutcomeDeps, 'readHistory'> {
  readonly store: Store;
  /** The exchange and whose orders these are. */
  readonly scope: string;
  readonly maxBytes: number;
}

/** Opens the journal with its readers and the look-up of outcomes. */
export async function openJournalRoom({
  store: database,
  scope,
  maxBytes,
  readHistory,
  now,
  elapsed,
  schedule,
  log,
}: JournalRoomDeps): Promise<JournalRoom> {
  const store = createJournalStore(database, scope);
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
  const journal = await openJournal({ store, pack: packInWorker, now, elapsed, maxBytes, onSetBack: warn, report });
  const outcomes = createOutcomes({ journal, readHistory, schedule, elapsed, report });
  return {
    reader: createJournalReader(journal, store),
    activity: createActivityReader(journal, store),
    state: journal.state,
    orders: journal.orders,
    returned: journal.returned,
    record: (reading, expectedMs) => {
      journal.record(reading, expectedMs).catch(report);
    },
    start: outcomes.start,
    close: () => {
      outcomes.close();
      return journal.close();
    },
  };
}
