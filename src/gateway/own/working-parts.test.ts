import { expect, test } from 'vitest';
import { createBody } from '../body.ts';
import { VenueFailure, type Problem, type Served } from '../ports.ts';
import type { Directory } from './directory.ts';
import { describeWorkingSet } from './working.ts';
import { readParts, toPart, type Filter, type SplitParts } from './working-parts.ts';

interface Resting {
  readonly id: string;
  readonly product_type: string;
  readonly product_id: number;
  readonly account_id: string;
}

const MOST = 3;

/** An exchange that answers at most three orders at a time. */
function exchangeOf(orders: readonly Resting[], answerOf = (matching: readonly Resting[]) => matching): SplitParts['ask'] {
  return (filter) => {
    const matching = orders.filter((order) => Object.entries(filter).every(([name, value]) => String(order[name as keyof Resting]) === value));
    if (matching.length > MOST) return Promise.reject(new VenueFailure({ type: 'too-many-working-orders', detail: 'too many' }));
    const body = createBody([Buffer.from(JSON.stringify(answerOf(matching)))]);
    const answer = { body, contentType: 'application/json', answeredAt: 1_700_000_000_000, tag: '""' };
    return Promise.resolve(toPart(filter, { answer, how: 'miss', freshSeconds: 4, staleBecause: null }));
  };
}

function ordersOf(count: number, product_type: string, product_id: number, account_id = 'A'): Resting[] {
  return Array.from({ length: count }, (_, index) => ({ id: `${product_type}${String(product_id)}${account_id}${String(index)}`, product_type, product_id, account_id }));
}

const directory: Directory = {
  source: 'product/specs',
  read_at: '2026-01-01T00:00:00.000Z',
  products: [
    { product_id: 1, type: 'perpetual', product_status: 'active' },
    { product_id: 2, type: 'future', product_status: 'active' },
    { product_id: 3, type: 'spread', product_status: 'active' },
    { product_id: 4, type: 'future', product_status: 'expired' },
  ],
};

async function read(ask: SplitParts['ask'], accounts: readonly string[] = [], known: Directory | VenueFailure = directory, filter: Filter = {}, staleBecause: Problem | null = null) {
  const provenance = { how: 'hit', freshSeconds: 60, staleBecause, answeredAt: 0 } as const;
  const parts = {
    ask,
    mostAtOnce: MOST,
    directory: () => (known instanceof Error ? Promise.reject(known) : Promise.resolve({ directory: known, provenance })),
    accounts: () => Promise.resolve(accounts),
  };
  return JSON.parse(describeWorkingSet(await readParts(parts, filter), 0)) as {
    readonly orders: readonly Resting[];
    readonly complete: boolean;
    readonly unproven: readonly string[];
    readonly parts: readonly { readonly filter: Filter; readonly count: number }[];
  };
}

test('a product that is listed without a number is asked for by none, and said', async () => {
  const orders = [...ordersOf(2, 'Future', 1), ...ordersOf(2, 'Future', 2)];
  const known = { ...directory, products: [...directory.products, { type: 'future', product_status: 'active' }] };
  const { complete, unproven, parts } = await read(exchangeOf(orders), [], known);
  expect([complete, unproven]).toEqual([false, ['The list of products has 1 without a number: their orders could not be asked for.']]);
  expect(parts.flatMap(({ filter }) => filter['product_id'] ?? [])).toEqual(['1', '2']);
});

test('parts by type, then by product, are complete: both lists are closed', async () => {
  const orders = [...ordersOf(2, 'Future', 1), ...ordersOf(3, 'Future', 2), ...ordersOf(1, 'Spread', 3)];
  const set = await read(exchangeOf(orders));
  expect(set).toMatchObject({ complete: true, unproven: [] });
  expect(set.orders).toEqual(orders);
  expect(set.parts.map(({ filter }) => filter)).toEqual([
    { product_type: 'Future', product_id: '1' },
    { product_type: 'Future', product_id: '2' },
    { product_type: 'Spread' },
    { product_type: 'Option' },
  ]);
});

test('products of a type that nobody asks orders of leave a doubt, whatever the parts hold', async () => {
  const orders = [...ordersOf(2, 'Future', 1), ...ordersOf(2, 'Spread', 3)];
  const swaps = [{ product_id: 8, type: 'swap', product_status: 'active' }, { product_id: 9, type: 'swap', product_status: 'expired' }];
  const set = await read(exchangeOf(orders), [], { ...directory, products: [...directory.products, ...swaps] });
  expect(set).toMatchObject({ orders, complete: false, unproven: ['The list of products has 1 of a type that the interface does not know: their orders may be in none of the parts.'] });
});

test('parts by type without any list of products are read all the same, and not proven', async () => {
  const orders = [...ordersOf(2, 'Future', 1), ...ordersOf(2, 'Spread', 3)];
  const set = await read(exchangeOf(orders), [], new VenueFailure({ type: 'venue-timeout', detail: 'late' }));
  expect(set).toMatchObject({ orders, complete: false, unproven: [expect.stringContaining('could not be read')] });
});

