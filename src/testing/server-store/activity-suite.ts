import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change } from '#server/journal/segment/change.ts';
import { openJournal } from '#server/journal/journal.ts';
import { createJournalStore } from '#server/journal/journal-store.ts';
import { packStretch } from '#server/journal/pack-stretch.ts';
import { createJournalReader, type ShownChange } from '#server/journal/read-journal.ts';
import { type Figure, FIGURES, medianLife, MINUTE_MS, toMinute, TRAITS } from '#server/journal/summary/summary.ts';
import { createActivityReader } from '#server/journal/read-activity.ts';
import type { Tally, TallyRequest } from '#server/journal/summary/tally.ts';
import { readAll } from './journal-suite.ts';
import type { NewLocation } from './store-location.ts';
import type { TestStore } from './test-store.ts';
import { ALONE } from './alone.ts';

const EVER: TallyRequest = {
  from: 0,
  to: 100 * MINUTE_MS,
  bucketMs: 5 * MINUTE_MS,
  by: ['account_id', 'product_id'].map((trait) => TRAITS.findIndex((one) => one === trait)),
  tests: [],
  scope: 'all',
};

interface TestOrder {
  readonly requested: number | null;
  readonly filled: number;
  readonly price: number;
}
type Orders = Readonly<Record<string, TestOrder>>;

/** Returns a row whose account and product follow from the id. */
function toRow(id: string, { requested, filled, price }: TestOrder, status: string, closed = 0): string {
  return JSON.stringify({
    id,
    symbol: 'BUSZ26',
    product_id: 5_500 + (id.length % 2),
    account_id: `NORD-${id.slice(0, 1)}`,
    price,
    quantity_requested: requested,
    quantity_filled: filled,
    status,
    time: new Date(1_000).toISOString(),
    last_modified: new Date(1_000 + closed).toISOString(),
  });
}

async function open(database: TestStore, elapsed: () => number) {
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
  const read = (at: number, orders: Orders, isComplete: boolean) => {
    const text = Object.entries(orders)
      .map(([id, order]) => toRow(id, order, 'Working'))
      .join(',');
    return journal.record({ parts: [{ text, at }], isComplete }, MINUTE_MS);
  };
  return { journal, read, activity: createActivityReader(journal, store), ...createJournalReader(journal, store) };
}

const step = fc.record({
  orders: fc.dictionary(
    fc.constantFrom('1', '2', '23', '98765432109876543210'),
    fc.record({
      requested: fc.option(fc.integer({ min: 5, max: 7 }), { freq: 9 }),
      filled: fc.integer({ min: 0, max: 5 }),
      price: fc.integer({ min: 1, max: 2 }),
    }),
  ),
  /** Orders that the order history shows as closed: those that no reading listed came and went. */
  closed: fc.dictionary(
    fc.constantFrom('1', '7', '8'),
    fc.record({
      requested: fc.option(fc.integer({ min: 5, max: 7 }), { freq: 9 }),
      filled: fc.integer({ min: 0, max: 5 }),
      price: fc.constant(1),
    }),
  ),
  isComplete: fc.boolean(),
  seals: fc.boolean(),
  restarts: fc.boolean(),
  explains: fc.boolean(),
  closedAfter: fc.integer({ min: 0, max: 1_000_000 }),
  losesSummaries: fc.boolean(),
  pause: fc.constantFrom(20_000, 250_000),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

export function activitySuite(newPlace: NewLocation): void {
  describe('the activity in the journal', () => {
    it('is what counting all changes one by one gives, through sealing, gaps, restarts and outcomes that come late', async () => {
      const database = await (await newPlace()).open();
      const window = fc
        .tuple(fc.nat(20), fc.nat(20))
        .map(([from, length]) => ({ from: from * MINUTE_MS, to: (from + length) * MINUTE_MS }));
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), window, async (steps, span) => {
          await empty(database, ['reading', 'history', 'segment', 'block', 'order', 'summary']);
          const { changes, activity } = await record(database, steps);
          const all = await readAll(changes, {
            ...EVER,
            isNewestFirst: false,
            after: null,
            limit: 10_000,
            matches: () => true,
          });
          for (const request of [EVER, { ...EVER, ...span }, { ...EVER, tests: [OF_FIRST_ACCOUNT] }]) {
            expect(toPlain(await activity(request))).toEqual(countOneByOne(all, request));
          }
        }),
        { numRuns: 60 },
      );
    });
  });
}

