import { expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { toOrderDepth } from './order-depth.ts';
import { toNotional, toPrice, toTicks } from './order-figures.ts';
import { toRowStatus } from './order-status.ts';
import { toOrderTotals } from './order-totals.ts';
import { findProductConflict } from './product-conflict.ts';

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
    { value: null, unit: 'USD', withheld: doubtful.terms.doubt },
    { value: null, withheld: doubtful.terms.doubt },
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
