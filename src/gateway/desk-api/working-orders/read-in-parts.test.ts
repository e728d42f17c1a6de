import { expect, test } from 'vitest';
import { createBody } from '../../body.ts';
import type { Served } from '../../ports.ts';
import { VenueFailure, type Problem } from '../../venue-failure.ts';
import type { ProductDirectory } from '../product-directory.ts';
import { describeWorkingSet } from './describe-working-set.ts';
import { readInParts, toPart, type Filter, type PartReader } from './read-in-parts.ts';

interface Resting {
  readonly id: string;
  readonly product_type: string;
  readonly product_id: number;
  readonly account_id: string;
}

const MOST = 3;

/** An exchange that returns at most three orders per response. */
function exchangeOf(orders: readonly Resting[], respondWith = (matching: readonly Resting[]) => matching): PartReader['readPart'] {
  return (filter) => {
    const matching = orders.filter((order) => Object.entries(filter).every(([name, value]) => String(order[name as keyof Resting]) === value));
    if (matching.length > MOST) return Promise.reject(new VenueFailure({ type: 'too-many-working-orders', detail: 'too many' }));
    const body = createBody([Buffer.from(JSON.stringify(respondWith(matching)))]);
    const response = { body, contentType: 'application/json', answeredAt: 1_700_000_000_000, tag: '""' };
    return Promise.resolve(toPart(filter, { response, outcome: 'miss', freshSeconds: 4, staleBecause: null }));
  };
}

function ordersOf(count: number, product_type: string, product_id: number, account_id = 'A'): Resting[] {
  return Array.from({ length: count }, (_, index) => ({ id: `${product_type}${String(product_id)}${account_id}${String(index)}`, product_type, product_id, account_id }));
}

const directory: ProductDirectory = {
  source: 'product/specs',
  read_at: '2026-01-01T00:00:00.000Z',
  products: [
    { product_id: 1, type: 'perpetual', product_status: 'active' },
    { product_id: 2, type: 'future', product_status: 'active' },
    { product_id: 3, type: 'spread', product_status: 'active' },
    { product_id: 4, type: 'future', product_status: 'expired' },
  ],
};

async function read(readPart: PartReader['readPart'], accounts: readonly string[] = [], known: ProductDirectory | VenueFailure = directory, filter: Filter = {}, staleBecause: Problem | null = null) {
  const provenance = { outcome: 'hit', freshSeconds: 60, staleBecause, answeredAt: 0 } as const;
  const reader = {
    readPart,
    maxOrders: MOST,
    directory: () => (known instanceof Error ? Promise.reject(known) : Promise.resolve({ directory: known, provenance })),
    accounts: () => Promise.resolve(accounts),
  };
  return JSON.parse(describeWorkingSet(await readInParts(reader, filter), 0)) as {
    readonly orders: readonly Resting[];
    readonly complete: boolean;
    readonly unproven: readonly string[];
    readonly parts: readonly { readonly filter: Filter; readonly count: number }[];
  };
}

test('a product without an id is not read, and the set says so', async () => {
  const orders = [...ordersOf(2, 'Future', 1), ...ordersOf(2, 'Future', 2)];
  const known = { ...directory, products: [...directory.products, { type: 'future', product_status: 'active' }] };
  const { complete, unproven, parts } = await read(exchangeOf(orders), [], known);
  expect([complete, unproven]).toEqual([false, ['Products without an ID in the product list: 1. Their orders could not be read.']]);
  expect(parts.flatMap(({ filter }) => filter['product_id'] ?? [])).toEqual(['1', '2']);
});

