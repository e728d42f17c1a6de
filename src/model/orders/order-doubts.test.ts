import { expect, it } from 'vitest';
import { type DeskProduct, DeskProducts } from '#contract/desk/desk.ts';
import { VOIDataPoint } from '#contract/exchange/market-data.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import type { Order } from '#contract/exchange/order.ts';
import { ProductData } from '#contract/exchange/product.ts';
import { list } from '#contract/exchange/schema.ts';
import { createParser } from '#contract/parse/parse.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { Decimal } from '../units/decimal.ts';
import { createOrderDoubts } from './order-doubts.ts';
import { toFilledNotional, toNotional, toPrice, toRemaining } from './order-figures.ts';
import { toRowStatus, type OrderRow } from './order-row.ts';
import { type ChecksOf, createMarketPriceOf, createTerms } from './order-terms.ts';
import { toFilledTotals, toOrderTotals } from './order-totals.ts';

const PRODUCTS = [
  { product_id: 1, symbol: 'PERP', type: 'perpetual', price_increment: 5, contract_size: 10, max_order_quantity: 100 },
  { product_id: 2, symbol: 'SPREAD', type: 'spread', price_increment: 5, contract_size: 10, max_order_quantity: 100 },
  { product_id: 3, symbol: 'CALL', type: 'option', price_increment: 5, contract_size: 10, max_order_quantity: 100 },
  { product_id: 4, symbol: 'PLAIN', type: 'future', price_increment: 5, contract_size: 10 },
];
const TYPES = ['Future', 'Spread', 'Option', 'Future'];

/** On 18 August the mean price was 1,500 ticks, and later 1,000. */
const VOI = [
  ['2026-08-18', 1_500],
  ['2026-08-20', 1_000],
  ['2026-08-21', 1_000],
] as const;

const agreed: ChecksOf = () => ({
  checks: { comparisons: [], reasons: new Map<never, never>() },
  check: { verdict: 'agrees', comparison: null, reason: null },
});
const source = {
  endpoint: '',
  target: '',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 0,
  cache: 'miss',
  requestId: null,
} as const;

/** Settled on 21 August at 1,000 ticks; the last trade was at 1,100. */
const DATA = {
  last_price: 1_100,
  last_price_time: '2026-08-22T02:00:00Z',
  settlement_price: 1_000,
  settlement_time: '2026-08-21T21:00:00Z',
  low_price: 950,
  high_price: 1_150,
  price_change: 100,
};

function rowOf(fields: object, data: object = DATA, respondedAt: string | null = null, areLive = false): OrderRow {
  const productId = 'product_id' in fields ? Number(fields.product_id) : 1;
  const product = PRODUCTS[productId - 1];
  const products = createParser(DeskProducts, 'products').tolerant(
    JSON.stringify({ source: 'product/specs', read_at: '2026-08-17T00:00:00Z', products: PRODUCTS }),
  ).value?.products;
  const prices = createParser(list(ProductData)).tolerant(
    JSON.stringify(
      PRODUCTS.map(({ product_id: id }) => ({ ...sampleResponses.productDataAll[0], ...data, product_id: id })),
    ),
  ).value;
  const voi = createParser(list(VOIDataPoint)).tolerant(
    JSON.stringify(
      VOI.map(([date, ticks]) => ({
        ...sampleResponses.chartVoi[0],
        date,
        productId,
        volume: 4,
        notionalVolume: 4 * ticks * 5 * 10 * 100,
        openInterest: null,
        notionalOpenInterest: null,
      })),
    ),
  ).value;
  const market = { ...source, respondedAt: respondedAt as Instant | null, value: prices ?? [] };
  const doubtOf = createOrderDoubts(market, { ...source, value: voi ?? [] }, areLive);
  const termsOf = createTerms(products ?? [], agreed, createMarketPriceOf(market), doubtOf);
  const orders = readOrders([
    {
      symbol: product?.symbol,
      product_type: TYPES[productId - 1],
      status: 'Working',
      time_in_force: 'GTC',
      time: '2026-08-21T22:00:00Z',
      last_modified: '2026-08-21T22:00:01Z',
      side: 'Bid',
      price: 1_000,
      quantity_requested: 10,
      quantity_filled: 0,
      avg_price: null,
      ...fields,
      product_id: productId,
    },
  ]);
  const [row] = toRows(orders, termsOf);
  if (row === undefined) throw new Error('no row');
  return row;
}

