import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Change, fold } from '#server/journal/segment/change.ts';
import type { Finds } from '#server/journal/gone-orders.ts';
import { type Journal, openJournal, type JournalDeps } from '#server/journal/journal.ts';
import { createJournalStore, toOrderKey } from '#server/journal/journal-store.ts';
import { packStretch } from '#server/journal/pack-stretch.ts';
import { createJournalReader, type JournalReader, type ShownChange } from '#server/journal/read-journal.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { NewLocation } from './store-location.ts';
import type { TestStore } from './test-store.ts';
import { ALONE } from './alone.ts';

const SECOND = 1_000;
const CADENCE = 30 * SECOND;

type Orders = Readonly<Record<string, number>>;

function toRow(id: string, price: number): string {
  return `{"symbol":"BUSZ26","id":"${id}","account_id":"NORD-105","price":${String(price)}}`;
}

function toReading(at: number, orders: Orders, isComplete = true) {
  return {
    parts: [
      {
        text: Object.entries(orders)
          .map(([id, price]) => toRow(id, price))
          .join(','),
        at,
      },
    ],
    isComplete,
  };
}

async function open(database: TestStore, deps: Partial<JournalDeps> = {}) {
  const store = createJournalStore(database, 'exchange key');
  const journal = await openJournal({
    store,
    lease: ALONE,
    pack: packStretch,
    now: () => Infinity,
    elapsed: () => 0,
    maxBytes: Infinity,
    onSetBack: rethrow,
    report: rethrow,
    ...deps,
  });
  return {
    journal,
    ...createJournalReader(journal, store),
    read: (at: number, orders: Orders, isComplete = true) => journal.record(toReading(at, orders, isComplete), CADENCE),
  };
}

/**
 * Makes one write, the n-th from then on, report a failure although it succeeded, as when the connection breaks during
 * COMMIT.
 */
function loseAnswers(database: TestStore) {
  let left = 0;
  const mustWrite: TestStore['mustWrite'] = async (work) => {
    const written = await database.mustWrite(work);
    left -= 1;
    if (left === 0) throw new VenueFailure({ type: 'desk-cannot-write', detail: 'The connection broke.' });
    return written;
  };
  return {
    database: { ...database, mustWrite },
    lose: (nth: number) => {
      left = nth;
    },
  };
}

function rethrow(error: unknown): never {
  throw error;
}

/** What the order history shows as closed: for each order, when it was accepted. */
function toFinds(at: number, accepted: Orders): Finds {
  const closed = Object.entries(accepted).map(
    ([id, acceptedAt]) => [id, { row: toRow(id, acceptedAt), acceptedAt }] as const,
  );
  return { at, readTo: at, closed: new Map(closed) };
}

function readReadings(journal: Pick<Journal, 'stretches'>) {
  return journal.stretches().flatMap(({ readings }) => readings);
}

const everything = { from: 0, to: Infinity, isNewestFirst: false, after: null, limit: 1_000, matches: () => true };

