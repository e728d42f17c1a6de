import { createTurns } from '#server/core/in-turn.ts';
import type { Log, Schedule } from '#server/core/ports.ts';
import type { AuditEvent, AuditStore, TimedEvent } from './audit-store.ts';
import { createGatheredEvents } from './gathered-events.ts';

/** Records what people did. */
export interface AuditLog {
  /** Resolves once the event is stored, or once it is certain that it cannot be stored now; it is then retried. */
  readonly record: (event: AuditEvent) => Promise<void>;
  /** Records an action that must not happen unrecorded. If it cannot be stored, rejects and keeps nothing of it. */
  readonly mustRecord: (event: AuditEvent) => Promise<void>;
  /**
   * Records an event that may be repeated many times a minute. It becomes two entries: the first occurrence, stored at
   * once, and at the end of the minute the number of repetitions with their total rows. After a certain number of
   * different events, the further events of one person and kind in that minute, or of one person on that day, are merged.
   */
  readonly gather: (event: AuditEvent) => void;
  /** Stores what has been gathered. Resolves to whether everything is stored. */
  readonly close: () => Promise<boolean>;
}

interface AuditLogDeps {
  readonly store: Pick<AuditStore, 'append'>;
  readonly now: () => number;
  readonly schedule: Schedule;
  readonly log: Log;
  /** Called with each event when it happens, repetitions included. */
  readonly note?: (event: AuditEvent) => void;
}

const GATHER_MS = 60_000;
/** Events within this time are one write, so that a flood of different requests does not keep the disk busy. */
const SOON_MS = 100;
const RETRY_MS = 10_000;
/** The most events that wait while the store cannot be written. */
const MOST_WAITING = 10_000;
/** Limits the memory that a flood of names or filters can use. */
const MOST_GATHERED = 2_000;

export function createAuditLog({ store, now, schedule, log, note }: AuditLogDeps): AuditLog {
  const writer = createWriter({ store, schedule, log });
  const gathered = createGatheredEvents();
  let cancelGather: (() => void) | null = null;
  let cancelSoon: (() => void) | null = null;

  const endGathering = (): void => {
    cancelGather?.();
    cancelSoon?.();
    [cancelGather, cancelSoon] = [null, null];
    writer.add(gathered.take());
  };
  const storeGathered = (): void => {
    endGathering();
    void writer.flush();
  };
  const flushSoon = (): void => {
    cancelSoon ??= schedule(SOON_MS, () => {
      cancelSoon = null;
      void writer.flush();
    });
  };
  return {
    record: (event) => {
      note?.(event);
      writer.add([{ at: now(), event }]);
      return writer.flush();
    },
    mustRecord: (event) => writer.mustStore({ at: now(), event }),
    gather: (event) => {
      note?.(event);
      const first = gathered.add({ at: now(), event });
      if (first !== null) {
        writer.add([first]);
        flushSoon();
      }
      if (gathered.size() >= MOST_GATHERED) storeGathered();
      else cancelGather ??= schedule(GATHER_MS, storeGathered);
    },
    close: () => {
      endGathering();
      return writer.close();
    },
  };
}

/** Stores events in order, and retries after failures. */
function createWriter({ store, schedule, log }: Omit<AuditLogDeps, 'now' | 'note'>) {
  const inTurn = createTurns();
  let waiting: readonly TimedEvent[] = [];
  let cancelRetry: (() => void) | null = null;

  const flush = (): Promise<void> =>
    inTurn(async () => {
      const batch = waiting;
      if (batch.length === 0) return;
      try {
        await store.append(batch);
        waiting = waiting.slice(batch.length);
      } catch (error) {
        cancelRetry ??= schedule(RETRY_MS, retry);
        if (waiting.length <= MOST_WAITING) return;
        log('error', 'audit entries lost', {
          count: waiting.length - MOST_WAITING,
          reason: error instanceof Error ? error.message : String(error),
        });
        waiting = waiting.slice(-MOST_WAITING);
      }
    });
  const retry = (): void => {
    cancelRetry = null;
    void flush();
  };
  return {
    add: (events: readonly TimedEvent[]): void => {
      waiting = [...waiting, ...events];
    },
    flush,
    mustStore: (event: TimedEvent): Promise<void> =>
      inTurn(async () => {
        const before = waiting;
        await store.append([...before, event]);
        waiting = waiting.slice(before.length);
      }),
    close: async (): Promise<boolean> => {
      cancelRetry?.();
      await flush();
      cancelRetry?.();
      return waiting.length === 0;
    },
  };
}