const filled = { quantity_filled: 5, avg_price: 1_000 };

it.each([
  ['a bid that any seller would have filled', { price: 3_500 }, 'Price'],
  ['an ask that any buyer would have filled', { side: 'Ask', price: 300 }, 'Price'],
  ['an ask a thousand times above the market', { side: 'Ask', price: 1_000_000 }, 'Price'],
  ['a bid at no price', { price: 0 }, 'Price'],
  ['a bid below zero', { price: -5 }, 'Price'],
  ['far more contracts than the exchange accepts', { quantity_requested: 1_001 }, 'Quantity'],
  ['the same for an option', { product_id: 3, quantity_requested: 1_001 }, 'Quantity'],
  ['fills above all prices since acceptance', { ...filled, avg_price: 2_900 }, 'Avg price'],
  ['fills below all prices since acceptance', { ...filled, avg_price: 450 }, 'Avg price'],
  ['a closed order with such fills', { ...filled, avg_price: 2_900, status: 'Closed' }, 'Avg price'],
  ['a day order of a session before the last', { time_in_force: 'Day', time: '2026-08-20T20:59:59Z' }, 'Status'],
  [
    'a day order of a dated future before the weekend',
    { product_id: 4, time_in_force: 'Day', time: '2026-08-20T20:59:59Z' },
    'Status',
  ],
])('%s is in doubt', (_, fields, of) => {
  expect(rowOf(fields).terms.doubt).toMatchObject({ of });
});

it.each([
  ['a bid far below the market', { price: 1 }],
  ['an ask ten times above it', { side: 'Ask', price: 11_000 }],
  ['a bid above the last trade', { price: 2_000 }],
  ['an ask below it', { side: 'Ask', price: 500 }],
  ['a large order', { quantity_requested: 1_000 }],
  ['a spread at a negative price', { product_id: 2, price: -5_000 }],
  ['a spread at zero', { product_id: 2, price: 0 }],
  ['an option above its last trade', { product_id: 3, price: 40_000 }],
  ['an option below it', { product_id: 3, side: 'Ask', price: 1 }],
  ['an order without a published limit', { product_id: 4, quantity_requested: 1_000_000 }],
  ['a closed order at a price of an earlier time', { status: 'Closed', price: 90_000 }],
  ['fills of a day with other prices', { ...filled, time: '2026-08-19T12:00:00Z', avg_price: 2_900 }],
  ['fills before the days that are known', { ...filled, time: '2026-08-01T12:00:00Z', avg_price: 90_000 }],
  ['fills of an option', { ...filled, product_id: 3, avg_price: 90_000 }],
  ['a day order of the last session, which may not be over', { time_in_force: 'Day', time: '2026-08-20T21:00:00Z' }],
  ['an order until cancelled of long ago', { time: '2025-08-18T20:00:00Z' }],
])('%s is not', (_, fields) => {
  expect(rowOf(fields).terms.doubt).toBeNull();
});

it('a day order of the last session is in doubt half a day after its settlement', () => {
  const order = { time_in_force: 'Day', time: '2026-08-21T20:59:59Z' };
  const doubtAt = (respondedAt: string) => rowOf(order, DATA, respondedAt).terms.doubt;
  expect(doubtAt('2026-08-22T09:00:00Z')).toBeNull();
  expect(doubtAt('2026-08-22T09:00:01Z')).toEqual({
    of: 'Status',
    reason: 'It is a Day order of the session of 21 Aug 2026, which is over, so its quantity is in no sum.',
  });
});

it('an order that still rests beyond a later trade is in doubt', () => {
  const doubtOf = (fields: object, areLive = true) => rowOf(fields, DATA, null, areLive).terms.doubt;
  expect(doubtOf({ price: 1_250 })).toEqual({
    of: 'Price',
    reason:
      'The bid is at 1,250 ticks, but trades and settlements are at 950 to 1,150 ticks, and later than it at 1,100: it ' +
      'would have been filled. So nothing is computed from its price.',
  });
  expect(doubtOf({ side: 'Ask', price: 990 })).toMatchObject({ of: 'Price' });
  expect([
    doubtOf({ price: 1_210 }),
    doubtOf({ side: 'Ask', price: 1_000 }),
    doubtOf({ price: 1_250, last_modified: '2026-08-22T01:59:00Z' }),
    doubtOf({ product_id: 2, price: 1_250 }),
    doubtOf({ price: 1_250 }, false),
  ]).toEqual([null, null, null, null, null]);
});

