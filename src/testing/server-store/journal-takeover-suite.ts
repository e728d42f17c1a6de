import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openJournal } from '#server/journal/journal.ts';
import { createJournalStore } from '#server/journal/journal-store.ts';
import { packStretch } from '#server/journal/pack-stretch.ts';
import { createJournalReader, type ShownChange } from '#server/journal/read-journal.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { createLeaderStore } from '#server/store/leader-store.ts';
import type { Store } from '#server/store/store.ts';
import { leaderEpochs } from '#server/store/tables.ts';
import { ALONE } from './alone.ts';
import type { NewLocation } from './store-location.ts';
import type { TestStore } from './test-store.ts';

const SECOND = 1_000;
const CADENCE = 30 * SECOND;

type Orders = Readonly<Record<string, number>>;
type Outcome = 'written' | 'failed' | 'reply lost';

interface Step {
  readonly orders: Orders;
  readonly isComplete: boolean;
  readonly pause: number;
  readonly outcome: Outcome;
  /** Before it, another desk becomes the leader; the old one may go on for a while as if it still were. */
  readonly takeover: 'none' | 'known' | 'unknown';
}

const step: fc.Arbitrary<Step> = fc.record({
  orders: fc.dictionary(fc.constantFrom('1', '2', '98765432109876543210'), fc.integer({ min: 0, max: 3 })),
  isComplete: fc.boolean(),
  pause: fc.constantFrom(10 * SECOND, 200 * SECOND, 700 * SECOND),
  outcome: fc.constantFrom<Outcome>('written', 'written', 'written', 'failed', 'reply lost'),
  takeover: fc.constantFrom('none', 'none', 'none', 'known', 'unknown'),
});

function toReading(at: number, { orders, isComplete }: Pick<Step, 'orders' | 'isComplete'>) {
  const text = Object.entries(orders)
    .map(([id, price]) => `{"symbol":"BUSZ26","id":"${id}","price":${String(price)}}`)
    .join(',');
  return { parts: [{ text, at }], isComplete };
}

