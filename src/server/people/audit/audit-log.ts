import { createTurns } from '#server/core/in-turn.ts';
import type { Log, Schedule } from '#server/core/ports.ts';
import { networkOf } from '#server/core/network.ts';
import type { AuditStore } from './audit-store.ts';
import type { AuditEvent, TimedEvent } from './chain.ts';

/** Records what was done. */
export interface AuditLog {
  /** Resolves once it is stored, or once it is certain that it cannot be for now: it is then tried again. */
  readonly record: (event: AuditEvent) => Promise<void>;
  /** Records what may be done only once it is recorded. Rejects, and keeps nothing of it, if it cannot be stored. */
  readonly mustRecord: (event: AuditEvent) => Promise<void>;
  /**
   * Records something that may be repeated many times a minute as two entries: the first time, which is stored at once, and at
   * the end of the minute how often it was repeated, with the rows of these. What one person does in a minute beyond a number of
   * different things counts as the same, by its kind.
   */
  readonly gather: (event: AuditEvent) => void;
  /** Stores what has been gathered. Resolves with whether all of it is stored. */
  readonly close: () => Promise<boolean>;
}

interface AuditLogParts {
  readonly store: Pick<AuditStore, 'append'>;
  readonly now: () => number;
  readonly schedule: Schedule;
  readonly log: Log;
}

const GATHER_MS = 60_000;
/** What begins within it is one write, so that a flood of different requests does not keep the disk busy. */
const SOON_MS = 100;
const RETRY_MS = 10_000;
/** While the store cannot be written. */
const MOST_WAITING = 10_000;
/** Beyond it, a flood of names or filters must not fill the memory. */
const MOST_GATHERED = 2_000;
/** Beyond it, filters that one person makes up must not push the entries of others out of the log. */
const MOST_OF_ONE = 60;

/** What was done again since it was recorded first. */
interface Gathered extends TimedEvent {
  /** How often. */
  readonly more: number;
}

export function createAuditLog({ store, now, schedule, log }: AuditLogParts): AuditLog {
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

/** Stores events in their order, and tries again where it cannot. */
function createWriter({ store, schedule, log }: Omit<AuditLogParts, 'now'>) {
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

/** Of those who are not signed in, a network counts as one: it may have more addresses than the log has entries. */
function keyOf({ kind, who, name, address, detail, filter }: AuditEvent): string {
  return JSON.stringify([kind, who, name, who === '' ? networkOf(address) : address, detail, filter]);
}

/** What is to be recorded now; null: it is a repetition. */
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

/** Who it is, or the network of those who are not signed in. */
function sourceOf({ who, address }: AuditEvent): string {
  return who === '' ? networkOf(address) : who;
}

function countOfKind(gathered: ReadonlyMap<string, Gathered>, sought: AuditEvent): number {
  const source = sourceOf(sought);
  return [...gathered.values()].filter(({ event }) => event.kind === sought.kind && sourceOf(event) === source).length;
}

/** One for all of a kind, whatever their details and filters, and whatever addresses a person has. */
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

/** The first time has its rows in an entry of its own. */
function addRows({ event: known, more }: Gathered, event: AuditEvent): AuditEvent {
  return event.rows === undefined ? event : { ...event, rows: more === 0 ? event.rows : add(known.rows, event.rows) };
}

function toRepeated({ at, event, more }: Gathered): TimedEvent {
  return { at, event: { ...event, detail: `${event.detail} (${String(more)} more within a minute)` } };
}

function add(one: number | null = null, other: number | null = null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}
