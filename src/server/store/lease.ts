import type { Read } from '#sql/driver.ts';
import type { ServerPorts } from '#server/core/ports.ts';
import type { Store } from './store.ts';
import { leaderEpochs } from './tables.ts';

/**
 * Work that exactly one of the servers that share a store does. The holder changes a row from time to time. A server
 * that sees it unchanged for long enough, by its own clock, takes the lease: clocks of different machines are never
 * compared.
 */
export interface Lease {
  /** Whether this server is certain to be the only holder. */
  readonly isHeld: () => boolean;
  /** The number of the last takeover by this server, which grows with each of any server; 0 before the first. */
  readonly epoch: () => number;
  /** Calls back when the lease is acquired or lost. */
  readonly onChange: (listener: (isHeld: boolean) => void) => void;
  /** Resolves after the first attempt to acquire it. */
  readonly start: () => Promise<void>;
  /** Releases the lease, so that another server need not wait for it to expire. */
  readonly close: () => Promise<void>;
}

interface LeaseDeps extends Pick<ServerPorts, 'now' | 'elapsed' | 'schedule'> {
  readonly store: Store;
  readonly name: string;
  /** Unique among all servers and all of their starts. */
  readonly holder: string;
}

/**
 * How long the lease is held after the start of the last renewal.
 *
 * @internal Exported for tests.
 */
export const LEASE_MS = 15_000;
/**
 * Short enough that two renewals may fail.
 *
 * @internal Exported for tests.
 */
export const RENEW_MS = 4_000;

/** The lease as a row of the store shows it. */
interface Hold {
  readonly holder: string;
  readonly beat: number;
}

interface Sighting extends Hold {
  /** When this server first saw it unchanged. */
  readonly since: number;
}

const NOBODY = '';

export function createLease(deps: LeaseDeps): Lease {
  const { store, elapsed, schedule } = deps;
  const listeners: ((isHeld: boolean) => void)[] = [];
  const term = createLeasePeriod(deps);
  let wasHeld = false;
  let isOpen = true;
  let cancel = (): void => undefined;
  let running: Promise<void> = Promise.resolve();
  let seen: Sighting | null = null;
  let epoch = 0;

  const report = (): void => {
    if (term.isRunning() === wasHeld) return;
    wasHeld = !wasHeld;
    for (const listener of listeners) listener(wasHeld);
  };
  /** Whether this server is now the holder, as far as the store can be written. */
  const renewOrTake = async (): Promise<boolean> => {
    if (term.isRunning() && (await renew(deps))) return true;
    const hold = await readHold(deps);
    if (hold?.holder !== seen?.holder || hold?.beat !== seen?.beat) seen = hold && { ...hold, since: elapsed() };
    if (seen === null) return false;
    const isFree = seen.holder === NOBODY || elapsed() - seen.since >= LEASE_MS;
    return isFree && (await takeOver(seen));
  };
  const takeOver = async (from: Hold): Promise<boolean> => {
    const begun = await take(deps, from);
    epoch = begun ?? epoch;
    return begun !== null;
  };
  const turn = async (): Promise<void> => {
    report();
    const begun = term.moment();
    // A store that cannot be written has already been reported; the lease then expires.
    if (await renewOrTake().catch(() => false)) term.extend(begun);
    report();
    if (isOpen) cancel = schedule(RENEW_MS, run);
  };
  const run = (): void => {
    running = turn();
  };
  return {
    // A file is locked while this server has it open.
    isHeld: () => (store.isShared ? term.isRunning() : isOpen),
    epoch: () => epoch,
    onChange: (listener) => void listeners.push(listener),
    start: () => {
      if (!store.isShared) {
        term.extend({ elapsed: Infinity, now: Infinity });
        report();
        return Promise.resolve();
      }
      run();
      return running;
    },
    close: async () => {
      isOpen = false;
      cancel();
      await running;
      cancel();
      const wasHolder = term.isRunning();
      term.end();
      report();
      if (wasHolder && store.isShared) await release(deps);
    },
  };
}

interface Moment {
  readonly elapsed: number;
  readonly now: number;
}

/** Measures the lease period by both clocks: one may stop while the machine sleeps, the other may be set. */
function createLeasePeriod({ now, elapsed }: Pick<LeaseDeps, 'now' | 'elapsed'>) {
  let from: Moment = { elapsed: -Infinity, now: -Infinity };
  return {
    moment: (): Moment => ({ elapsed: elapsed(), now: now() }),
    extend: (begun: Moment): void => {
      from = begun;
    },
    end: (): void => {
      from = { elapsed: -Infinity, now: -Infinity };
    },
    isRunning: (): boolean => elapsed() < from.elapsed + LEASE_MS && now() < from.now + LEASE_MS,
  };
}

/** Creates the row if there is none. */
async function readHold({ store, name }: LeaseDeps): Promise<Hold | null> {
  const hold = await store.read(({ read }) => read(readRow(name)));
  if (hold.length > 0) return toHold(hold);
  const sql = 'INSERT INTO desk_lease (name, holder, beat) VALUES ($1, $2, 0) ON CONFLICT (name) DO NOTHING';
  return store.mustWrite(async ({ read, write }) => {
    await write([{ name: 'create lease', sql, values: [name, NOBODY] }]);
    return toHold(await read(readRow(name)));
  });
}

/** Returns the epoch that begins, or null if another server was faster. */
function take({ store, name, holder }: LeaseDeps, seen: Hold): Promise<number | null> {
  return store.mustWrite(({ transact }) =>
    transact(function* () {
      const sql =
        'UPDATE desk_lease SET holder = $2, beat = beat + 1 WHERE name = $1 AND holder = $3 AND beat = $4 RETURNING beat';
      const taken = yield { name: 'take lease', sql, values: [name, holder, seen.holder, seen.beat] };
      if (taken.length === 0) return null;
      const [row] = yield { name: 'begin epoch', sql: BEGIN_EPOCH, values: [] };
      return Number(row?.[0]);
    }),
  );
}

const BEGIN_EPOCH = `INSERT INTO ${leaderEpochs.name} (id, epoch) VALUES (1, 1)
  ON CONFLICT (id) DO UPDATE SET epoch = ${leaderEpochs.name}.epoch + 1 RETURNING epoch`;

function renew({ store, name, holder }: LeaseDeps): Promise<boolean> {
  const sql = 'UPDATE desk_lease SET beat = beat + 1 WHERE name = $1 AND holder = $2';
  return store.mustWrite(async ({ read, write }) => {
    await write([{ name: 'renew lease', sql, values: [name, holder] }]);
    return toHold(await read(readRow(name)))?.holder === holder;
  });
}

async function release({ store, name, holder }: LeaseDeps): Promise<void> {
  const sql = 'UPDATE desk_lease SET holder = $3, beat = beat + 1 WHERE name = $1 AND holder = $2';
  await store.tryToWrite(({ write }) => write([{ name: 'release lease', sql, values: [name, holder, NOBODY] }]));
}

const readRow = (name: string): Read => ({
  name: 'read lease',
  sql: 'SELECT holder, beat FROM desk_lease WHERE name = $1',
  values: [name],
});

function toHold([row]: Awaited<ReturnType<Parameters<Parameters<Store['read']>[0]>[0]['read']>>): Hold | null {
  return row === undefined ? null : { holder: String(row[0]), beat: Number(row[1]) };
}
