import { expect, test } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { createBody } from '../body.ts';
import { VenueFailure, type LedgerState, type ReadOptions } from '../ports.ts';
import { describeWorkingSet, provenanceOfSplit } from './working.ts';
import { toPart, type Filter, type Part } from './working-parts.ts';
import { createWorkingSets } from './working-sets.ts';

const WINDOW_MS = 300_000;
const LIMIT = { requests: 40, seconds: 300, reserve: 6 };
/** Half of what is not kept for clicks. */
const SHARE = 17;
/** The share of it is enough to read all parts at once. */
const LARGE_LIMIT = { requests: 200, seconds: 300, reserve: 30 };
const PRODUCTS = 30;
/** The whole, three types, and each option. */
const FILTERS = 4 + PRODUCTS;

const spent = (seconds: number) => new VenueFailure({ type: 'budget-spent', detail: 'spent', retryAfterSeconds: seconds });
const tooMany = () => new VenueFailure({ type: 'too-many-working-orders', detail: 'too many' });

/** An exchange on which two orders of each option rest: more than it gives at a time, whatever it says to give. */
function openSets(limit: LedgerState['limit'] = LIMIT, saysToGive?: number, count = PRODUCTS) {
  const clock = createFakeClock();
  const asked: Filter[] = [];
  const purposes = new Set<string>();
  let most = 10;
  let left = Infinity;
  const ask = async (filter: Filter): Promise<Part> => {
    await Promise.resolve();
    if (left <= 0) throw spent(40);
    left -= 1;
    asked.push(filter);
    const { product_type, product_id } = filter;
    const resting = product_id !== undefined ? 2 : product_type === 'Option' || product_type === undefined ? 2 * count : 0;
    if (resting > most) throw tooMany();
    const rows = Array.from({ length: resting }, (_, index) => ({ id: `${String(product_id)} ${String(index)}`, ...filter }));
    const answer = { body: createBody([Buffer.from(JSON.stringify(rows))]), contentType: 'application/json', answeredAt: clock.now(), tag: '""' };
    return toPart(filter, { answer, how: 'miss', freshSeconds: 4, staleBecause: null });
  };
  const products = Array.from({ length: count }, (_, product_id) => ({ product_id, type: 'option', product_status: 'active' }));
  const provenance = { how: 'hit', freshSeconds: 60, staleBecause: null, answeredAt: clock.now() } as const;
  const directory = () => Promise.resolve({ directory: { source: 'product/specs', read_at: '', products }, provenance } as const);
  const asking = ({ purpose }: ReadOptions) => {
    purposes.add(purpose);
    return { ask, mostAtOnce: saysToGive ?? most, directory, accounts: () => Promise.resolve([]) };
  };
  const sets = createWorkingSets({ limit, now: clock.now, elapsed: clock.elapsed, asking });
  const read = async (purpose: ReadOptions['purpose'] = 'working') => {
    const split = await sets.read({}, { purpose, signal: new AbortController().signal });
    const answer = JSON.parse(describeWorkingSet(split, clock.now())) as { complete: boolean; unproven: readonly string[]; orders: readonly unknown[]; round_seconds: number | null };
    return { ...answer, age: clock.now() - (provenanceOfSplit(split, 4)?.answeredAt ?? Number.NaN) };
  };
  return {
    asked,
    purposes,
    clock,
    read,
    budgetFor: (reads: number): void => void (left = reads),
    takes: (count: number): void => void (most = count),
  };
}

test('how often every part is read again is told, and nothing of the kind where one read is enough', async () => {
  const parted = openSets();
  for (let window = 0; window < 3; window++) {
    await parted.read();
    await parted.clock.advance(WINDOW_MS);
  }
  const millisPerRead = WINDOW_MS / SHARE;
  // Each filter, and what the set is split by.
  expect((await parted.read()).round_seconds).toBe(Math.ceil(((FILTERS + 1) * millisPerRead) / 1_000));
  const whole = openSets();
  whole.takes(1_000);
  expect((await whole.read()).round_seconds).toBeNull();
});

