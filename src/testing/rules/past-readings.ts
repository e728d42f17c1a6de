import fc from 'fast-check';
import { openJournal } from '#server/journal/journal.ts';
import { createJournalStore } from '#server/journal/journal-store.ts';
import { packStretch } from '#server/journal/pack-stretch.ts';
import { createJournalReader } from '#server/journal/read-journal.ts';
import { sampleResponses } from '../sample-responses.ts';
import type { TestStore } from '../server-store/test-store.ts';
import { ALONE } from '#testing/server-store/alone.ts';

/** Generates random pasts of a working set, recorded in a journal and as a plain list for naive evaluations. */

export const MINUTE = 60_000;
/** The expected time between two readings; more than twice as much is a gap. */
const CADENCE = 30 * MINUTE;
/**
 * A time just before a full minute, so that an order reaches an age in whole seconds at a whole millisecond of a
 * minute.
 */
const PLACED_AT = 1_000 * MINUTE - 1;
const FIRST_AT = 1_003 * MINUTE;

export interface PastOrder {
  readonly account: 'A' | 'B';
  readonly price: number;
  readonly requested: number;
  readonly filled: number;
  /** The time of the reading, in minutes after the first one. */
  readonly placed: number;
}
type PastOrders = Readonly<Record<string, PastOrder>>;

export interface PastEvent {
  readonly kind: 'placed' | 'gone' | 'filled' | 'returned';
  readonly at: number;
  readonly id: string;
  readonly account: string;
}

/** A reading, with the orders that were known to work from then on. */
export interface NaiveReading {
  readonly at: number;
  readonly isComplete: boolean;
  /** Whether nothing was read for so long before it that it is unknown what happened. */
  readonly isAfterGap: boolean;
  /** When its first part was read. */
  readonly begunAt: number;
  readonly orders: PastOrders;
  readonly events: readonly PastEvent[];
}

const order = fc.record({
  account: fc.constantFrom('A' as const, 'B' as const),
  price: fc.integer({ min: 1, max: 2 }),
  requested: fc.integer({ min: 2, max: 3 }),
  filled: fc.integer({ min: 0, max: 2 }),
  placed: fc.integer({ min: 0, max: 200 }),
});

const step = fc.record({
  // Most readings show the same orders as the one before.
  orders: fc.option(fc.dictionary(fc.constantFrom('1', '2', '3', '98765432109876543210'), order), { freq: 2 }),
  isComplete: fc.boolean().chain((one) => (one ? fc.constant(true) : fc.boolean())),
  /** By how many milliseconds the orders of account A were read before those of B. */
  split: fc.constantFrom(0, 2_000, 45_000),
  seals: fc.boolean(),
  restarts: fc.boolean(),
  // Some of these pauses are gaps. None is short enough for an alert to flap.
  pause: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(16 * MINUTE, 20 * MINUTE + 7_000, 59 * MINUTE) },
    { weight: 1, arbitrary: fc.constantFrom(61 * MINUTE, 200 * MINUTE) },
  ),
});
export type PastStep = typeof step extends fc.Arbitrary<infer One> ? One : never;

export const pastSteps = fc.array(step, { minLength: 1, maxLength: 9 });

function toRow(id: string, { account, price, requested, filled, placed }: PastOrder): string {
  const [sample] = sampleResponses.ordersWorking;
  const time = new Date(PLACED_AT + placed * MINUTE).toISOString();
  const fields = {
    id,
    account_id: account,
    price,
    quantity_requested: requested,
    quantity_filled: filled,
    avg_price: filled === 0 ? null : price,
    status: 'Working',
    time,
  };
  return JSON.stringify({ ...sample, ...fields });
}

/** Returns when an order was placed, in milliseconds. */
export function placedAt({ placed }: PastOrder): number {
  return PLACED_AT + placed * MINUTE;
}

async function openPast(database: TestStore, elapsed: () => number) {
  const store = createJournalStore(database, 'exchange key');
  const report = (error: unknown): never => {
    throw error;
  };
  const journal = await openJournal({
    store,
    lease: ALONE,
    pack: packStretch,
    now: () => Infinity,
    elapsed,
    maxBytes: Infinity,
    onSetBack: report,
    report,
  });
  return { journal, reader: createJournalReader(journal, store) };
}
export type Past = Awaited<ReturnType<typeof openPast>>;

export async function emptyJournal(database: TestStore): Promise<void> {
  await database.driver.write(
    ['reading', 'history', 'segment', 'block', 'order', 'summary'].map((name) => ({
      name: `empty ${name}`,
      sql: `DELETE FROM journal_${name}`,
      values: [],
    })),
  );
}

/** Records the readings and calls `follow` after each one. */
export async function recordPast(
  database: TestStore,
  steps: readonly PastStep[],
  follow: (past: Past, readings: readonly NaiveReading[]) => Promise<void> = () => Promise.resolve(),
): Promise<{ readonly past: Past; readonly readings: readonly NaiveReading[] }> {
  let clock = 0;
  let past = await openPast(database, () => clock);
  const readings: NaiveReading[] = [];
  let at = FIRST_AT - (steps[0]?.pause ?? 0);
  let isComplete = false;
  let listed: PastOrders = {};
  for (const { orders, isComplete: isWhole, split, seals, restarts, pause } of steps) {
    if (restarts) past = await openPast(database, () => clock);
    if (seals) clock += 90_000_000;
    at += pause;
    listed = orders ?? listed;
    const parts = (['A', 'B'] as const).map((account) => ({
      at: account === 'A' ? at - split : at,
      text: Object.entries(listed)
        .filter(([, one]) => one.account === account)
        .map(([id, one]) => toRow(id, one))
        .join(','),
    }));
    const gone = new Set(past.journal.unexplained().keys());
    await past.journal.record({ parts, isComplete: isWhole }, CADENCE);
    await past.journal.close();
    readings.push(toNaive(readings.at(-1), isComplete, { at, isComplete: isWhole, split, listed, gone }));
    isComplete ||= isWhole;
    await follow(past, readings);
  }
  return { past, readings };
}

interface Listing {
  readonly at: number;
  readonly isComplete: boolean;
  readonly split: number;
  readonly listed: PastOrders;
  /** The orders that are gone in the journal. */
  readonly gone: ReadonlySet<string>;
}

/**
 * Converts an order to its naive form. `wasComplete`: until there is a complete reading, it is unknown whether an order
 * that is read for the first time is new.
 */
function toNaive(
  before: NaiveReading | undefined,
  wasComplete: boolean,
  { at, isComplete, split, listed, gone: wasGone }: Listing,
): NaiveReading {
  const known = before?.orders ?? {};
  const events = Object.entries(listed).flatMap(([id, { account, filled }]): readonly PastEvent[] => {
    const event = { id, account, at: account === 'A' ? at - split : at };
    const last = known[id];
    if (last === undefined) return wasComplete ? [{ ...event, kind: wasGone.has(id) ? 'returned' : 'placed' }] : [];
    return filled > last.filled ? [{ ...event, kind: 'filled' }] : [];
  });
  const gone = Object.entries(known).flatMap(([id, { account }]): readonly PastEvent[] =>
    isComplete && listed[id] === undefined ? [{ kind: 'gone', at, id, account }] : [],
  );
  return {
    at,
    isComplete,
    isAfterGap: before !== undefined && at - before.at > 2 * CADENCE,
    begunAt: at - split,
    orders: isComplete ? listed : { ...known, ...listed },
    events: [...events, ...gone],
  };
}