const OF_FIRST_ACCOUNT = {
  place: TRAITS.indexOf('account_id'),
  matches: (account: string): boolean => account === 'NORD-1',
};

function empty(database: TestStore, tables: readonly string[]): Promise<void> {
  return database.driver.write(
    tables.map((name) => ({ name: `empty ${name}`, sql: `DELETE FROM journal_${name}`, values: [] })),
  );
}

async function record(database: TestStore, steps: readonly Step[]) {
  let [clock, at] = [0, 0];
  let desk = await open(database, () => clock);
  for (const { orders, closed, isComplete, seals, restarts, explains, closedAfter, losesSummaries, pause } of steps) {
    if (losesSummaries) await empty(database, ['summary']);
    if (restarts) desk = await open(database, () => clock);
    if (seals) clock += 90_000_000;
    if (explains)
      desk.journal.explain(
        new Map([...desk.journal.unexplained()].map(([id, { row }]) => [id, close(id, row, closedAfter)])),
      );
    const found = Object.entries(closed).map(
      ([id, order]) => [id, { row: toRow(id, order, 'Closed', closedAfter), acceptedAt: at }] as const,
    );
    desk.journal.find({ at: at + 1, readTo: at + 1, closed: new Map(found) });
    at += pause;
    await desk.read(at, orders, isComplete);
    await desk.journal.close();
  }
  return open(database, () => clock);
}

function close(id: string, row: string, after: number): string {
  const {
    quantity_requested: requested,
    quantity_filled: filled,
    price,
  } = JSON.parse(row) as Record<string, number | null>;
  return toRow(
    id,
    {
      requested: requested ?? null,
      filled: Math.min((filled ?? 0) + (after % 4), requested ?? Infinity),
      price: price ?? 0,
    },
    'Closed',
    after,
  );
}

type Plain = ReturnType<typeof toPlain>;

function toPlain({ buckets, groups }: Tally) {
  return {
    buckets: Object.fromEntries(buckets),
    groups: Object.fromEntries(
      groups.map(({ traits, figures }) => [
        traits.join(' '),
        Object.fromEntries(FIGURES.map((name, at) => [name, figures[at] ?? NaN])),
      ]),
    ),
    lives: Object.fromEntries(groups.map(({ traits, lives }) => [traits.join(' '), medianLife(lives) as unknown])),
  };
}

const NO_CHANGES = { found: 0, seen: 0, changed: 0, gone: 0, ended: 0, returned: 0, passed: 0 };

type Add = (instant: number, figure: Figure, by?: number) => void;

/** Computes the same by other means: without summaries, from the parsed row of each order. */
function countOneByOne(all: readonly ShownChange[], { from, to, bucketMs, tests }: TallyRequest): Plain {
  const buckets = new Map<number, typeof NO_CHANGES>();
  const groups: Record<string, Record<Figure, number>> = {};
  const lives: Record<string, number[]> = {};
  const isInside = (instant: number): boolean => toMinute(instant) * MINUTE_MS >= from && instant < to;
  for (const change of all) {
    const order = JSON.parse(change.row) as Record<string, string>;
    const key = `${String(order['account_id'])} ${String(order['product_id'])}`;
    if (!tests.every(({ matches }) => matches(String(order['account_id'])))) continue;
    const add: Add = (instant, figure, by = 1) => {
      if (!isInside(instant)) return;
      const group = (groups[key] ??= Object.fromEntries(FIGURES.map((name) => [name, 0])) as Record<Figure, number>);
      group[figure] += by;
    };
    const goneAt = count(change, all, add);
    if (goneAt !== null && isInside(goneAt))
      (lives[key] ??= []).push(Date.parse(order['last_modified'] ?? '') - Date.parse(order['time'] ?? ''));
    const addTo = (instant: number, kind: keyof typeof NO_CHANGES, by: number): void => {
      if (!isInside(instant)) return;
      const start = Math.floor(instant / bucketMs) * bucketMs;
      const bucket = buckets.get(start) ?? { ...NO_CHANGES };
      buckets.set(start, bucket);
      bucket[kind] += by;
    };
    addTo(change.to, change.kind === 'seen' && change.from === null ? 'found' : change.kind, 1);
    if (change.kind === 'returned') {
      const gone = findGone(change, all);
      if (gone.kind === 'gone') addTo(gone.to, 'gone', -1);
    }
  }
  return {
    buckets: Object.fromEntries(
      [...buckets].filter(([, bucket]) => Object.values(bucket).some((count) => count !== 0)),
    ),
    groups,
    lives: Object.fromEntries(Object.keys(groups).map((key) => [key, medianNear(lives[key] ?? [])])),
  };
}

