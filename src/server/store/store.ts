import type { Dialect, Driver, Step } from '#sql/driver.ts';
import { StoreFailure } from '#sql/store-failure.ts';
import type { Schedule } from '#server/core/ports.ts';
import { isProblemOf, type Problem, VenueFailure } from '#server/core/venue-failure.ts';
import { writeChecks } from './tables.ts';

type Reading = Pick<Driver, 'dialect' | 'read' | 'readTogether'>;

export interface Writing extends Pick<Driver, 'dialect' | 'read'> {
  /** One transaction. A power cut may undo it, but never half of it, nor an earlier one. */
  readonly write: (steps: readonly Step[]) => Promise<void>;
  /** One transaction that also survives a power cut. */
  readonly writeThrough: (steps: readonly Step[]) => Promise<void>;
  /** The same for reads and changes that depend on one another. */
  readonly transact: Driver['transact'];
}

/** The server’s store, in SQLite or PostgreSQL. At any moment, it may be full, unreachable or no longer writable. */
export interface Store {
  readonly dialect: Dialect;
  /** Whether other desks may have it open too. A file is locked while one has it open. */
  readonly isShared: boolean;
  /** For data that a response needs: throws a `VenueFailure` that says what to do. */
  readonly read: <Found>(read: (store: Reading) => Promise<Found>) => Promise<Found>;
  /** For data that can be read elsewhere: a failure is reported, and counts as not found. */
  readonly tryToRead: <Found>(read: (store: Reading) => Promise<Found>) => Promise<Found | undefined>;
  /** For writes that must not be lost: throws a `VenueFailure` that says what to do. Writes run one after another. */
  readonly mustWrite: <Written>(write: (store: Writing) => Promise<Written>) => Promise<Written>;
  /** For writes that may be lost: a failure is reported, and nothing else stops. */
  readonly tryToWrite: (write: (store: Writing) => Promise<unknown>) => Promise<void>;
  readonly state: () => StoreState;
  readonly copyTo: Driver['copyTo'];
  /** Stops waiting for the database: what waits for it fails within a second, and so does what comes later. */
  readonly giveUp: () => void;
  /** Resolves once all writes are done. Later ones are lost. */
  readonly close: () => Promise<void>;
}

export interface StoreState {
  readonly kind: 'SQLite' | 'PostgreSQL';
  /** The path of its file, or its address without the password. */
  readonly place: string;
  readonly failedWrites: number;
  readonly lastFailure: { readonly at: number; readonly problem: Problem } | null;
}

/** An open database, and how its failures are described. */
export interface OpenDatabase extends Pick<StoreState, 'kind' | 'place'>, Pick<Store, 'isShared'> {
  readonly driver: Driver;
  /** The name of its failures in the log; `reasonOf` says why one happened. */
  readonly event: string;
  readonly reasonOf: (failure: StoreFailure) => string;
  /** Sentences that say what to do, for the log and administrators. */
  readonly cannotRead: (failure: StoreFailure) => string;
  readonly cannotWrite: (failure: StoreFailure) => string;
  /** The sentence for everyone else, if the others may name hosts and users of the database. */
  readonly plain: string | null;
}

export interface StoreDeps {
  readonly now: () => number;
  /** Monotonic. */
  readonly elapsed: () => number;
  /** Receives the first failure, then one from time to time while failures continue. */
  readonly report: (event: string, reason: string) => void;
}

/** A full disk fails with every request, and one report is as good as a thousand. */
const REPORTED_EVERY_MS = 600_000;

