import { expect, test } from 'vitest';
import { VENUES } from '#contract/exchange/addresses.ts';
import type { EndpointName } from '#contract/exchange/endpoints.ts';
import { createBody } from '#server/core/body.ts';
import { DESK_ITSELF, type Venue, type VenueRequest, type VenueResponse } from '#server/core/ports.ts';
import { type Problem, VenueFailure } from '#server/core/venue-failure.ts';
import { toVenueRequest } from '#server/core/venue-request.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { openTestStore, type TestStore } from '#testing/server-store/test-store.ts';
import { createReader } from './reader.ts';
import { createMemoryCache, openDiskCache } from './response-cache.ts';
import { createWideReader } from './wide-reads.ts';

const profile = VENUES['sandbox'] ?? expect.fail('There is no profile of the sandbox.');
const START = Date.parse('2026-08-17T12:00:00Z');
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

const [sampleData] = sampleResponses.productDataAll;
const dataOf = (product_id: number, settlement_time: string) => ({
  ...sampleData,
  product_id,
  settlement_time,
  last_price_time: null,
});
const [samplePrice] = sampleResponses.chartPrice;
const priceOf = (date: string) => ({ ...samplePrice, date, time: `${date}T20:00:00Z` });
const [sampleVoi] = sampleResponses.chartVoi;
const voiOf = (productId: number, date: string) => ({ ...sampleVoi, productId, date });

type Exchange = Partial<Record<EndpointName, unknown>>;

/** A reader before an exchange that responds at once with what it is given, or fails with a problem. */
async function open(given: Exchange, store?: TestStore) {
  const clock = createFakeClock(START);
  const sent: string[] = [];
  const exchange = { ...given };
  const venue: Venue = {
    read: ({ name, rawQuery }) => {
      sent.push(rawQuery === '' ? name : `${name}?${rawQuery}`);
      const answer = exchange[name];
      if (answer === undefined)
        return Promise.reject(new VenueFailure({ type: 'not-found', detail: 'There is nothing.' }));
      if (isProblem(answer)) return Promise.reject(new VenueFailure(answer));
      return Promise.resolve({
        body: createBody([Buffer.from(JSON.stringify(answer))]),
        contentType: 'application/json',
        respondedAt: clock.now(),
        tag: `"${String(sent.length)}"`,
      } satisfies VenueResponse);
    },
    state: () => ({
      ...{ baseUrl: '', clockOffsetMs: 0, ignoredDate: null, circuit: 'closed', retryMs: null, lastResponseAt: null },
      ...{ lastReads: new Map(), lastFailure: null, lastRejection: null },
    }),
    close: () => Promise.resolve(),
  };
  const reader = createWideReader({
    profile,
    reader: createReader({
      ...{ venue, memoryCache: createMemoryCache(1_000_000), now: clock.now, elapsed: clock.elapsed },
      diskCache: await openDiskCache(store ?? (await openTestStore()), 1_000_000),
      ...{ venueId: 'v', identity: '3f' },
    }),
    now: clock.now,
    venueNow: clock.now,
  });
  const read = async (request: VenueRequest) => {
    const { signal } = new AbortController();
    const served = await reader.read(request, { purpose: 'interactive', payers: DESK_ITSELF, signal });
    return { ...served, value: JSON.parse(served.response.body.toString()) as unknown };
  };
  return { clock, exchange, read, sentSince: () => sent.splice(0) };
}

function isProblem(answer: unknown): answer is Problem {
  return typeof answer === 'object' && answer !== null && 'type' in answer && 'detail' in answer;
}

const of = (name: EndpointName, id: string, query: VenueRequest['query'] = []): VenueRequest =>
  toVenueRequest(profile, name, name === 'trailingStats' ? { product_id: id } : { id }, query);
const since = (begin: string) => [['begin_time', `${begin}T00:00:00Z`]] as const;

