import { describe, expect, it } from 'vitest';
import { ProductData } from '#contract/exchange/product.ts';
import { createParser } from '#contract/parse/parse.ts';
import { list } from '#contract/exchange/schema.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { createMarketPriceOf, createTerms } from './order-terms.ts';
import {
  toDistance,
  toDistanceBand,
  toDistanceTicks,
  toSortableDistance,
  toSortableDistanceTicks,
} from './order-distance.ts';

const source = {
  endpoint: 'productDataAll',
  target: '/api/product/data/',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 0,
  cache: 'miss',
  requestId: null,
} as const;
const parse = createParser(list(ProductData)).tolerant;

const UNTRADED = {
  last_price: null,
  last_price_time: null,
  settlement_price: 800,
  settlement_time: '2026-08-17T21:00:00Z',
  price_change: null,
};
const TRADED = { ...UNTRADED, last_price: 1_000, last_price_time: '2026-08-17T20:00:00Z' };
/** Since the settlement, the session ranged from 900 to 1,100. */
const IMPOSSIBLE = {
  ...TRADED,
  last_price: 5_000,
  last_price_time: '2026-08-17T22:00:00Z',
  low_price: 900,
  high_price: 1_100,
};

function rowOf(order: object, prices: object) {
  const rows = [{ ...sampleResponses.productDataAll[0], ...prices, product_id: 9 }];
  const marketOf = createMarketPriceOf({ ...source, value: parse(JSON.stringify(rows)).value ?? [] });
  const [row] = toRows(
    readOrders([{ product_id: 9, status: 'Working', ...order }]),
    createTerms([], () => null, marketOf),
  );
  if (row === undefined) throw new Error('no row');
  return row;
}

describe('the distance from the market', () => {
  it.each([
    ['a bid below the last trade', { side: 'Bid', price: 750 }, TRADED, '250', '0.25', 'Over 20 % away'],
    ['an ask above it', { side: 'Ask', price: 1_005 }, TRADED, '5', '0.005', 'Up to 1 % away'],
    ['a bid at it', { side: 'Bid', price: 1_000 }, TRADED, '0', '0', 'At or through the market'],
    ['an ask through it', { side: 'Ask', price: 900 }, TRADED, '-100', '-0.1', 'At or through the market'],
    [
      'an ask above the settlement, without a trade',
      { side: 'Ask', price: 1_200 },
      UNTRADED,
      '400',
      '0.5',
      'Over 20 % away',
    ],
    ['a bid exactly at the end of a band', { side: 'Bid', price: 950 }, TRADED, '50', '0.05', '1 to 5 % away'],
  ])('of %s is signed: positive is away', (_, order, prices, ticks, share, band) => {
    const row = rowOf(order, prices);
    expect([toDistanceTicks(row)?.value?.toFixed(), toDistance(row)?.value?.toFixed()]).toEqual([ticks, share]);
    expect([toSortableDistanceTicks(row), toSortableDistance(row)]).toEqual([Number(ticks), Number(share) * 100]);
    expect(toDistanceBand(row)).toBe(band);
  });

  it('of a spread is in ticks only', () => {
    const row = rowOf({ side: 'Bid', price: -20, product_type: 'Spread' }, { ...UNTRADED, settlement_price: -15 });
    expect([
      toDistanceTicks(row)?.value?.toFixed(),
      toDistance(row),
      toSortableDistance(row),
      toDistanceBand(row),
    ]).toEqual(['5', null, null, 'Distance not known']);
  });

  it.each([
    ['a closed order', { status: 'Closed' }, TRADED],
    ['a product without prices', {}, { ...UNTRADED, settlement_price: null, settlement_time: null }],
  ])('of %s does not exist', (_, order, prices) => {
    const row = rowOf({ side: 'Bid', price: 1, ...order }, prices);
    expect([toDistanceTicks(row), toDistance(row), toSortableDistanceTicks(row), toSortableDistance(row)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('is withheld with the price that it is measured from', () => {
    const row = rowOf({ side: 'Bid', price: 900 }, IMPOSSIBLE);
    expect(toDistance(row)).toMatchObject({
      value: null,
      withheld: 'The last price is outside the low and high of its session, so it is withheld.',
    });
    expect(toSortableDistance(row)).toBeNull();
  });
});
