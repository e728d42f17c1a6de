import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import type { Sourced } from '../response.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { toRunningChange, toRunningSession } from './running-session.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { asTicks, byIncrement } from '../units/quantity.ts';

const [sample] = sampleResponses.productDataAll;

function dataOf(changed: object): Sourced<ProductData> {
  const { value } = createParser(ENDPOINTS.productData.response).tolerant(
    JSON.stringify({
      ...sample,
      settlement_price: 200,
      settlement_time: '2026-11-16T22:00:00Z',
      last_price: 210,
      last_price_time: '2026-11-17T14:00:00Z',
      low_price: 190,
      high_price: 220,
      price_change: 10,
      ...changed,
    }),
  );
  return { value: value ?? expect.fail('no product data') } as Sourced<ProductData>;
}

it('the change since the newest settlement is a ratio of ticks, with the session that runs', () => {
  const change = toRunningChange({ type: 'future' }, dataOf({}));
  expect([change?.date, change?.since, change?.fraction.value.toFixed()]).toEqual(['2026-11-17', '2026-11-16', '0.05']);
});

it('there is none before a trade since the settlement, nor where the change is no number or contradicts the prices', () => {
  const none = [
    { last_price_time: '2026-11-16T21:00:00Z' },
    { price_change: null },
    { price_change: 50 },
    { settlement_time: null },
    { last_price: 240, price_change: 40 },
  ].map((changed) => toRunningChange({ type: 'future' }, dataOf(changed)));
  expect(none).toEqual([null, null, null, null, null]);
});

const source = {
  endpoint: 'productData',
  target: '/api/product/data/1602',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 1,
  cache: 'hit',
  requestId: null,
} as const;
/** Settled on Tuesday at 16:00 in Chicago, and traded since then. */
const running = {
  settlement_time: '2026-11-24T22:00:00Z',
  last_price_time: '2026-11-25T14:30:00.5Z',
  open_price: 100,
  high_price: 120,
  low_price: 90,
  last_price: 110,
  volume: 7,
};
const product = {
  product_id: 1_602,
  symbol: 'BUSH27',
  type: 'future',
  price_increment: 0.05,
} as unknown as DeskProduct;
const inUsd = byIncrement(product, null) ?? asTicks;

function read(changes: object): Sourced<ProductData> {
  const { value } = createParser(ENDPOINTS.productData.response).tolerant(
    JSON.stringify({ ...sampleResponses.productData, ...running, ...changes }),
  );
  return { ...source, value } as Sourced<ProductData>;
}

function runningOf(changes: object = {}, type = 'future') {
  return toRunningSession({ ...product, type } as DeskProduct, read(changes), inUsd);
}

describe('the running session', () => {
  it('has its prices in USD by the tick size, its volume, and the time of its last trade', () => {
    const session = runningOf();
    expect(
      [session?.open, session?.high, session?.low, session?.last].map((quantity) => quantity?.value.toFixed(2)),
    ).toEqual(['5.00', '6.00', '4.50', '5.50']);
    expect([session?.date, session?.lastTradeAt, session?.volume.value?.toNumber()]).toEqual([
      '2026-11-25',
      '2026-11-25T14:30:00.5Z',
      7,
    ]);
    expect(session?.low.provenance).toMatchObject({
      field: 'low_price',
      wireText: '90',
      source: { endpoint: 'productData' },
    });
  });

  it('is none before the first trade since the settlement', () => {
    expect([
      runningOf({ last_price_time: '2026-11-24T21:59:59Z' }),
      runningOf({ last_price_time: '2026-11-24T22:00:00Z' }),
      runningOf({ last_price_time: null }),
    ]).toEqual([null, null, null]);
  });

  it.each(['open_price', 'high_price', 'low_price', 'last_price'])('is none without %s', (field) => {
    expect(runningOf({ [field]: null })).toBeNull();
  });

  it('is none where its last price cannot be right', () => {
    expect(runningOf({ last_price: 121 })).toBeNull();
  });

  it('has no volume where that is withheld', () => {
    expect(toRunningSession(product, read({}), inUsd, 'It stands alone.')?.volume).toMatchObject({
      value: null,
      withheld: 'It stands alone.',
    });
  });

  it('is none where ticks cannot be converted', () => {
    expect(toRunningSession(product, read({}), asTicks)).toBeNull();
    expect(toRunningSession(product, read({}), { ...inUsd, withheld: 'The tick size is off.' })).toBeNull();
  });

  it('of a future runs on the next weekday, of a perpetual on the next day', () => {
    const friday = { settlement_time: '2026-11-27T22:00:00Z', last_price_time: '2026-11-27T23:10:00Z' };
    expect([runningOf(friday)?.date, runningOf(friday, 'perpetual')?.date]).toEqual(['2026-11-30', '2026-11-28']);
  });
});
