import { createTurns } from '#server/core/in-turn.ts';
import type { Log, Schedule } from '#server/core/ports.ts';
import { networkOf } from '#server/core/network.ts';
import type { AuditEvent, AuditStore, TimedEvent } from './audit-store.ts';

/** Records what people did. */
export interface AuditLog {
  /** Resolves once the event is stored, or once it is certain that it cannot be stored now; it is then retried. */
  readonly record: (event: AuditEvent) => Promise<void>;
  /** Records an action that must not happen unrecorded. If it cannot be stored, rejects and keeps nothing of it. */
  readonly mustRecord: (event: AuditEvent) => Promise<void>;
  /**
   * Records an event that may be repeated many times a minute. It becomes two entries: the first occurrence, stored at
   * once, and at the end of the minute the number of repetitions with their total rows. After a certain number of
   * different events, the further events of one person and kind in that minute are merged.
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
}

const GATHER_MS = 60_000;
/** Events within this time are one write, so that a flood of different requests does not keep the disk busy. */
const SOON_MS = 100;
const RETRY_MS = 10_000;
/** The most events that wait while the store cannot be written. */
const MOST_WAITING = 10_000;
/** Limits the memory that a flood of names or filters can use. */
const MOST_GATHERED = 2_000;
/** Keeps one person's invented filters from pushing the entries of others out of the log. */
const MOST_OF_ONE = 60;

/** The repetitions of an event since it was first recorded. */
interface Gathered extends TimedEvent {
  /** The number of repetitions. */
  readonly more: number;
}

export function createAuditLog({ store, now, schedule, log }: AuditLogDeps): AuditLog {
  const writer = createWriter({ store, schedule, log });
  let gathered = new Map<string, Gathered>();
  let cancelGather: (() => void) | null = null;
  let cancelSoon: (() => void) | null = null;

  const endGathering = (): void => {
    cancelGather?.();
    cancelSoon?.();
    [cancelGather, cancelSoon] = [null, null];
    writer.add([...gathered.values()].filter(({ more }) => more > 0).map(toRepeated));
    gathered = new Map();
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
      writer.add([{ at: now(), event }]);
      return writer.flush();
    },
    mustRecord: (event) => writer.mustStore({ at: now(), event }),
    gather: (event) => {
      const first = gatherInto(gathered, { at: now(), event });
      if (first !== null) {
        writer.add([first]);
        flushSoon();
      }
      if (gathered.size >= MOST_GATHERED) storeGathered();
      else cancelGather ??= schedule(GATHER_MS, storeGathered);
    },
    close: () => {
      endGathering();
      return writer.close();
    },
  };
}

/** Stores events in order, and retries after failures. */
function createWriter({ store, schedule, log }: Omit<AuditLogDeps, 'now'>) {
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

/**
 * Treats all senders of a network who are not signed in as one, because a network may have more addresses than the log
 * has entries.
 */
function keyOf({ kind, who, name, address, detail, filter }: AuditEvent): string {
  return JSON.stringify([kind, who, name, who === '' ? networkOf(address) : address, detail, filter]);
}

/** Returns the event to record now; null for a repetition. */
function gatherInto(gathered: Map<string, Gathered>, { at, event: each }: TimedEvent): TimedEvent | null {
  const isKept = gathered.has(keyOf(each)) || countOfKind(gathered, each) < MOST_OF_ONE;
  const event = isKept ? each : toOthers(each);
  const key = keyOf(event);
  const known = gathered.get(key);
  gathered.set(key, {
    at,
    event: known === undefined ? event : addRows(known, event),
    more: known === undefined ? 0 : known.more + 1,
  });
  return known === undefined ? { at, event } : null;
}

/** Returns the person or token, or the network of a sender who is not signed in. */
function sourceOf({ who, address }: AuditEvent): string {
  return who === '' ? networkOf(address) : who;
}

function countOfKind(gathered: ReadonlyMap<string, Gathered>, sought: AuditEvent): number {
  const source = sourceOf(sought);
  return [...gathered.values()].filter(({ event }) => event.kind === sought.kind && sourceOf(event) === source).length;
}

/** Returns one event for all of a kind, regardless of their details, filters, and a person's addresses. */
function toOthers({ kind, who, name, address, rows }: AuditEvent): AuditEvent {
  return {
    kind,
    who,
    name,
    address: who === '' ? address : '',
    detail: `Other requests, after ${String(MOST_OF_ONE)} different ones`,
    ...(rows !== undefined && { rows }),
  };
}

/** The rows of the first occurrence are in its own entry. */
function addRows({ event: known, more }: Gathered, event: AuditEvent): AuditEvent {
  return event.rows === undefined ? event : { ...event, rows: more === 0 ? event.rows : add(known.rows, event.rows) };
}

function toRepeated({ at, event, more }: Gathered): TimedEvent {
  return { at, event: { ...event, detail: `${event.detail} (${String(more)} more within a minute)` } };
}

function add(one: number | null = null, other: number | null = null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}