/** Expects the median, the lower one of two, within a twentieth. */
function medianNear(lives: readonly number[]): unknown {
  if (lives.length === 0) return null;
  const median = lives.toSorted((a, b) => a - b)[Math.ceil(lives.length / 2) - 1] ?? NaN;
  return expect.toSatisfy((value: number) => Math.abs(value - Math.max(median, 1)) <= Math.max(median, 1) / 20);
}

/** Returns when an order that ended was gone; null for all other changes. */
function count(change: ShownChange, all: readonly Change[], add: Add): number | null {
  const { kind, to, row, before } = change;
  if (kind === 'gone') add(to, 'gone');
  if (kind === 'seen') countSeen(change, add);
  if (kind === 'changed' && before !== null) {
    add(to, 'changed');
    if (priceOf(row) !== priceOf(before) || quantities(row)[0] !== quantities(before)[0]) add(to, 'modified');
    countFill(before, row, (figure, by) => {
      add(to, figure, by);
    });
  }
  if (kind === 'returned') {
    const gone = findGone(change, all);
    add(to, 'returned');
    if (gone.kind === 'gone') add(gone.to, 'takenBack');
    countFill(gone.row, row, (figure, by) => {
      add(to, figure, by);
    });
  }
  if (kind === 'passed') {
    const addNow: AddTo = (figure, by) => {
      add(to, figure, by);
    };
    const [requested] = quantities(row);
    addNow('passed');
    addNow('quantityPlaced', requested ?? 0);
    countFill(row.replace(/"quantity_filled":\d+/, '"quantity_filled":0'), row, addNow);
    countEnd(row, addNow);
    return to;
  }
  if (kind !== 'ended') return null;
  add(to, 'ended');
  const gone = findGone(change, all);
  const addWhenGone: AddTo = (figure, by) => {
    add(gone.to, figure, by);
  };
  countFill(gone.row, row, addWhenGone);
  countEnd(row, addWhenGone);
  return gone.to;
}

function findGone({ id, from }: Change, all: readonly Change[]): Change {
  return (
    all.find((one) => (one.kind === 'gone' || one.kind === 'passed') && one.id === id && one.from === from) ??
    expect.fail('nothing was gone')
  );
}

function countSeen({ from, to, row }: Change, add: Add): void {
  if (from === null) {
    add(to, 'found');
    return;
  }
  const [requested, filled] = quantities(row);
  add(to, 'placed');
  if (requested === null) add(to, 'unmeasured');
  add(to, 'quantityPlaced', requested ?? 0);
  add(to, 'quantityFilledBefore', requested === null ? 0 : filled);
}

type AddTo = (figure: Figure, by?: number) => void;

function countFill(old: string, row: string, add: AddTo): void {
  const [[oldRequested, oldFilled], [requested, filled]] = [quantities(old), quantities(row)];
  if (requested === null || oldRequested === null) add('unmeasured');
  else if (filled > oldFilled) {
    add('fills');
    add('quantityFilled', filled - oldFilled);
  }
}

function countEnd(row: string, add: AddTo): void {
  const [requested, filled] = quantities(row);
  if (requested === null) return;
  add(filled === 0 ? 'unfilled' : filled < requested ? 'partly' : 'filled');
  add('quantityEnded', requested);
  add('quantityEndedFilled', filled);
}

function priceOf(row: string): unknown {
  return (JSON.parse(row) as Record<string, unknown>)['price'];
}

function quantities(row: string): readonly [number | null, number] {
  const order = JSON.parse(row) as Record<string, number | null>;
  return [order['quantity_requested'] ?? null, order['quantity_filled'] ?? 0];
}