test('figures of one product come from one read of all products', async () => {
  const rows = [dataOf(1, '2026-08-16T20:00:00Z'), dataOf(2, '2026-08-16T20:00:00Z')];
  const [stats] = sampleResponses.trailingStatsAll;
  const { read, sentSince } = await open({
    productDataAll: rows,
    trailingStatsAll: [1, 2].map((productId) => ({ ...stats, productId })),
    fundingRates: {
      data: [1, 2].map((product_id) => ({ ...sampleResponses.fundingRates.data[0], product_id })),
      pagination: {},
    },
  });
  for (const id of ['1', '2']) {
    expect((await read(of('productData', id))).value).toEqual(rows[Number(id) - 1]);
    expect((await read(of('trailingStats', id))).value).toMatchObject({ productId: Number(id) });
    const latest = toVenueRequest(profile, 'fundingRates', {}, [['product_id', id]]);
    expect((await read(latest)).value).toMatchObject({ data: [{ product_id: Number(id) }], pagination: {} });
  }
  expect(sentSince()).toEqual(['productDataAll', 'trailingStatsAll', 'fundingRates?limit=100']);
});

test('a product that the response for all lacks is read by itself', async () => {
  const { read, sentSince } = await open({ productDataAll: [dataOf(1, '')], productData: dataOf(3, '') });
  expect((await read(of('productData', '3'))).value).toMatchObject({ product_id: 3 });
  expect(sentSince()).toEqual(['productDataAll', 'productData']);
});

test('a latest rate that is on another page is read by itself', async () => {
  const [row] = sampleResponses.fundingRates.data;
  const { read, sentSince } = await open({
    fundingRates: { data: [{ ...row, product_id: 2 }], pagination: { cursor: 'more' } },
  });
  await read(toVenueRequest(profile, 'fundingRates', {}, [['product_id', '1']]));
  expect(sentSince()).toEqual(['fundingRates?limit=100', 'fundingRates?product_id=1']);
});

test('a product is read by itself while the read of all products fails', async () => {
  const row = dataOf(1, '2026-08-16T20:00:00Z');
  const { clock, exchange, read, sentSince } = await open({ productDataAll: [row], productData: row });
  await read(of('productData', '1'));
  sentSince();
  await clock.advance(61 * SECOND);
  exchange.productDataAll = { type: 'venue-fault', detail: 'Down.' };
  expect(await read(of('productData', '1'))).toMatchObject({
    staleBecause: null,
    response: { respondedAt: clock.now() },
  });
  expect(sentSince()).toEqual(['productDataAll', 'productData']);

  exchange.productData = exchange.productDataAll;
  await clock.advance(61 * SECOND);
  const { staleBecause, response } = await read(of('productData', '1'));
  expect({ staleBecause, respondedAt: response.respondedAt }).toEqual({
    staleBecause: exchange.productData,
    respondedAt: START + 61 * SECOND,
  });

  exchange.productDataAll = { type: 'budget-spent', detail: 'Wait.' };
  await clock.advance(61 * SECOND);
  sentSince();
  expect(await read(of('productData', '1'))).toMatchObject({ staleBecause: exchange.productDataAll });
  expect(sentSince()).toEqual(['productDataAll']);
});

test('ranges of up to a year are cut out of one read', async () => {
  const { read, sentSince } = await open({
    productDataAll: [dataOf(1, '2026-08-16T20:00:00Z')],
    chartPrice: ['2026-01-05', '2026-08-15', '2026-08-16'].map(priceOf),
    chartVoi: [voiOf(1, '2026-01-05'), voiOf(2, '2026-01-05'), voiOf(1, '2026-08-15')],
  });
  expect((await read(of('chartPrice', '1', since('2026-08-15')))).value).toEqual([
    priceOf('2026-08-15'),
    priceOf('2026-08-16'),
  ]);
  expect((await read(of('chartPrice', '1', since('2025-08-17')))).value).toHaveLength(3);
  const voi = (begin: string) => of('chartVoi', '', [['product_id', '1'], ...since(begin)]);
  expect((await read(voi('2026-08-01'))).value).toEqual([voiOf(1, '2026-08-15')]);
  expect((await read(voi('2025-08-17'))).value).toHaveLength(2);
  expect(sentSince()).toEqual([
    'productDataAll',
    'chartPrice?begin_time=2025-07-01T00:00:00Z',
    'chartVoi?begin_time=2025-07-01T00:00:00Z',
  ]);
  await read(of('chartPrice', '1', since('2020-01-01')));
  expect(sentSince()).toEqual(['chartPrice?begin_time=2020-01-01T00:00:00Z']);
});

