import { expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { WORKING_ORDERS_LIMIT } from '#contract/exchange/order.ts';
import { createRowCheck } from '#contract/parse/row-check.ts';
import { createBody } from '#server/core/body.ts';
import { VenueFailure, type Problem } from '#server/core/venue-failure.ts';
import type { ProductDirectory } from '../products/product-directory.ts';
import { describeWorkingSet, findDoubts } from './describe-working-set.ts';
import { type Filter, type Part, type PartReader, readInParts, type Split, toPart } from './working-sets.ts';

const describeAt0 = (split: Split): string => describeWorkingSet(split, findDoubts(split, 0));

interface Resting {
  readonly id: string;
  readonly product_type: string;
  readonly product_id: number;
  readonly account_id: string;
}

const MOST = 3;

/** An exchange that returns at most three orders per response. */
function exchangeOf(
  orders: readonly Resting[],
  respondWith = (matching: readonly Resting[]) => matching,
): PartReader['readPart'] {
  return (filter) => {
    const matching = orders.filter((order) =>
      Object.entries(filter).every(([name, value]) => String(order[name as keyof Resting]) === value),
    );
    if (matching.length > MOST)
      return Promise.reject(new VenueFailure({ type: 'too-many-working-orders', detail: 'too many' }));
    return Promise.resolve(partOf(filter, JSON.stringify(respondWith(matching))));
  };
}

const VENUE_NOW = 1_700_000_000_000;

function partOf(filter: Filter, text: string): Part {
  const response = {
    body: createBody([Buffer.from(text)]),
    contentType: 'application/json',
    respondedAt: VENUE_NOW,
    tag: '""',
  };
  return toPart(
    filter,
    { response, outcome: 'miss', freshSeconds: 4, staleBecause: null },
    createRowCheck(ENDPOINTS.ordersWorking, Object.entries(filter), VENUE_NOW),
  );
}

function ordersOf(count: number, product_type: string, product_id: number, account_id = 'A'): Resting[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${product_type}${String(product_id)}${account_id}${String(index)}`,
    product_type,
    product_id,
    account_id,
  }));
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

const neverSplit = {
  maxOrders: WORKING_ORDERS_LIMIT,
  directory: () => Promise.reject(new Error('must not be read')),
  accounts: () => Promise.reject(new Error('must not be read')),
};

async function read(
  readPart: PartReader['readPart'],
  accounts: readonly string[] = [],
  known: ProductDirectory | VenueFailure = directory,
  filter: Filter = {},
  staleBecause: Problem | null = null,
) {
  const provenance = { outcome: 'hit', freshSeconds: 60, staleBecause, respondedAt: 0 } as const;
  const reader = {
    readPart,
    maxOrders: MOST,
    directory: () =>
      known instanceof Error ? Promise.reject(known) : Promise.resolve({ directory: known, provenance }),
    accounts: () => Promise.resolve(accounts),
  };
  return JSON.parse(describeAt0(await readInParts(reader, filter))) as {
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
  expect([complete, unproven]).toEqual([
    false,
    ['Products without an ID in the product list: 1. Their orders could not be read.'],
  ]);
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
  const swaps = [
    { product_id: 8, type: 'swap', product_status: 'active' },
    { product_id: 9, type: 'swap', product_status: 'expired' },
  ];
  const set = await read(exchangeOf(orders), [], { ...directory, products: [...directory.products, ...swaps] });
  expect(set).toMatchObject({
    orders,
    complete: false,
    unproven: ['Products of unknown type in the product list: 1. Their orders may be missing from all parts.'],
  });
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
  expect(set).toMatchObject({
    complete: false,
    unproven: [expect.stringContaining('is from 2026-01-01T00:00:00.000Z')],
  });
});

test('parts that fit into one response contradict the rejection of the whole, and are not proven', async () => {
  const orders = [...ordersOf(2, 'Future', 1), ...ordersOf(9, 'Future', 99)];
  const set = await read(exchangeOf(orders));
  expect(set.orders).toHaveLength(2);
  expect(set).toMatchObject({
    complete: false,
    unproven: [
      'The parts contain 2 orders, but the exchange rejected the whole (product_type=Future) as more than 10,000.',
    ],
  });
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
  expect(set).toMatchObject({
    complete: true,
    unproven: [],
    orders: ordersOf(2, 'Future', 1),
    parts: [{ filter: {}, count: 2 }],
  });
  expect(filters.filter((filter) => Object.keys(filter).length === 0)).toHaveLength(2);
});

test('without budget for another read, the doubt remains', async () => {
  const readPart = exchangeOf([...ordersOf(2, 'Future', 1), ...ordersOf(9, 'Future', 99)]);
  const set = await read((filter, refresh) =>
    refresh !== true ? readPart(filter) : Promise.reject(new VenueFailure({ type: 'budget-spent', detail: 'spent' })),
  );
  expect(set.orders).toHaveLength(2);
  expect(set.unproven).toEqual([expect.stringContaining('but the exchange rejected')]);
});

test('too many orders of one account in one product are reported as missing', async () => {
  const set = await read(exchangeOf(ordersOf(9, 'Future', 1)), ['A']);
  expect(set.orders).toEqual([]);
  expect(set.unproven).toContainEqual(expect.stringContaining('no narrower filter exists'));
});

test('an order that does not match its filter is left out and reported', async () => {
  const wrong = (matching: readonly Resting[]) =>
    matching.map((order, index) => (index === 1 ? order : { ...order, account_id: 'X' }));
  const set = await read(exchangeOf(ordersOf(3, 'Future', 1), wrong), [], directory, { account_id: 'A' });
  expect(set).toMatchObject({
    complete: false,
    orders: ordersOf(3, 'Future', 1).slice(1, 2),
    parts: [{ count: 1 }],
    unproven: [
      '2 of 3 orders read with account_id=A are left out: not requested (account_id: expected A, found string "X").',
    ],
  });
});

test('an order that is closed or from the future is left out and reported; the text of the others is the exchange’s', async () => {
  const texts = [
    '{"id":"1", "price":1.50}',
    '{"id":"2","status":"Closed","memo":"],[{\\"}"}',
    '{"id":"3","time":"2026-01-01T00:00:00Z"}',
    '{"id":"4","price":2.00, "legs":[{}]}',
  ];
  const split = await readInParts(
    { ...neverSplit, readPart: (filter) => Promise.resolve(partOf(filter, ` [${texts.join(', ')}]`)) },
    {},
  );
  const text = describeAt0(split);
  expect(text).toContain(`"orders":[${texts[0] ?? ''},${texts[3] ?? ''}]`);
  expect(JSON.parse(text)).toMatchObject({
    complete: false,
    parts: [{ count: 2 }],
    unproven: [
      '1 of 4 orders read with no filter is left out: not requested (status: expected another status, found string "Closed").',
      '1 of 4 orders read with no filter is left out: in the future (time: expected 2023-11-14T22:14:20Z or earlier, found string "2026-01-01T00:00:00Z").',
    ],
  });
});

test('more orders than one response may hold are used, but the set is not complete', async () => {
  const rows = Array.from({ length: WORKING_ORDERS_LIMIT + 1 }, (_, index) => ({ id: String(index) }));
  const readPart = (filter: Filter) => Promise.resolve(partOf(filter, JSON.stringify(rows)));
  const set = JSON.parse(describeAt0(await readInParts({ ...neverSplit, readPart }, {}))) as object;
  expect(set).toMatchObject({
    complete: false,
    orders: { length: rows.length },
    unproven: [
      'The exchange returned 10001 orders with no filter, although it rejects requests that match more than 10,000: more may exist.',
    ],
  });
});

test('connection ids match regardless of case', async () => {
  const rows = ordersOf(2, 'Future', 1).map((order) => ({ ...order, connection_id: '3f' }));
  const readPart: PartReader['readPart'] = (filter) => Promise.resolve(partOf(filter, JSON.stringify(rows)));
  expect(await read(readPart, [], directory, { connection_id: '3F' })).toMatchObject({ complete: true, unproven: [] });
  expect(await read(readPart, [], directory, { connection_id: '4F' })).toMatchObject({ complete: false });
});

test('an order in two parts is reported', async () => {
  const same = (matching: readonly Resting[]) => matching.map((order) => ({ ...order, id: 'same' }));
  const set = await read(exchangeOf([...ordersOf(2, 'Future', 1), ...ordersOf(2, 'Spread', 3)], same));
  expect(set.unproven).toEqual(['Orders received more than once: 3.']);
});

test('a page of orders instead of a list is unreadable', async () => {
  const readPart: PartReader['readPart'] = async (filter) =>
    partOf(filter, await Promise.resolve('{"data":[{"id":"1"}],"pagination":{"cursor":null}}'));
  await expect(read(readPart)).rejects.toMatchObject({ problem: { type: 'venue-answer-unreadable' } });
});

test('any other failure of a part fails the whole: nothing is left out silently', async () => {
  const readPart = () => Promise.reject(new VenueFailure({ type: 'venue-timeout', detail: 'late' }));
  await expect(read(readPart)).rejects.toMatchObject({ problem: { type: 'venue-timeout' } });
});
