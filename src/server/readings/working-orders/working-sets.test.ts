import { expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createRowCheck } from '#contract/parse/row-check.ts';
import { createBody } from '#server/core/body.ts';
import { DESK_ITSELF, type RateLimiterState, type ReadOptions } from '#server/core/ports.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import { describeWorkingSet, findDoubts, provenanceOfSplit } from './describe-working-set.ts';
import { createWorkingSets, type Filter, type Part, toPart } from './working-sets.ts';

const WINDOW_MS = 300_000;
const LIMIT = { requests: 40, seconds: 300, reserve: 6 };
/** Half of what is not reserved for interactive reads. */
const QUOTA = 17;
/** Its quota is enough to read all parts at once. */
const LARGE_LIMIT = { requests: 200, seconds: 300, reserve: 30 };
const PRODUCTS = 30;
/** The whole, three types, and each option. */
const FILTERS = 4 + PRODUCTS;

const spent = (seconds: number) =>
  new VenueFailure({ type: 'budget-spent', detail: 'spent', retryAfterSeconds: seconds });
const tooMany = () => new VenueFailure({ type: 'too-many-working-orders', detail: 'too many' });

/** An exchange with two working orders of each option: more than it returns per response, whichever limit it claims. */
function openSets(limit: RateLimiterState['limit'] = LIMIT, claimedLimit?: number, count = PRODUCTS) {
  const clock = createFakeClock();
  const filters: Filter[] = [];
  const purposes = new Set<string>();
  let most = 10;
  let left = Infinity;
  const readPart = async (filter: Filter): Promise<Part> => {
    await Promise.resolve();
    if (left <= 0) throw spent(40);
    left -= 1;
    filters.push(filter);
    const { product_type, product_id } = filter;
    const resting =
      product_id !== undefined ? 2 : product_type === 'Option' || product_type === undefined ? 2 * count : 0;
    if (resting > most) throw tooMany();
    const rows = Array.from({ length: resting }, (_, index) => ({
      id: `${String(product_id)} ${String(index)}`,
      ...filter,
    }));
    const response = {
      body: createBody([Buffer.from(JSON.stringify(rows))]),
      contentType: 'application/json',
      respondedAt: clock.now(),
      tag: '""',
    };
    return toPart(
      filter,
      { response, outcome: 'miss', freshSeconds: 4, staleBecause: null },
      createRowCheck(ENDPOINTS.ordersWorking, Object.entries(filter), null),
    );
  };
  const products = Array.from({ length: count }, (_, product_id) => ({
    product_id,
    type: 'option',
    product_status: 'active',
  }));
  const provenance = { outcome: 'hit', freshSeconds: 60, staleBecause: null, respondedAt: clock.now() } as const;
  const directory = () =>
    Promise.resolve({ directory: { source: 'product/specs', read_at: '', products }, provenance } as const);
  const readerFor = ({ purpose }: ReadOptions) => {
    purposes.add(purpose);
    return { readPart, maxOrders: claimedLimit ?? most, directory, accounts: () => Promise.resolve([]) };
  };
  const sets = createWorkingSets({ limit, now: clock.now, elapsed: clock.elapsed, readerFor });
  const read = async (purpose: ReadOptions['purpose'] = 'working') => {
    const split = await sets.read({}, { purpose, payers: DESK_ITSELF, signal: new AbortController().signal });
    const set = JSON.parse(describeWorkingSet(split, findDoubts(split, clock.now()))) as {
      complete: boolean;
      unproven: readonly string[];
      orders: readonly unknown[];
      round_seconds: number | null;
    };
    return { ...set, age: clock.now() - (provenanceOfSplit(split, 4)?.respondedAt ?? Number.NaN) };
  };
  return {
    filters,
    purposes,
    clock,
    read,
    budgetFor: (reads: number): void => void (left = reads),
    takes: (count: number): void => void (most = count),
  };
}

test('a split reports how long a full round takes; a single read does not', async () => {
  const split = openSets();
  for (let window = 0; window < 3; window++) {
    await split.read();
    await split.clock.advance(WINDOW_MS);
  }
  const millisPerRead = WINDOW_MS / QUOTA;
  // Each filter, and the directory.
  expect((await split.read()).round_seconds).toBe(Math.ceil(((FILTERS + 1) * millisPerRead) / 1_000));
  const whole = openSets();
  whole.takes(1_000);
  expect((await whole.read()).round_seconds).toBeNull();
});