test('parts by account are never proven: there may be an account that nobody has seen', async () => {
  const orders = [...ordersOf(2, 'Future', 1, 'A'), ...ordersOf(2, 'Future', 1, 'B')];
  const set = await read(exchangeOf(orders), ['A', 'B']);
  expect(set.orders).toHaveLength(4);
  expect(set.complete).toBe(false);
  expect(set.unproven).toEqual([expect.stringContaining('2 accounts seen so far')]);
});

test('without a list of products, parts by product are not proven', async () => {
  const orders = [...ordersOf(2, 'Future', 1), ...ordersOf(2, 'Future', 2)];
  const set = await read(exchangeOf(orders), [], { ...directory, source: 'learnt from other answers' });
  expect(set).toMatchObject({ complete: false, unproven: [expect.stringContaining('no list of its products')] });
});

test('by a list of products that the venue did not give anew, parts by product are not proven', async () => {
  const orders = [...ordersOf(2, 'Future', 1), ...ordersOf(2, 'Future', 2)];
  const set = await read(exchangeOf(orders), [], directory, {}, { type: 'venue-timeout', detail: 'late' });
  expect(set).toMatchObject({ complete: false, unproven: [expect.stringContaining('is that of 2026-01-01T00:00:00.000Z')] });
});

test('parts that would have fitted into the answer that was refused are not proven: some order is in none of them', async () => {
  const orders = [...ordersOf(2, 'Future', 1), ...ordersOf(9, 'Future', 99)];
  const set = await read(exchangeOf(orders));
  expect(set.orders).toHaveLength(2);
  expect(set).toMatchObject({ complete: false, unproven: ['The parts hold 2 orders, though the venue refused the whole (product_type=Future) as more than 10,000.'] });
});

test('parts that fit into one answer by now are asked for as one, once more', async () => {
  let orders = ordersOf(4, 'Future', 1);
  const asked: Filter[] = [];
  const set = await read(async (filter) => {
    asked.push(filter);
    const ask = exchangeOf(orders);
    orders = ordersOf(2, 'Future', 1);
    return ask(filter);
  });
  expect(set).toMatchObject({ complete: true, unproven: [], orders: ordersOf(2, 'Future', 1), parts: [{ filter: {}, count: 2 }] });
  expect(asked.filter((filter) => Object.keys(filter).length === 0)).toHaveLength(2);
});

test('where there is no budget to ask once more, the doubt stays', async () => {
  const ask = exchangeOf([...ordersOf(2, 'Future', 1), ...ordersOf(9, 'Future', 99)]);
  const set = await read((filter, again) => (again === undefined ? ask(filter) : Promise.reject(new VenueFailure({ type: 'budget-spent', detail: 'spent' }))));
  expect(set.orders).toHaveLength(2);
  expect(set.unproven).toEqual([expect.stringContaining('though the venue refused')]);
});

test('too many of one account in one product are said to be missing', async () => {
  const set = await read(exchangeOf(ordersOf(9, 'Future', 1)), ['A']);
  expect(set.orders).toEqual([]);
  expect(set.unproven).toContainEqual(expect.stringContaining('no way to ask for fewer'));
});

test('an order beside its filter is told', async () => {
  const wrong = (matching: readonly Resting[]) => matching.map((order) => ({ ...order, account_id: 'X' }));
  const set = await read(exchangeOf(ordersOf(2, 'Future', 1), wrong), [], directory, { account_id: 'A' });
  expect(set).toMatchObject({ complete: false, unproven: ['2 of 2 orders asked for by account_id=A are of another account_id.'] });
});

test('a connection asked for in capitals is the same connection', async () => {
  const ofConnection = (matching: readonly Resting[]) => matching.map((order) => ({ ...order, connection_id: '3f' }));
  const all = exchangeOf(ordersOf(2, 'Future', 1), ofConnection);
  const ask: SplitParts['ask'] = async (filter) => ({ ...(await all({})), filter });
  expect(await read(ask, [], directory, { connection_id: '3F' })).toMatchObject({ complete: true, unproven: [] });
  expect(await read(ask, [], directory, { connection_id: '4F' })).toMatchObject({ complete: false });
});

test('an order in two parts is told', async () => {
  const same = (matching: readonly Resting[]) => matching.map((order) => ({ ...order, id: 'same' }));
  const set = await read(exchangeOf([...ordersOf(2, 'Future', 1), ...ordersOf(2, 'Spread', 3)], same));
  expect(set.unproven).toEqual(['3 orders came twice.']);
});

test('a page of orders in place of a list is an answer that cannot be read', async () => {
  const body = createBody([Buffer.from('{"data":[{"id":"1"}],"pagination":{"cursor":null}}')]);
  const answer = { body, contentType: 'application/json', answeredAt: 1_700_000_000_000, tag: '""' };
  const ask: SplitParts['ask'] = async (filter) => toPart(filter, await Promise.resolve({ answer, how: 'miss', freshSeconds: 4, staleBecause: null } satisfies Served));
  await expect(read(ask)).rejects.toMatchObject({ problem: { type: 'venue-answer-unreadable' } });
});

test('any other failure of a part is a failure of the whole: nothing is left out in silence', async () => {
  const ask = () => Promise.reject(new VenueFailure({ type: 'venue-timeout', detail: 'late' }));
  await expect(read(ask)).rejects.toMatchObject({ problem: { type: 'venue-timeout' } });
});
