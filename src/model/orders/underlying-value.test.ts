import { describe, expect, it } from 'vitest';
import { DeskProducts } from '#contract/desk/desk.ts';
import { createParser } from '#contract/parse/parse.ts';
import { list } from '#contract/exchange/schema.ts';
import { ProductData } from '#contract/exchange/product.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { createMarketPriceOf } from './market-price.ts';
import { toNotional, toSortableUnderlying, toUnderlyingNotional } from './order-figures.ts';
import { createTerms, type ChecksOf } from './order-terms.ts';
import { toOrderTotals } from './order-totals.ts';

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
    answeredAt: null,
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
