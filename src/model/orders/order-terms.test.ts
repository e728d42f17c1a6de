import { describe, expect, it } from 'vitest';
import { type DeskProduct, DeskProducts } from '#contract/desk/desk.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { toOrderDepth } from './order-depth.ts';
import { toNotional, toPrice, toSortableUnderlying, toTicks, toUnderlyingNotional } from './order-figures.ts';
import { toRowStatus } from './order-row.ts';
import { toOrderTotals } from './order-totals.ts';
import { type ChecksOf, createMarketPriceOf, createTerms, findProductConflict } from './order-terms.ts';
import { createParser } from '#contract/parse/parse.ts';
import { list } from '#contract/exchange/schema.ts';
import { ProductData } from '#contract/exchange/product.ts';
import { sampleResponses } from '#testing/sample-responses.ts';

const find = (order: object, product: object) =>
  findProductConflict(
    { product_id: 5, symbol: 'PERP', product_type: 'Future', ...order } as never,
    { product_id: 5, symbol: 'PERP', type: 'perpetual', ...product } as unknown as DeskProduct,
  );

it('an order must have the symbol and the type of its product', () => {
  expect(find({ symbol: 'GOOD' }, {})).toBe(
    'Its symbol is GOOD, but product 5 is PERP, so nothing is computed from its price.',
  );
  expect(find({ product_type: 'Option' }, {})).toBe(
    'Its product type is Option, but PERP is a perpetual, so nothing is computed from its price.',
  );
  expect(find({}, { type: 'spread' })).toMatch('PERP is a spread');
});

it.each([
  [{}, {}],
  [{}, { type: 'future' }],
  [{ product_type: 'Spread' }, { type: 'spread' }],
  [{ product_type: 'Option' }, { type: 'option' }],
  [{ symbol: 'perp' }, {}],
  [{ product_type: 'Swap' }, {}],
  [{}, { type: 'spot' }],
  [{}, { type: undefined, symbol: undefined }],
])(
  '%j of %j is no contradiction: names of an exchange may be in any case, and unknown types are not compared',
  (order, product) => {
    expect(find(order, product)).toBeNull();
  },
);

it('of an order whose product is in doubt only what the exchange says is shown', () => {
  const [sound, doubtful, unlisted] = toRows(
    readOrders(
      [
        { id: '1', product_id: 1 },
        { id: '2', product_id: 1, symbol: 'FINE' },
        { id: '3', product_id: 9 },
      ].map((fields) => ({ ...fields, side: 'Bid', price: 100 })),
    ),
  );
  if (!sound || !doubtful || !unlisted) expect.fail();
  expect([toPrice(doubtful), toNotional(doubtful)]).toMatchObject([
    { value: null, unit: 'USD', withheld: doubtful.terms.doubt?.reason },
    { value: null, withheld: doubtful.terms.doubt?.reason },
  ]);
  expect(toTicks(doubtful).value?.toFixed()).toBe('100');
  expect([sound, doubtful, unlisted].map((row) => toRowStatus(row).label)).toEqual([
    'Partially filled',
    'Product in doubt',
    'Partially filled',
  ]);
  expect(toRowStatus(doubtful).explanation).toMatch(
    /^The exchange reports Working; .* Its symbol is FINE, but product 1 is GOOD/,
  );
  expect(toOrderTotals([sound, doubtful]).sides).toMatchObject([
    { orders: 2, withoutUsd: 1, values: { outright: toNotional(sound).value } },
  ]);
  expect(toOrderDepth([sound, doubtful])).toMatchObject({ unit: 'USD', bids: [{ orders: 1 }] });
});

