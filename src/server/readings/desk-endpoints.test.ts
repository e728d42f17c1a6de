import { expect, test } from 'vitest';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import { createRowCheck } from '#contract/parse/row-check.ts';
import { createBody } from '#server/core/body.ts';
import { provenanceOf, type Served } from '#server/core/ports.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { readDirectory } from './products/product-directory.ts';
import { describeWorkingSet, findDoubts } from './working-orders/describe-working-set.ts';
import { type PartReader, readInParts, toPart } from './working-orders/working-sets.ts';

/** Composed responses match the contract to the last field. */

function served(value: unknown): Served {
  const response = {
    body: createBody([Buffer.from(JSON.stringify(value))]),
    contentType: 'application/json',
    respondedAt: 1_787_010_321_496,
    tag: '"x"',
  };
  return { response, outcome: 'miss', freshSeconds: 4, staleBecause: null };
}

const working = createParser(DESK_ENDPOINTS.working.response, DESK_ENDPOINTS.working.rows);
const products = createParser(DESK_ENDPOINTS.products.response, DESK_ENDPOINTS.products.rows);
const toWorkingCheck = (filter: Readonly<Record<string, string>>) =>
  createRowCheck(ENDPOINTS.ordersWorking, Object.entries(filter), null);
const [order] = sampleResponses.ordersWorking;
const spread = { ...order, id: '7674028327896836524', product_type: 'Spread' };
const readWorkingSet = async (reader: PartReader, filter: Readonly<Record<string, string>>) => {
  const split = await readInParts(reader, filter);
  return describeWorkingSet(split, findDoubts(split, 0));
};

test('the working set in one part and in several parts', async () => {
  const filters: object[] = [];
  const reader = {
    readPart: async (filter: Readonly<Record<string, string>>) => {
      filters.push(filter);
      await Promise.resolve();
      if (Object.keys(filter).length < 1)
        throw new VenueFailure({ type: 'too-many-working-orders', detail: 'More than 10000.' });
      return toPart(
        filter,
        served([order, spread].filter(({ product_type }) => product_type === filter['product_type'])),
        toWorkingCheck(filter),
      );
    },
    maxOrders: 1,
    directory: () =>
      Promise.resolve({
        directory: { source: 'product/specs', read_at: '', products: [] },
        provenance: provenanceOf(served([])),
      } as const),
    accounts: () => Promise.reject(new Error('must not be read')),
  };
  const split = working.strict(await readWorkingSet(reader, {}));
  expect(split).toMatchObject({
    complete: true,
    orders: [order, spread],
    parts: [{ count: 1 }, { count: 1 }, { count: 0 }],
  });
  expect(split.parts.map(({ filter }) => filter)).toEqual(filters.slice(1));
  expect(working.strict(await readWorkingSet(reader, { product_type: 'Future' })).parts).toHaveLength(1);
});

test('a working set of which no part could be read', async () => {
  const reject = () =>
    Promise.reject(new VenueFailure({ type: 'too-many-working-orders', detail: 'More than 10000.' }));
  const reader = {
    readPart: reject,
    maxOrders: 1,
    directory: () => Promise.reject(new Error('must not be read')),
    accounts: () => Promise.resolve([]),
  };
  const set = working.strict(await readWorkingSet(reader, { product_id: '5599', account_id: 'A-17' }));
  expect(set).toMatchObject({ complete: false, orders: [], parts: [], read_from: null, read_to: null });
  expect(set.unproven).toHaveLength(1);
});

test('the product directory from specifications and from other responses', async () => {
  const { signal } = new AbortController();
  const offered = { read: () => Promise.resolve(served(sampleResponses.productSpecs)) };
  expect(products.strict(JSON.stringify((await readDirectory(offered, signal)).directory)).products).toEqual(
    sampleResponses.productSpecs,
  );

  const inferred = {
    read: (name: keyof typeof sampleResponses) =>
      name === 'productSpecs'
        ? Promise.reject(new VenueFailure({ type: 'not-found', detail: 'There is no such path.' }))
        : Promise.resolve(served(sampleResponses[name])),
  };
  expect(products.strict(JSON.stringify((await readDirectory(inferred, signal)).directory))).toMatchObject({
    source: 'learnt from other answers',
    products: [{ product_id: 1_547, base_symbol: 'PBU' }],
  });
});