async function openDesk(store: Store, scope: string, lease: typeof ALONE, elapsed: () => number) {
  const stored = createJournalStore(store, scope);
  const journal = await openJournal({
    ...{ store: stored, lease, pack: packStretch, elapsed, now: () => Infinity, maxBytes: Infinity },
    onSetBack: rethrow,
    report: rethrow,
  });
  return { journal, reader: createJournalReader(journal, stored) };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;

function rethrow(error: unknown): never {
  throw error;
}

/** Opens desks on one store, of which `lead` makes one the leader. */
async function openDesks(database: TestStore, elapsed: () => number) {
  const shared: Store = { ...database, isShared: true };
  let epoch = 0;
  let outcome: Outcome = 'written';
  const openOne = async () => {
    const own = { epoch: 0, isHeld: false };
    const lease = { isHeld: () => own.isHeld, epoch: () => own.epoch };
    const fenced = createLeaderStore(shared, lease);
    const mustWrite: Store['mustWrite'] = async (work) => {
      const now = outcome;
      outcome = 'written';
      if (now !== 'failed') {
        const written = await fenced.mustWrite(work);
        if (now === 'written') return written;
      }
      throw new VenueFailure({ type: 'desk-cannot-write', detail: 'The connection broke.' });
    };
    return { own, ...(await openDesk({ ...fenced, mustWrite }, 'exchange key', lease, elapsed)) };
  };
  const desks = [await openOne(), await openOne()] as const;
  return {
    desks,
    lead: async (leader: number) => {
      epoch += 1;
      await database.driver.write([{ table: leaderEpochs, rows: [[1, epoch]] }]);
      Object.assign(desks[leader === 0 ? 0 : 1].own, { epoch, isHeld: true });
    },
    next: (given: Outcome) => {
      outcome = given;
    },
  };
}

/** Returns all changes, oldest first. */
async function readAll({ reader }: Desk): Promise<readonly ShownChange[]> {
  const range = { from: 0, to: Infinity, isNewestFirst: false, limit: 1_000, matches: () => true };
  const found: ShownChange[] = [];
  for (let after: Parameters<Desk['reader']['changes']>[0]['after'] = null; ;) {
    const { changes, next } = await reader.changes({ ...range, after });
    found.push(...changes);
    if (next === null) return found;
    after = next;
  }
}

async function describeAll(desk: Desk) {
  return {
    changes: await readAll(desk),
    readings: (await desk.reader.readings(0, Infinity)).map(({ from, to, isComplete, isAfterGap, historyTo }) => ({
      from,
      to,
      isComplete,
      isAfterGap,
      historyTo,
    })),
  };
}

interface Recorded extends Pick<Step, 'orders' | 'isComplete'> {
  readonly at: number;
}

async function holdAgainst(database: TestStore, steps: readonly Step[]): Promise<void> {
  let at = 0;
  const elapsed = (): number => at;
  const { desks, lead, next } = await openDesks(database, elapsed);
  const recorded: Recorded[] = [];
  let leader = 0;
  let isLastReplaced = false;
  await lead(leader);
  for (const one of steps) {
    at += one.pause;
    if (one.takeover !== 'none') {
      const old = desks[leader === 0 ? 0 : 1];
      leader = 1 - leader;
      await lead(leader);
      // Until it finds out, the old leader records too: in vain.
      if (one.takeover === 'unknown') await old.journal.record(toReading(at, one), CADENCE);
      await old.journal.close();
      old.own.isHeld = false;
      isLastReplaced = false;
    }
    const [ours, other] = leader === 0 ? desks : ([desks[1], desks[0]] as const);
    await other.journal.record(toReading(at, one), CADENCE);
    next(one.outcome);
    await ours.journal.record(toReading(at, one), CADENCE);
    next('written');
    await ours.journal.close();
    if (one.outcome !== 'failed') {
      if (isLastReplaced) recorded.pop();
      recorded.push({ ...one, at });
      isLastReplaced = one.outcome === 'reply lost';
    }
    at += 2 * SECOND;
    if (!isLastReplaced) expect(await describeAll(other)).toEqual(await describeAll(ours));
    expect((await other.reader.readings(0, Infinity)).map(({ to }) => to)).toEqual(recorded.map((each) => each.at));
  }
  await compareWithOne(database, recorded, desks[leader === 0 ? 1 : 0]);
}

/** Compares a desk’s journal with that of a desk which is always alone. */
async function compareWithOne(database: TestStore, recorded: readonly Recorded[], desk: Desk): Promise<void> {
  let clock = 0;
  const alone = await openDesk(database, 'alone', ALONE, () => clock);
  for (const reading of recorded) {
    clock = reading.at;
    await alone.journal.record(toReading(clock, reading), CADENCE);
    await alone.journal.close();
  }
  const [expected, found] = [await describeAll(alone), await describeAll(desk)];
  expect(found.readings).toEqual(expected.readings);
  expect(found.changes.map(toKey)).toEqual(expected.changes.map(toKey));
  // A desk that takes over cannot know which orders an incomplete reading showed unchanged.
  for (const [place, { kind, from }] of found.changes.entries())
    if (kind === expected.changes[place]?.kind)
      expect(from ?? -Infinity).toBeLessThanOrEqual(expected.changes[place].from ?? -Infinity);
}

/** It also takes an order for new that was gone before the last segment, as after a restart. */
function toKey({ kind, id, to, before, row }: ShownChange) {
  return { kind: kind === 'returned' ? 'seen' : kind, id, to, before, row };
}

export function journalTakeoverSuite(newPlace: NewLocation): void {
  describe('the journal of two desks', () => {
    it('is that of one desk, through takeovers, late news of them, failed writes and lost replies', async () => {
      const database = await (await newPlace()).open();
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          await database.driver.write(
            ['reading', 'segment', 'block', 'order', 'summary', 'last_stored'].map((name) => ({
              name: `empty ${name}`,
              sql: `DELETE FROM journal_${name}`,
              values: [],
            })),
          );
          await holdAgainst(database, steps);
        }),
        { numRuns: 60 },
      );
    });

    it('has a gap where nothing was recorded for long by the clock of the database, whatever the desks’ clocks say', async () => {
      const database = await (await newPlace()).open();
      const { desks, lead } = await openDesks(database, () => 0);
      const record = (desk: Desk, at: number) =>
        desk.journal.record(toReading(at, { orders: { 1: at }, isComplete: true }), CADENCE);
      await lead(0);
      await record(desks[0], 10 * SECOND);
      await lead(1);
      desks[0].own.isHeld = false;
      await record(desks[1], 20 * SECOND);
      await database.query('UPDATE journal_last_stored SET stored_at = stored_at - 600000 RETURNING 1');
      await lead(0);
      desks[1].own.isHeld = false;
      await record(desks[0], 30 * SECOND);
      await record(desks[0], 40 * SECOND);
      const readings = await desks[0].reader.readings(0, Infinity);
      expect(readings.map(({ isAfterGap }) => isAfterGap)).toEqual([true, false, true, false]);
    });
  });
}