const PRODUCTS = [
  { product_id: 1, symbol: 'NEAR', type: 'future', price_increment: 5, contract_size: 10 },
  { product_id: 2, symbol: 'FAR', type: 'future', price_increment: 5, contract_size: 10 },
  {
    product_id: 3,
    symbol: 'NEAR-FAR',
    type: 'spread',
    price_increment: 5,
    contract_size: 10,
    legs: [
      { product_id: 1, weight: 2 },
      { product_id: 2, weight: -2 },
    ],
  },
  { product_id: 4, symbol: 'CALL', type: 'option', price_increment: 1, contract_size: 2, underlying_product: 1 },
  { product_id: 5, symbol: 'LOST', type: 'option', price_increment: 1, contract_size: 2 },
];
/** In ticks. */
const PRICES = [
  [1, 100],
  [2, 101],
  [3, -1],
  [4, 7],
  [5, 7],
] as const;

const checks = { comparisons: [], reasons: new Map<never, never>() };
const agreed: ChecksOf = () => ({ checks, check: { verdict: 'agrees', comparison: null, reason: null } });
const off: ChecksOf = ({ symbol }) => ({
  checks,
  check:
    symbol === 'NEAR'
      ? { verdict: 'off', comparison: null, reason: 'It is off.' }
      : { verdict: 'agrees', comparison: null, reason: null },
});

function termsOf(checksOf: ChecksOf) {
  const directory = { source: 'product/specs', read_at: '2026-08-17T00:00:00Z', products: PRODUCTS };
  const data = PRICES.map(([id, price]) => ({
    ...sampleResponses.productDataAll[0],
    product_id: id,
    last_price: price,
    low_price: null,
    high_price: null,
    price_change: null,
  }));
  const source = {
    endpoint: 'productDataAll',
    target: '',
    respondedAt: null,
    receivedAt: 0,
    ageSeconds: 0,
    cache: 'miss',
    requestId: null,
  } as const;
  const value = createParser(list(ProductData)).tolerant(JSON.stringify(data)).value ?? [];
  return createTerms(
    createParser(DeskProducts, 'products').tolerant(JSON.stringify(directory)).value?.products ?? [],
    checksOf,
    createMarketPriceOf({ ...source, value }),
  );
}

const TYPES = ['Future', 'Future', 'Spread', 'Option', 'Option'];

const rowsOf = (checksOf: ChecksOf) =>
  toRows(
    readOrders(
      PRODUCTS.map(({ product_id: id, symbol }, at) => ({
        id: String(id),
        product_id: id,
        symbol,
        product_type: TYPES[at],
        side: 'Bid',
        status: 'Working',
        price: id === 3 ? -2 : 90,
        quantity_requested: 3,
        quantity_filled: 0,
        avg_price: null,
      })),
    ),
    termsOf(checksOf),
  );

describe('the underlying of an order', () => {
  it.each([
    ['a future', 0, '13500', '15000'],
    ['a spread: its first leg by its weight', 2, '-300', '30000'],
    ['an option: its underlying by its own contract size', 3, '540', '3000'],
    ['an option of an unknown product: none', 4, '540', undefined],
  ])('is that of %s', (_, at, notional, underlying) => {
    const row = rowsOf(agreed)[at];
    if (row === undefined) throw new Error('no row');
    expect([toNotional(row).value?.toFixed(), toUnderlyingNotional(row)?.value?.toFixed()]).toEqual([
      notional,
      underlying,
    ]);
    expect(toSortableUnderlying(row)).toBe(underlying === undefined ? null : Number(underlying));
  });

  it('is withheld where the tick size of what it stands for is off', () => {
    const withheld = rowsOf(off).map((row) => toUnderlyingNotional(row)?.withheld ?? null);
    expect(withheld).toEqual(['It is off.', null, 'It is off.', 'It is off.', null]);
  });

  it('has totals of its own, as has each kind of value', () => {
    const [bid] = toOrderTotals(rowsOf(agreed)).sides;
    const { outright, premium, difference } = bid?.values ?? {};
    expect([outright, premium, difference, bid?.underlying].map((sum) => sum?.toFixed())).toEqual([
      '27000',
      '1080',
      '300',
      '63150',
    ]);
    expect([bid?.products, bid?.withoutUnderlying]).toEqual([5, 1]);
  });
});