test('a product without sessions costs one request for prices, and one for volume, which may be of an unknown product', async () => {
  const { read, sentSince } = await open({ productDataAll: [], chartPrice: [], chartVoi: [] });
  expect((await read(of('chartPrice', '1', since('2026-08-15')))).value).toEqual([]);
  await read(of('chartVoi', '', [['product_id', '1'], ...since('2026-08-15')]));
  expect(sentSince()).toEqual([
    'productDataAll',
    'chartPrice?begin_time=2025-07-01T00:00:00Z',
    'chartVoi?begin_time=2025-07-01T00:00:00Z',
    'chartVoi?product_id=1&begin_time=2026-08-15T00:00:00Z',
  ]);
});

test('past sessions are read again once another has settled, and every few hours', async () => {
  const { clock, exchange, read, sentSince } = await open({
    productDataAll: [dataOf(1, '2026-08-16T20:00:00Z')],
    chartPrice: [priceOf('2026-08-16')],
  });
  const prices = of('chartPrice', '1', since('2026-08-01'));
  await read(prices);
  sentSince();

  await clock.advance(5 * HOUR);
  const confirmed = await read(prices);
  expect(sentSince()).toEqual(['productDataAll']);
  expect(confirmed).toMatchObject({ outcome: 'hit', confirmedAt: clock.now(), response: { respondedAt: START } });
  expect(confirmed.freshSeconds).toBeGreaterThan(0);

  exchange.productDataAll = [dataOf(1, '2026-08-17T20:00:00Z')];
  await clock.advance(61 * SECOND);
  await read(prices);
  expect(sentSince()).toEqual(['productDataAll', 'chartPrice?begin_time=2025-07-01T00:00:00Z']);

  await clock.advance(7 * HOUR);
  await read(prices);
  expect(sentSince()).toEqual(['productDataAll', 'chartPrice?begin_time=2025-07-01T00:00:00Z']);
});

test('trading data of a day are read again only while it has not settled', async () => {
  const { clock, read, sentSince } = await open({ productDataAll: [dataOf(1, '2026-08-16T20:00:00Z')] });
  const days = ['2026-08-16', '2026-08-17'].map((day) => toVenueRequest(profile, 'productDataAll', {}, [['day', day]]));
  for (const day of days) await read(day);
  await clock.advance(61 * SECOND);
  sentSince();
  for (const day of days) await read(day);
  expect(sentSince()).toEqual(['productDataAll', 'productDataAll?day=2026-08-17']);
});

test('past sessions survive a restart', async () => {
  const store = await openTestStore();
  const given = { productDataAll: [dataOf(1, '2026-08-16T20:00:00Z')], chartPrice: [priceOf('2026-08-16')] };
  const prices = of('chartPrice', '1', since('2026-08-01'));
  await (await open(given, store)).read(prices);
  const restarted = await open(given, store);
  expect((await restarted.read(prices)).value).toEqual([priceOf('2026-08-16')]);
  expect(restarted.sentSince()).toEqual(['productDataAll']);
});

test('without current trading data, past sessions are as old as their own read', async () => {
  const { clock, read, sentSince } = await open({ chartPrice: [priceOf('2026-08-16')] });
  const prices = of('chartPrice', '1', since('2026-08-01'));
  await read(prices);
  await clock.advance(61 * SECOND);
  sentSince();
  expect(await read(prices)).not.toHaveProperty('confirmedAt');
  expect(sentSince()).toContain('chartPrice?begin_time=2025-07-01T00:00:00Z');
});

test('past sessions of a product that trading data lack are as old as their own read', async () => {
  const { clock, read, sentSince } = await open({
    productDataAll: [dataOf(2, '2026-08-16T20:00:00Z')],
    chartPrice: [priceOf('2026-08-16')],
  });
  const prices = of('chartPrice', '1', since('2026-08-01'));
  await read(prices);
  await clock.advance(61 * SECOND);
  sentSince();
  expect(await read(prices)).not.toHaveProperty('confirmedAt');
  expect(sentSince()).toEqual(['productDataAll', 'chartPrice?begin_time=2025-07-01T00:00:00Z']);
});

test('a response that does not match the interface is not used for hours', async () => {
  const { clock, read, sentSince } = await open({
    productDataAll: [dataOf(1, '2026-08-16T20:00:00Z')],
    chartPrice: [{ maintenance: true }],
  });
  const prices = of('chartPrice', '1', since('2026-08-01'));
  await read(prices);
  await clock.advance(HOUR);
  sentSince();
  await read(prices);
  expect(sentSince()).toContain('chartPrice?begin_time=2025-07-01T00:00:00Z');
});