export function journalSuite(newPlace: NewLocation): void {
  describe('the journal of orders', () => {
    it('shows the book as it was at any instant, and the life of each order', async () => {
      const { read, bookAt, lifeOf } = await open(await (await newPlace()).open());
      expect(await bookAt(5)).toBeNull();
      await read(10, { 7: 100 });
      await read(20, { 7: 101, 8: 1 });
      await read(30, { 8: 1 });
      expect([...((await bookAt(9))?.orders ?? ['none'])]).toEqual(['none']);
      expect([...((await bookAt(19))?.orders ?? [])]).toEqual([['7', toRow('7', 100)]]);
      expect([...((await bookAt(20))?.orders ?? [])]).toEqual([
        ['7', toRow('7', 101)],
        ['8', toRow('8', 1)],
      ]);
      expect(await bookAt(25)).toMatchObject({ reading: { to: 20, isComplete: true }, next: { from: 30 } });
      expect(await bookAt(99)).toMatchObject({
        orders: new Map([['8', toRow('8', 1)]]),
        reading: { to: 30 },
        next: null,
      });
      expect((await lifeOf('7')).changes.map(({ kind, from, to }) => [kind, from, to])).toEqual([
        ['seen', null, 10],
        ['changed', 10, 20],
        ['gone', 20, 30],
      ]);
      expect(await lifeOf('9')).toEqual({ before: null, changes: [] });
    });

    it('has a gap where nothing was read for more than twice as long as expected, restarts included', async () => {
      const place = await newPlace();
      const first = await place.open();
      const before = await open(first);
      await before.read(10 * SECOND, { 7: 100 });
      await before.read(70 * SECOND, { 7: 100 });
      await before.read(131 * SECOND, { 7: 100 });
      await first.close();
      const after = await open(await place.open());
      await after.read(300 * SECOND, { 7: 101 });
      await after.read(310 * SECOND, { 7: 101 });
      const gaps = after.journal.stretches().flatMap(({ readings }) => readings.map(({ isAfterGap }) => isAfterGap));
      expect(gaps).toEqual([true, false, true, true, false]);
      expect((await after.lifeOf('7')).changes.at(-1)).toMatchObject({
        kind: 'changed',
        from: 131 * SECOND,
        to: 300 * SECOND,
      });
      expect(await after.gaps(0, Infinity)).toEqual([
        { from: 70 * SECOND, to: 131 * SECOND, cause: null },
        { from: 131 * SECOND, to: 300 * SECOND, cause: null },
      ]);
      expect(await after.gaps(200 * SECOND, Infinity)).toHaveLength(1);
      expect(await after.bookAt(250 * SECOND)).toMatchObject({ next: { isAfterGap: true } });
    });

    it('has a gap from the first failed reading on, and its cause, also after a restart', async () => {
      const place = await newPlace();
      const first = await place.open();
      const { read, journal } = await open(first);
      await read(10 * SECOND, { 7: 100 });
      journal.noteFailure('exchange');
      journal.noteFailure('budget');
      await read(12 * SECOND, { 7: 100 });
      await read(14 * SECOND, { 7: 100 });
      await first.close();
      const { gaps, coverage } = await open(await place.open());
      expect(await gaps(0, Infinity)).toEqual([{ from: 10 * SECOND, to: 12 * SECOND, cause: 'exchange' }]);
      expect(await coverage(0, 20 * SECOND)).toMatchObject({ longestMs: 2 * SECOND });
    });

    it('has orders that came and went between two readings once, through sealing and restarts', async () => {
      const place = await newPlace();
      const first = await place.open();
      let clock = 0;
      const before = await open(first, { elapsed: () => clock });
      await before.read(10, { 7: 100 });
      before.journal.find(toFinds(15, { 7: 12, 8: 12, 9: 13 }));
      await before.read(20, { 7: 100, 9: 1 });
      clock += 90_000 * SECOND;
      await before.read(30, { 7: 100 });
      await before.journal.close();
      expect(before.journal.segments()).toHaveLength(1);
      await first.close();
      const { read, journal, lifeOf, changes, bookAt } = await open(await place.open());
      expect(await Promise.all(['7', '8', '9', '10'].map(journal.hasOrder))).toEqual([true, true, true, false]);
      journal.find(toFinds(35, { 8: 12, 9: 13, 10: 31 }));
      await read(40, { 7: 100 });
      const passed = (await readAll(changes, everything)).filter(({ kind }) => kind === 'passed');
      expect(passed.map(({ id, from, to }) => [id, from, to])).toEqual([
        ['8', 10, 20],
        ['10', 30, 40],
      ]);
      expect((await lifeOf('9')).changes.map(({ kind }) => kind)).toEqual(['seen', 'gone']);
      expect([...((await bookAt(25))?.orders.keys() ?? [])]).toEqual(['7', '9']);
      expect(journal.state().lastReading?.historyTo).toBe(35);
      expect(readReadings(journal).map(({ historyTo }) => historyTo)).toEqual([35]);
    });

    it('records what the history shows with a reading made after it: what that lists has not gone', async () => {
      const { read, journal, lifeOf } = await open(await (await newPlace()).open());
      await read(10, { 7: 100 });
      journal.find(toFinds(25, { 8: 18, 9: 18 }));
      await read(20, { 7: 100, 8: 1 });
      expect(await lifeOf('9')).toEqual({ before: null, changes: [] });
      await read(30, { 7: 100 });
      expect((await lifeOf('9')).changes.map(({ kind }) => kind)).toEqual(['passed']);
      expect((await lifeOf('8')).changes.map(({ kind }) => kind)).toEqual(['seen', 'gone']);
      await read(40, { 7: 100, 9: 1 });
      expect((await lifeOf('9')).changes.map(({ kind }) => kind)).toEqual(['passed', 'returned']);
    });

    it('takes what the cache still has for no reading', async () => {
      const { read, journal } = await open(await (await newPlace()).open());
      await read(10, { 7: 100 });
      await read(10, { 7: 100 });
      expect(journal.stretches().flatMap(({ readings }) => readings)).toHaveLength(1);
    });

    it('goes on after a clock that ran ahead was set back, with no time before an earlier one', async () => {
      const place = await newPlace();
      const first = await place.open();
      await (await open(first)).read(1_000, { 7: 100 });
      await first.close();
      const setBack: number[] = [];
      let now = 0;
      const { read, lifeOf, journal } = await open(await place.open(), {
        now: () => now,
        onSetBack: (at) => setBack.push(at),
      });
      const readAt = async (at: number, orders: Orders): Promise<void> => {
        now = at;
        await read(at, orders);
      };
      await readAt(10, { 7: 101 });
      await read(10, { 7: 101 });
      await readAt(20, { 7: 102 });
      expect(setBack).toEqual([1_000]);
      await readAt(1_500, { 7: 103 });
      expect((await lifeOf('7')).changes.map(({ kind, from, to }) => [kind, from, to])).toEqual([
        ['seen', null, 1_000],
        ['changed', 1_000, 1_001],
        ['changed', 1_001, 1_002],
        ['changed', 1_002, 1_500],
      ]);
      expect(journal.stretches().flatMap(({ readings }) => readings)).toHaveLength(4);
      await readAt(30, { 7: 104 });
      expect(setBack).toEqual([1_000, 1_500]);
    });

    it('loses nothing on a full disk but when it happened', async () => {
      const database = await (await newPlace()).open();
      const { read, lifeOf, journal } = await open(database);
      await read(10, { 7: 100 });
      await database.stopWrites();
      await read(20, { 7: 101 });
      expect(journal.state().lastReading?.to).toBe(10);
      await database.allowWrites();
      await read(30, { 7: 102 });
      expect((await lifeOf('7')).changes.at(-1)).toEqual({
        kind: 'changed',
        id: '7',
        from: 10,
        to: 30,
        before: toRow('7', 100),
        row: toRow('7', 102),
      });
    });

    it('goes on after a reading that was stored although the answer was lost, with each change once', async () => {
      const place = await newPlace();
      const database = await place.open();
      const answers = loseAnswers(database);
      const { read } = await open(answers.database);
      await read(10, { 7: 100 });
      answers.lose(1);
      await read(20, { 7: 101 });
      await read(30, { 7: 101, 8: 1 });
      await read(40, { 8: 1 });
      await database.close();
      const { lifeOf, journal } = await open(await place.open());
      expect((await lifeOf('7')).changes.map(({ kind, to }) => [kind, to])).toEqual([
        ['seen', 10],
        ['changed', 30],
        ['gone', 40],
      ]);
      expect((await lifeOf('8')).changes.map(({ kind, to }) => [kind, to])).toEqual([['seen', 30]]);
      expect(journal.stretches().flatMap(({ readings }) => readings.map(({ to }) => to))).toEqual([10, 30, 40]);
    });

    it('goes on after a segment that was stored although the answer was lost', async () => {
      const place = await newPlace();
      const database = await place.open();
      const answers = loseAnswers(database);
      let clock = 0;
      const { read, journal, lifeOf } = await open(answers.database, { elapsed: () => clock });
      await read(10, { 7: 100 });
      clock += 700 * SECOND;
      answers.lose(2);
      await read(20, { 7: 20 });
      await journal.close();
      expect((await lifeOf('7')).changes.map(({ to }) => to)).toEqual([10, 20]);
      await read(30, { 7: 30 });
      await journal.close();
      clock += 700 * SECOND;
      await read(40, { 7: 40 });
      await journal.close();
      const expected = [
        ['seen', 10],
        ['changed', 20],
        ['changed', 30],
        ['changed', 40],
      ];
      expect(journal.segments().map(({ number, from, to, changes }) => [number, from, to, changes])).toEqual([
        [1, 10, 20, 2],
        [2, 20, 40, 2],
      ]);
      expect((await lifeOf('7')).changes.map(({ kind, to }) => [kind, to])).toEqual(expected);
      await database.close();
      const restarted = await open(await place.open());
      expect(restarted.journal.segments()).toEqual(journal.segments());
      expect((await restarted.lifeOf('7')).changes.map(({ kind, to }) => [kind, to])).toEqual(expected);
    });

    it('pages through changes both ways, with a filter, over sealed and open stretches', async () => {
      const store = await (await newPlace()).open();
      let clock = 0;
      const { read, changes, journal } = await open(store, { elapsed: () => clock });
      for (let step = 1; step <= 40; step++) {
        await read(step * 10, { 7: step, 8: step % 3 });
        if (step % 3 === 0) clock += 700 * SECOND;
        await journal.close();
      }
      expect(journal.segments().length).toBeGreaterThan(8);
      const all = (await readAll(changes, { ...everything, limit: 7 })).map(toKey);
      expect(all).toHaveLength(new Set(all).size);
      expect(all.filter((key) => key.endsWith(' 7'))).toHaveLength(40);
      expect((await readAll(changes, { ...everything, limit: 5, isNewestFirst: true })).map(toKey)).toEqual(
        all.toReversed(),
      );
      const rare = await readAll(changes, { ...everything, limit: 1, matches: ({ id, to }) => id === '8' && to > 395 });
      expect(rare).toHaveLength(1);
      expect((await readAll(changes, { ...everything, from: 100, to: 121 })).map(({ to }) => to)).toEqual(
        all.map((key) => Number(key.split(' ')[0])).filter((to) => to >= 100 && to <= 120),
      );
    });

    it('drops its oldest segments, with their orders, when it is larger than it may be', async () => {
      const database = await (await newPlace()).open();
      let clock = 0;
      const { read, journal, bookAt, lifeOf } = await open(database, { elapsed: () => clock, maxBytes: 600 });
      for (let step = 1; step <= 12; step++) {
        clock += 700 * SECOND;
        await read(step * 10, { [String(step)]: step });
        await journal.close();
      }
      expect(journal.segments().length).toBeGreaterThan(0);
      expect(journal.segments()[0]?.number).toBeGreaterThan(1);
      expect(journal.state().bytes).toBeLessThanOrEqual(600);
      expect(await bookAt(15)).toBeNull();
      expect(await lifeOf('1')).toEqual({ before: null, changes: [] });
      expect(
        await database.query(
          `SELECT segment FROM journal_order WHERE segment < ${String(journal.segments()[0]?.number)}`,
        ),
      ).toEqual([]);
    });

    it('folds forward to every book that was read, through incomplete readings, sealing, restarts and gaps', async () => {
      const database = await (await newPlace()).open();
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
          await database.driver.write(
            ['reading', 'segment', 'block', 'order'].map((name) => ({
              name: `empty ${name}`,
              sql: `DELETE FROM journal_${name}`,
              values: [],
            })),
          );
          await holdAgainst(database, steps);
        }),
        { numRuns: 25 },
      );
    });
  });
}

