import { expect, test } from 'vitest';
import { DESK_ANSWERS } from '#contract/desk.ts';
import { createParser } from '#contract/parse.ts';
import { wireAnswers } from '#testing/wire-answers.ts';
import { createBody } from '../body.ts';
import { VenueFailure, type Served } from '../ports.ts';
import { readDirectory } from './directory.ts';
import { provenanceOf } from './provenance.ts';
import { describeWorkingSet } from './working.ts';
import { readParts, toPart, type SplitParts } from './working-parts.ts';

/** What the desk puts together is what the contract tells its pages to expect, to the last field. */

function served(value: unknown): Served {
  const answer = {
    body: createBody([Buffer.from(JSON.stringify(value))]),
    contentType: 'application/json',
    answeredAt: 1_787_010_321_496,
    tag: '"x"',
  };
  return { answer, how: 'miss', freshSeconds: 4, staleBecause: null };
}

const working = createParser(DESK_ANSWERS.working.response, DESK_ANSWERS.working.rows);
const products = createParser(DESK_ANSWERS.products.response, DESK_ANSWERS.products.rows);
const [order] = wireAnswers.ordersWorking;
const spread = { ...order, id: '7674028327896836524', product_type: 'Spread' };
const readWorkingSet = async (parts: SplitParts, filter: Readonly<Record<string, string>>) => describeWorkingSet(await readParts(parts, filter), 0);

test('the working set, in one part and in several', async () => {
  const asked: object[] = [];
  const parts = {
    ask: async (filter: Readonly<Record<string, string>>) => {
      asked.push(filter);
      await Promise.resolve();
      if (Object.keys(filter).length < 1)
        throw new VenueFailure({ type: 'too-many-working-orders', detail: 'More than 10000.' });
      return toPart(filter, served([order, spread].filter(({ product_type }) => product_type === filter['product_type'])));
    },
    mostAtOnce: 1,
    directory: () => Promise.resolve({ directory: { source: 'product/specs', read_at: '', products: [] }, provenance: provenanceOf(served([])) } as const),
    accounts: () => Promise.reject(new Error('not asked for')),
  };
  const split = working.strict(await readWorkingSet(parts, {}));
  expect(split).toMatchObject({ complete: true, orders: [order, spread], parts: [{ count: 1 }, { count: 1 }, { count: 0 }] });
  expect(split.parts.map(({ filter }) => filter)).toEqual(asked.slice(1));
  expect(working.strict(await readWorkingSet(parts, { product_type: 'Future' })).parts).toHaveLength(1);
});

test('a working set of which nothing could be read', async () => {
  const refuse = () =>
    Promise.reject(new VenueFailure({ type: 'too-many-working-orders', detail: 'More than 10000.' }));
  const parts = {
    ask: refuse,
    mostAtOnce: 1,
    directory: () => Promise.reject(new Error('not asked for')),
    accounts: () => Promise.resolve([]),
  };
  const set = working.strict(await readWorkingSet(parts, { product_id: '5599', account_id: 'A-17' }));
  expect(set).toMatchObject({ complete: false, orders: [], parts: [], read_from: null, read_to: null });
  expect(set.unproven).toHaveLength(1);
});

test('the directory, from specifications and from what other answers teach', async () => {
  const { signal } = new AbortController();
  const offered = { ask: () => Promise.resolve(served(wireAnswers.productSpecs)) };
  expect(products.strict(JSON.stringify((await readDirectory(offered, signal)).directory)).products).toEqual(
    wireAnswers.productSpecs,
  );

  const learnt = {
    ask: (name: keyof typeof wireAnswers) =>
      name === 'productSpecs'
        ? Promise.reject(new VenueFailure({ type: 'not-found', detail: 'There is no such path.' }))
        : Promise.resolve(served(wireAnswers[name])),
  };
  expect(products.strict(JSON.stringify((await readDirectory(learnt, signal)).directory))).toMatchObject({
    source: 'learnt from other answers',
    products: [{ product_id: 1_547, base_symbol: 'PBU' }],
  });
});