export function createStore(
  { driver, isShared, ...database }: OpenDatabase,
  { now, elapsed, report }: StoreDeps,
): Store {
  const { dialect } = driver;
  const inOrder = createWriteQueue(elapsed);
  const writing: Writing = {
    dialect,
    read: driver.read,
    write: (steps) => driver.write(steps, { lazy: true }),
    writeThrough: (steps) => driver.write(steps),
    transact: driver.transact,
  };
  let isClosed = false;
  let hasEnded = false;
  let failedWrites = 0;
  let lastFailure: StoreState['lastFailure'] = null;
  let quietUntil = -Infinity;

  /** Any other error is a bug, which a full disk must not hide. */
  const toProblem = (error: unknown, type: 'desk-cannot-read' | 'desk-cannot-write'): VenueFailure => {
    if (!(error instanceof StoreFailure)) throw error;
    if (hasEnded) return closedFailure(type, error);
    const problem = {
      type,
      detail: type === 'desk-cannot-read' ? database.cannotRead(error) : database.cannotWrite(error),
    };
    lastFailure = { at: now(), problem };
    if (elapsed() >= quietUntil) {
      quietUntil = elapsed() + REPORTED_EVERY_MS;
      report(database.event, database.reasonOf(error));
    }
    // A failure without a cause was found by Perpdesk itself, and names nothing.
    const plain = error.cause === undefined ? null : database.plain;
    return new VenueFailure(plain === null ? problem : { type, detail: plain }, error);
  };

  const read: Store['read'] = async (work) => {
    try {
      return await work(driver);
    } catch (error) {
      throw toProblem(error, 'desk-cannot-read');
    }
  };
  const mustWrite: Store['mustWrite'] = async (work) => {
    if (isClosed) throw closedFailure('desk-cannot-write');
    try {
      return await inOrder(() => work(writing));
    } catch (error) {
      const failure = toProblem(error, 'desk-cannot-write');
      failedWrites += 1;
      throw failure;
    }
  };

  return {
    dialect,
    isShared,
    read,
    tryToRead: (work) => read(work).catch(unlessProblem('desk-cannot-read')),
    mustWrite,
    tryToWrite: async (work) => {
      await mustWrite(work).catch(unlessProblem('desk-cannot-write'));
    },
    state: () => ({ kind: database.kind, place: database.place, failedWrites, lastFailure }),
    copyTo: driver.copyTo,
    giveUp: () => {
      report(database.event, 'It does not respond, so Perpdesk stops without it.');
      isClosed = true;
      hasEnded = true;
      void driver.close();
    },
    close: async () => {
      isClosed = true;
      // If the database has stalled, this fails together with the writes it waits for.
      await inOrder(() => Promise.resolve()).catch(() => undefined);
      hasEnded = true;
      await driver.close();
    },
  };
}

/** The end of the store is no failure of its disk. */
function closedFailure(type: 'desk-cannot-read' | 'desk-cannot-write', error?: unknown): VenueFailure {
  const what = type === 'desk-cannot-read' ? 'reads' : 'stores';
  return new VenueFailure({ type, detail: `Perpdesk is shutting down and ${what} nothing more.` }, error);
}

function unlessProblem(type: Problem['type']): (error: unknown) => undefined {
  return (error) => {
    if (!isProblemOf(error, type)) throw error;
  };
}

/** A probe every few seconds must not wear out the disk. */
const WRITTEN_FOR_MS = 10_000;

/**
 * Checks by writing whether the store can be written; returns a sentence if not. A success counts for a while, unless a
 * write fails.
 */
export function createWriteCheck(
  { mustWrite, state }: Pick<Store, 'mustWrite' | 'state'>,
  elapsed: () => number,
): () => Promise<string | null> {
  let writtenUntil = -Infinity;
  let failuresThen = 0;
  let checking: Promise<string | null> | null = null;
  // It must change a row: inserting one that exists would write nothing.
  const sql = `INSERT INTO ${writeChecks.name} (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = excluded.id`;
  const check = async (): Promise<string | null> => {
    try {
      await mustWrite(({ write }) => write([{ name: 'check writing', sql, values: [] }]));
      [writtenUntil, failuresThen] = [elapsed() + WRITTEN_FOR_MS, state().failedWrites];
      return null;
    } catch (error) {
      if (isProblemOf(error, 'desk-cannot-write')) return error.problem.detail;
      throw error;
    } finally {
      checking = null;
    }
  };
  return async () => {
    if (elapsed() < writtenUntil && state().failedWrites === failuresThen) return null;
    return (checking ??= check());
  };
}

/** A database that takes longer to respond is away. */
const AWAY_MS = 3_000;

/** Stopping does not wait for a database that is away, or one part after another would wait for it. */
export function giveUpIfAway({ tryToRead, giveUp }: Pick<Store, 'tryToRead' | 'giveUp'>, schedule: Schedule): void {
  const cancel = schedule(AWAY_MS, giveUp);
  void tryToRead(({ read }) => read({ name: 'check responding', sql: 'SELECT 1', values: [] })).then(cancel);
}

/** Runs tasks one at a time. A failure does not stop the next ones, unless the database has stalled. */
type WriteQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A database that takes this long to fail does not respond, so tasks that were already waiting would wait in vain. */
const STALLED_MS = 3_000;

interface Stall {
  readonly failure: unknown;
  /** Tasks that entered the queue in this round or before fail too. */
  readonly round: number;
}

/**
 * Creates a queue; `elapsed` is monotonic.
 *
 * @internal Exported for its test.
 */
export function createWriteQueue(elapsed: () => number): WriteQueue {
  let last: Promise<unknown> = Promise.resolve();
  let round = 0;
  let stall: Stall | null = null;
  const run = async <Result>(work: () => Promise<Result>, enteredIn: number): Promise<Result> => {
    if (stall !== null && enteredIn <= stall.round) throw stall.failure;
    const begunAt = elapsed();
    try {
      return await work();
    } catch (failure) {
      if (elapsed() - begunAt >= STALLED_MS) stall = { failure, round: round++ };
      throw failure;
    }
  };
  return (work) => {
    const enteredIn = round;
    const result = last.then(() => run(work, enteredIn));
    last = result.catch(() => undefined);
    return result;
  };
}