test('a split goes on where it stopped, within its share, and reads no part twice on the way', async () => {
  const { asked, clock, read } = openSets();
  const seen: number[] = [];
  for (let window = 0; window < 3; window++) {
    const before = asked.length;
    const set = await read();
    seen.push(set.orders.length);
    expect(set).toMatchObject({ complete: window === 2, age: window * WINDOW_MS });
    if (window < 2) expect(set.unproven).toEqual([expect.stringMatching(/^Not read yet, because the request budget is spent: product_type=Option, product_id=\d+.*\. Reading goes on by \d\d:\d\d UTC\.$/)]);
    expect(asked.length - before).toBeLessThanOrEqual(SHARE + 1);
    await clock.advance(WINDOW_MS);
  }
  expect(seen.at(-1)).toBe(2 * PRODUCTS);
  expect(seen[0]).toBeGreaterThan(0);
  // Only the question for the whole was asked once more, after it had been refused.
  expect(asked).toHaveLength(FILTERS + 1);
});

test('asked again and again, it leaves the rest of the budget to others', async () => {
  const { asked, clock, read } = openSets();
  for (let window = 0; window < 3; window++) {
    await read();
    await clock.advance(WINDOW_MS);
  }
  const before = asked.length;
  for (let time = 0; time < WINDOW_MS; time += 4_000) {
    const set = await read();
    expect(set).toMatchObject({ complete: true });
    expect(set.orders).toHaveLength(2 * PRODUCTS);
    await clock.advance(4_000);
  }
  expect(asked.length - before).toBeLessThanOrEqual(SHARE);
});

test.each([SHARE - 6, SHARE - 5, SHARE - 4, SHARE - 3])('what %i products hold stays, though a round with the list of them takes about all of the share', async (count) => {
  const { clock, read } = openSets(LIMIT, undefined, count);
  await read();
  await clock.advance(WINDOW_MS);
  for (let time = 0; time < 5 * WINDOW_MS; time += 4_000) {
    expect(await read()).toMatchObject({ complete: true, orders: { length: 2 * count } });
    await clock.advance(4_000);
  }
});

test('a budget that is spent by others midway loses nothing that was read', async () => {
  const { clock, read, budgetFor } = openSets();
  budgetFor(10);
  const first = await read();
  expect(first).toMatchObject({ complete: false, unproven: [expect.stringContaining('goes on by')] });
  budgetFor(0);
  await clock.advance(4_000);
  expect((await read()).orders).toEqual(first.orders);
  expect(first.orders.length).toBeGreaterThan(0);
});

test('nothing at all for want of budget is a failure, as it is of any question', async () => {
  const { read, budgetFor } = openSets();
  budgetFor(1);
  await expect(read()).rejects.toMatchObject({ problem: { type: 'budget-spent', retryAfterSeconds: 40 } });
});

test('all who ask at once share one split, and the reserve is not spent on it', async () => {
  const { asked, purposes, read } = openSets(null);
  await Promise.all([read('click'), read(), read()]);
  expect(asked.filter(({ product_id }) => product_id === '7')).toHaveLength(1);
  expect([...purposes]).toEqual(['click', 'working']);
});

test('a set that shrinks while its parts are read is asked for once more', async () => {
  const { asked, read, takes } = openSets(LARGE_LIMIT);
  expect(await read()).toMatchObject({ complete: true });
  takes(2 * PRODUCTS);
  const before = asked.length;
  expect(await read()).toMatchObject({ complete: true, unproven: [] });
  expect(asked.slice(before)).toEqual([{ product_type: 'Option' }, {}]);
});

test('a refusal that came again is not asked for at every look', async () => {
  const { asked, read } = openSets(LARGE_LIMIT, 2 * PRODUCTS);
  const doubt = { complete: false, unproven: [expect.stringMatching(/^The parts hold 60 orders, though the venue refused the whole/)] };
  expect(await read()).toMatchObject(doubt);
  const before = asked.length;
  expect(await read()).toMatchObject(doubt);
  expect(asked).toHaveLength(before);
});

test('a set that is small again is one read', async () => {
  const { asked, clock, read, takes } = openSets();
  for (let window = 0; window < 3; window++) {
    await read();
    await clock.advance(WINDOW_MS);
  }
  takes(1_000);
  await clock.advance(2 * WINDOW_MS);
  await read();
  const before = asked.length;
  expect(await read()).toMatchObject({ complete: true, unproven: [] });
  expect(asked.slice(before)).toEqual([{}]);
});

test('what was read before the machine slept is read anew: the even clock stood still meanwhile', async () => {
  const { asked, clock, read } = openSets(LARGE_LIMIT);
  expect(await read()).toMatchObject({ complete: true });
  clock.correct(12 * 3_600_000);
  await clock.advance(5_000);
  const before = asked.length;
  expect(await read()).toMatchObject({ complete: true, age: 0 });
  expect(asked.length - before).toBe(FILTERS);
});
