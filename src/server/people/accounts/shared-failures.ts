import { createHmac } from 'node:crypto';
import type { ServerPorts } from '#server/core/ports.ts';
import type { Change } from '#sql/driver.ts';
import type { Store } from '#server/store/store.ts';
import { signInFailures } from '#server/store/tables.ts';

/** Something whose failures count. */
export interface Counted {
  /** The counter, whose name is hashed together with the key. */
  readonly kind: string;
  readonly key: string;
  readonly most: number;
}

/** Failures of all desks on a database, so that an attacker has no more guesses at several desks than at one. */
export interface SharedFailures {
  /**
   * Counts a failure of each. Returns the milliseconds until another attempt is allowed, of each: if one is above 0,
   * nothing was counted. Null if the database is away.
   */
  readonly add: (counted: readonly Counted[]) => Promise<readonly number[] | null>;
  /** Forgets the last failure, or all of them. */
  readonly forget: (counted: readonly (Counted & { readonly all: boolean })[]) => Promise<void>;
}

interface SharedFailuresDeps extends Pick<ServerPorts, 'elapsed'> {
  readonly store: Pick<Store, 'tryToWrite'>;
  readonly key: string;
  readonly windowMs: number;
}

const DROP_EVERY_MS = 60_000;
/** Beyond this number, the oldest are forgotten, as in memory. */
const MOST_KEYS = 20_000;

const TABLE = signInFailures.name;
/** Creates the row if there is none, so that of two desks that count at once one waits for the other. */
const LOCK = `INSERT INTO ${TABLE} (key, times, last_at) VALUES ($1, '[]', 0)
  ON CONFLICT (key) DO UPDATE SET times = ${TABLE}.times RETURNING times`;

function toDrop(now: string, windowMs: number): Change {
  const surplus = `SELECT last_at FROM ${TABLE} ORDER BY last_at DESC LIMIT 1 OFFSET ${String(MOST_KEYS)}`;
  const sql = `DELETE FROM ${TABLE} WHERE last_at < ${now} - $1 OR last_at < (${surplus})`;
  return { name: 'drop failures', sql, values: [windowMs] };
}

export function createSharedFailures({ store, key, windowMs, elapsed }: SharedFailuresDeps): SharedFailures {
  let droppedAt = -Infinity;
  const toHash = (one: Counted): string =>
    createHmac('sha256', key).update(`sign-in failure\n${one.kind}\n${one.key}`).digest('base64url');

  /** Reads the times of each, and replaces them by what is decided. Null if the database is away. */
  const change = async <One extends Counted>(
    counted: readonly One[],
    decide: (found: readonly { readonly one: One; readonly times: readonly number[] }[], now: number) => Decision,
  ): Promise<readonly number[] | null> => {
    let waits: readonly number[] | null = null;
    // Always in the same order, so that two desks do not wait for each other.
    const inOrder = counted.toSorted((a, b) => (toHash(a) < toHash(b) ? -1 : 1));
    await store.tryToWrite(async ({ write, transact, dialect }) => {
      // Not in the same transaction, which has to lock rows in order.
      if (elapsed() - droppedAt >= DROP_EVERY_MS) {
        droppedAt = elapsed();
        await write([toDrop(dialect.now, windowMs)]);
      }
      const decided = await transact(function* () {
        const [time] = yield { name: 'database time', sql: `SELECT ${dialect.now}`, values: [] };
        const now = Number(time?.[0]);
        const found: { readonly one: One; readonly times: readonly number[] }[] = [];
        for (const one of inOrder) {
          const [row] = yield { name: 'lock failures', sql: LOCK, values: [toHash(one)] };
          const times = JSON.parse(String(row?.[0])) as readonly number[];
          found.push({ one, times: times.filter((at) => now - at < windowMs) });
        }
        const decision = decide(found, now);
        for (const [index, times] of decision.times.entries()) {
          const one = inOrder[index];
          if (one !== undefined)
            yield { table: signInFailures, rows: [[toHash(one), JSON.stringify(times), times.at(-1) ?? 0]] };
        }
        return decision;
      });
      waits = counted.map((one) => decided.waits[inOrder.indexOf(one)] ?? 0);
    });
    return waits;
  };
  return {
    add: (counted) =>
      change(counted, (found, now) => {
        const waits = found.map(({ one, times }) => (times.length < one.most ? 0 : (times[0] ?? now) + windowMs - now));
        const isLocked = waits.some((wait) => wait > 0);
        return { waits, times: isLocked ? [] : found.map(({ times }) => [...times, now]) };
      }),
    forget: async (counted) => {
      await change(counted, (found) => ({
        waits: [],
        times: found.map(({ one, times }) => (one.all ? [] : times.slice(0, -1))),
      }));
    },
  };
}

interface Decision {
  readonly waits: readonly number[];
  /** Empty to leave all as they are. */
  readonly times: readonly (readonly number[])[];
}