it('nothing is in doubt without prices of the market', () => {
  const none = { ...DATA, last_price: null, settlement_price: null, low_price: null, high_price: null };
  expect(rowOf({ price: 1_000_000 }, { ...none, last_price_time: null, settlement_time: null }).terms.doubt).toBeNull();
});

it('what is in doubt is withheld with the reason, and in no sum', () => {
  const [price, quantity, average] = [
    rowOf({ ...filled, price: 3_500 }),
    rowOf({ quantity_requested: 1_001 }),
    rowOf({ ...filled, avg_price: 2_900 }),
  ];
  expect(toPrice(price)).toMatchObject({
    value: null,
    withheld:
      'The bid is at 3,500 ticks, but trades and settlements are at 950 to 1,150 ticks: it would have been filled. ' +
      'So nothing is computed from its price.',
  });
  expect(toRemaining(price).value?.toFixed()).toBe('5');
  expect(toPrice(quantity).value?.toFixed()).toBe('5000');
  expect(toRemaining(quantity)).toMatchObject({
    value: null,
    withheld: expect.stringContaining('1,001 contracts') as string,
  });
  expect(toNotional(quantity).value).toBeNull();
  expect(toPrice(average).value?.toFixed()).toBe('5000');
  expect(toFilledNotional(average)).toMatchObject({
    value: null,
    withheld: expect.stringContaining('2,900 ticks') as string,
  });
  expect([price, quantity, average].map((row) => toRowStatus(row).label)).toEqual([
    'Price in doubt',
    'Quantity in doubt',
    'Avg price in doubt',
  ]);
  const [bids] = toOrderTotals([price, quantity, average]).sides;
  expect(bids).toMatchObject({ orders: 3, uncounted: 1, withoutUsd: 1, doubtful: 3 });
  expect([bids?.remaining?.toFixed(), bids?.values.outright?.toFixed()]).toEqual(['10', '250000']);
  expect(toFilledTotals([average])).toMatchObject([{ unvalued: 1, value: null }]);
});

/** Returns a function that finds the doubt about a fill by its order’s day. The first 50 days were at 3,000 ticks. */
function startFills(onRead = () => undefined) {
  const start = Date.parse('2024-01-01');
  const days = Array.from({ length: 100 }, (_, day) => ({
    date: new Date(start + day * 86_400_000).toISOString().slice(0, 10),
    productId: 1,
    get volume() {
      onRead();
      return 4;
    },
    notionalVolume: 4 * (day < 50 ? 3_000 : 1_000) * 5 * 10 * 100,
    openInterest: null,
    notionalOpenInterest: null,
  })) as unknown as readonly VOIDataPoint[];
  const row = { ...sampleResponses.productDataAll[0], ...DATA, product_id: 1 } as unknown as ProductData;
  const doubtOf = createOrderDoubts({ ...source, value: [row] }, { ...source, value: days });
  const product = { product_id: 1, type: 'perpetual' } as unknown as DeskProduct;
  const terms = { product, usdPerTick: { times: 5, per: 1 }, contractSize: new Decimal(10) };
  return (day: number, average = 5_000) => {
    const time = new Date(start + day * 86_400_000).toISOString();
    const order = { product_id: 1, status: 'Closed', quantity_requested: 1, avg_price: average, time };
    return doubtOf(order as unknown as Order, terms);
  };
}

it('a price of hundreds of digits is written in a few', () => {
  expect(startFills()(60, 1e300)?.reason).toMatch(/^The average price is 1e\+300 ticks, but prices since/);
});

it('the days of a product are read once, not for each of its orders', () => {
  let reads = 0;
  const doubtAt = startFills(() => void (reads += 1));
  // The day before that of acceptance counts. Earlier days are unknown, and later ones need none.
  expect([0, 1, 50, 51, 100, 500].map((day) => doubtAt(day)?.of ?? null)).toEqual([
    ...[null, null, null],
    ...['Avg price', 'Avg price', 'Avg price'],
  ]);
  for (let day = 51; day < 100; day += 1) expect(doubtAt(day)?.of).toBe('Avg price');
  expect(reads).toBeLessThanOrEqual(300);
});