const step = fc.record({
  orders: fc.dictionary(fc.constantFrom('1', '2', '98765432109876543210'), fc.integer({ min: 0, max: 3 })),
  isComplete: fc.boolean(),
  seals: fc.boolean(),
  restarts: fc.boolean(),
  pause: fc.constantFrom(1, 200 * SECOND),
});

async function holdAgainst(
  database: TestStore,
  steps: readonly {
    readonly orders: Orders;
    readonly isComplete: boolean;
    readonly seals: boolean;
    readonly restarts: boolean;
    readonly pause: number;
  }[],
): Promise<void> {
  let [clock, at] = [0, 0];
  let expected: Orders = {};
  const books: { readonly at: number; readonly orders: Orders }[] = [];
  let desk = await open(database, { elapsed: () => clock });
  for (const { orders, isComplete, seals, restarts, pause } of steps) {
    if (restarts) desk = await open(database, { elapsed: () => clock });
    if (seals) clock += 90_000 * SECOND;
    at += pause;
    await desk.read(at, orders, isComplete);
    await desk.journal.close();
    expected = isComplete ? orders : { ...expected, ...orders };
    books.push({ at, orders: expected });
  }
  for (const book of books) {
    const found = await desk.bookAt(book.at);
    expect(toObject(found?.orders)).toEqual(
      toObject(new Map(Object.entries(book.orders).map(([id, price]) => [id, toRow(id, price)]))),
    );
  }
  const all = await readAll(desk.changes, { ...everything, limit: 3 });
  expect(toObject(fold(new Map(), all))).toEqual(toObject((await desk.bookAt(at))?.orders));
  for (const id of ['1', '2', '98765432109876543210'])
    expect((await desk.lifeOf(id)).changes).toEqual(all.filter((change) => change.id === id));
}

function toObject(orders: ReadonlyMap<string, string> | undefined): object {
  return Object.fromEntries(orders ?? []);
}

/** Reads all pages. */
export async function readAll(
  read: JournalReader['changes'],
  request: Parameters<JournalReader['changes']>[0],
): Promise<readonly ShownChange[]> {
  const found: ShownChange[] = [];
  for (let { after } = request; ;) {
    const page = await read({ ...request, after });
    expect(page.changes.length).toBeLessThanOrEqual(request.limit);
    found.push(...page.changes);
    if (page.next === null) return found;
    after = page.next;
  }
}

function toKey({ to, kind, id }: Change): string {
  return `${String(to)} ${kind} ${id}`;
}

describe('the key of an order in the index', () => {
  it('is a 64-bit integer, whatever the id', () => {
    expect([toOrderKey('7'), toOrderKey('18446744073709551615'), toOrderKey('odd')]).toEqual([7n, -1n, 0n]);
  });
});