test('a split continues where it stopped, within its quota, and reads no part twice', async () => {
  const { filters, clock, read } = openSets();
  const seen: number[] = [];
  for (let window = 0; window < 3; window++) {
    const before = filters.length;
    const set = await read();
    seen.push(set.orders.length);
    expect(set).toMatchObject({ complete: window === 2, age: window * WINDOW_MS });
    if (window < 2)
      expect(set.unproven).toEqual([
        expect.stringMatching(
          /^Not read yet because the request budget is exhausted: product_type=Option, product_id=\d+.*\. Reading continues by \d\d:\d\d UTC\.$/,
        ),
      ]);
    expect(filters.length - before).toBeLessThanOrEqual(QUOTA + 1);
    await clock.advance(WINDOW_MS);
  }
  expect(seen.at(-1)).toBe(2 * PRODUCTS);
  expect(seen[0]).toBeGreaterThan(0);
  // Only the whole was requested once more, after it had been rejected.
  expect(filters).toHaveLength(FILTERS + 1);
});

test('repeated reads leave the rest of the budget to others', async () => {
  const { filters, clock, read } = openSets();
  for (let window = 0; window < 3; window++) {
    await read();
    await clock.advance(WINDOW_MS);
  }
  const before = filters.length;
  for (let time = 0; time < WINDOW_MS; time += 4_000) {
    const set = await read();
    expect(set).toMatchObject({ complete: true });
    expect(set.orders).toHaveLength(2 * PRODUCTS);
    await clock.advance(4_000);
  }
  expect(filters.length - before).toBeLessThanOrEqual(QUOTA);
});

test.each([QUOTA - 6, QUOTA - 5, QUOTA - 4, QUOTA - 3])(
  'orders of %i products stay, even if a round uses nearly all of the quota',
  async (count) => {
    const { clock, read } = openSets(LIMIT, undefined, count);
    await read();
    await clock.advance(WINDOW_MS);
    for (let time = 0; time < 5 * WINDOW_MS; time += 4_000) {
      expect(await read()).toMatchObject({ complete: true, orders: { length: 2 * count } });
      await clock.advance(4_000);
    }
  },
);

test('a budget that others spend midway loses no part that was read', async () => {
  const { clock, read, budgetFor } = openSets();
  budgetFor(10);
  const first = await read();
  expect(first).toMatchObject({ complete: false, unproven: [expect.stringContaining('continues by')] });
  budgetFor(0);
  await clock.advance(4_000);
  expect((await read()).orders).toEqual(first.orders);
  expect(first.orders.length).toBeGreaterThan(0);
});

test('a set of which nothing could be read within the budget fails', async () => {
  const { read, budgetFor } = openSets();
  budgetFor(1);
  await expect(read()).rejects.toMatchObject({ problem: { type: 'budget-spent', retryAfterSeconds: 40 } });
});

test('concurrent requests share one split, which does not use the reserve', async () => {
  const { filters, purposes, read } = openSets(null);
  await Promise.all([read('interactive'), read(), read()]);
  expect(filters.filter(({ product_id }) => product_id === '7')).toHaveLength(1);
  expect([...purposes]).toEqual(['interactive', 'working']);
});

test('a set that shrinks while its parts are read is read as one again', async () => {
  const { filters, read, takes } = openSets(LARGE_LIMIT);
  expect(await read()).toMatchObject({ complete: true });
  takes(2 * PRODUCTS);
  const before = filters.length;
  expect(await read()).toMatchObject({ complete: true, unproven: [] });
  expect(filters.slice(before)).toEqual([{ product_type: 'Option' }, {}]);
});

test('a confirmed rejection is not repeated at each read', async () => {
  const { filters, read } = openSets(LARGE_LIMIT, 2 * PRODUCTS);
  const doubt = {
    complete: false,
    unproven: [expect.stringMatching(/^The parts contain 60 orders, but the exchange rejected the whole/)],
  };
  expect(await read()).toMatchObject(doubt);
  const before = filters.length;
  expect(await read()).toMatchObject(doubt);
  expect(filters).toHaveLength(before);
});

test('a set that is small again is one read', async () => {
  const { filters, clock, read, takes } = openSets();
  for (let window = 0; window < 3; window++) {
    await read();
    await clock.advance(WINDOW_MS);
  }
  takes(1_000);
  await clock.advance(2 * WINDOW_MS);
  await read();
  const before = filters.length;
  expect(await read()).toMatchObject({ complete: true, unproven: [] });
  expect(filters.slice(before)).toEqual([{}]);
});

test('parts read before the machine slept are read anew, although the monotonic clock stood still', async () => {
  const { filters, clock, read } = openSets(LARGE_LIMIT);
  expect(await read()).toMatchObject({ complete: true });
  clock.correct(12 * 3_600_000);
  await clock.advance(5_000);
  const before = filters.length;
  expect(await read()).toMatchObject({ complete: true, age: 0 });
  expect(filters.length - before).toBe(FILTERS);
});