test('parts by type, then by product, are complete: both lists are complete', async () => {
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

test('products of an unknown type leave a doubt, whatever the parts contain', async () => {
  const orders = [...ordersOf(2, 'Future', 1), ...ordersOf(2, 'Spread', 3)];
  const swaps = [{ product_id: 8, type: 'swap', product_status: 'active' }, { product_id: 9, type: 'swap', product_status: 'expired' }];
  const set = await read(exchangeOf(orders), [], { ...directory, products: [...directory.products, ...swaps] });
  expect(set).toMatchObject({ orders, complete: false, unproven: ['Products of unknown type in the product list: 1. Their orders may be missing from all parts.'] });
});

test('parts by type are read without a product list, but not proven', async () => {
  const orders = [...ordersOf(2, 'Future', 1), ...ordersOf(2, 'Spread', 3)];
  const set = await read(exchangeOf(orders), [], new VenueFailure({ type: 'venue-timeout', detail: 'late' }));
  expect(set).toMatchObject({ orders, complete: false, unproven: [expect.stringContaining('could not be read')] });
});

test('parts by account are never proven: there may be unseen accounts', async () => {
  const orders = [...ordersOf(2, 'Future', 1, 'A'), ...ordersOf(2, 'Future', 1, 'B')];
  const set = await read(exchangeOf(orders), ['A', 'B']);
  expect(set.orders).toHaveLength(4);
  expect(set.complete).toBe(false);
  expect(set.unproven).toEqual([expect.stringContaining('2 accounts seen so far')]);
});

test('without a product list, parts by product are not proven', async () => {
  const orders = [...ordersOf(2, 'Future', 1), ...ordersOf(2, 'Future', 2)];
  const set = await read(exchangeOf(orders), [], { ...directory, source: 'learnt from other answers' });
  expect(set).toMatchObject({ complete: false, unproven: [expect.stringContaining('offers no product list')] });
});

test('with a stale product list, parts by product are not proven', async () => {
  const orders = [...ordersOf(2, 'Future', 1), ...ordersOf(2, 'Future', 2)];
  const set = await read(exchangeOf(orders), [], directory, {}, { type: 'venue-timeout', detail: 'late' });
  expect(set).toMatchObject({ complete: false, unproven: [expect.stringContaining('is from 2026-01-01T00:00:00.000Z')] });
});

test('parts that fit into one response contradict the rejection of the whole, and are not proven', async () => {
  const orders = [...ordersOf(2, 'Future', 1), ...ordersOf(9, 'Future', 99)];
  const set = await read(exchangeOf(orders));
  expect(set.orders).toHaveLength(2);
  expect(set).toMatchObject({ complete: false, unproven: ['The parts contain 2 orders, but the exchange rejected the whole (product_type=Future) as more than 10,000.'] });
});

test('parts that now fit into one response are read as one again', async () => {
  let orders = ordersOf(4, 'Future', 1);
  const filters: Filter[] = [];
  const set = await read(async (filter) => {
    filters.push(filter);
    const readPart = exchangeOf(orders);
    orders = ordersOf(2, 'Future', 1);
    return readPart(filter);
  });
  expect(set).toMatchObject({ complete: true, unproven: [], orders: ordersOf(2, 'Future', 1), parts: [{ filter: {}, count: 2 }] });
  expect(filters.filter((filter) => Object.keys(filter).length === 0)).toHaveLength(2);
});

test('without budget for another read, the doubt remains', async () => {
  const readPart = exchangeOf([...ordersOf(2, 'Future', 1), ...ordersOf(9, 'Future', 99)]);
  const set = await read((filter, refresh) => (refresh !== true ? readPart(filter) : Promise.reject(new VenueFailure({ type: 'budget-spent', detail: 'spent' }))));
  expect(set.orders).toHaveLength(2);
  expect(set.unproven).toEqual([expect.stringContaining('but the exchange rejected')]);
});

test('too many orders of one account in one product are reported as missing', async () => {
  const set = await read(exchangeOf(ordersOf(9, 'Future', 1)), ['A']);
  expect(set.orders).toEqual([]);
  expect(set.unproven).toContainEqual(expect.stringContaining('no narrower filter exists'));
});

test('an order that does not match its filter is reported', async () => {
  const wrong = (matching: readonly Resting[]) => matching.map((order) => ({ ...order, account_id: 'X' }));
  const set = await read(exchangeOf(ordersOf(2, 'Future', 1), wrong), [], directory, { account_id: 'A' });
  expect(set).toMatchObject({ complete: false, unproven: ['2 of 2 orders read with account_id=A have a different account_id.'] });
});

test('connection ids match regardless of case', async () => {
  const ofConnection = (matching: readonly Resting[]) => matching.map((order) => ({ ...order, connection_id: '3f' }));
  const all = exchangeOf(ordersOf(2, 'Future', 1), ofConnection);
  const readPart: PartReader['readPart'] = async (filter) => ({ ...(await all({})), filter });
  expect(await read(readPart, [], directory, { connection_id: '3F' })).toMatchObject({ complete: true, unproven: [] });
  expect(await read(readPart, [], directory, { connection_id: '4F' })).toMatchObject({ complete: false });
});

test('an order in two parts is reported', async () => {
  const same = (matching: readonly Resting[]) => matching.map((order) => ({ ...order, id: 'same' }));
  const set = await read(exchangeOf([...ordersOf(2, 'Future', 1), ...ordersOf(2, 'Spread', 3)], same));
  expect(set.unproven).toEqual(['Orders received more than once: 3.']);
});

test('a page of orders instead of a list is unreadable', async () => {
  const body = createBody([Buffer.from('{"data":[{"id":"1"}],"pagination":{"cursor":null}}')]);
  const response = { body, contentType: 'application/json', answeredAt: 1_700_000_000_000, tag: '""' };
  const readPart: PartReader['readPart'] = async (filter) => toPart(filter, await Promise.resolve({ response, outcome: 'miss', freshSeconds: 4, staleBecause: null } satisfies Served));
  await expect(read(readPart)).rejects.toMatchObject({ problem: { type: 'venue-answer-unreadable' } });
});

test('any other failure of a part fails the whole: nothing is left out silently', async () => {
  const readPart = () => Promise.reject(new VenueFailure({ type: 'venue-timeout', detail: 'late' }));
  await expect(read(readPart)).rejects.toMatchObject({ problem: { type: 'venue-timeout' } });
});
