import { expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { createLiteralSearch } from './use-lazy-product-search.ts';

const products = [
  {
    product_id: 1,
    symbol: 'PBTCUCZ50',
    product_name: 'Perpetual Bitcoin',
    type: 'perpetual',
    contract_size_unit: 'BTC',
  },
  { product_id: 2, symbol: 'BUSZ26', product_name: 'Bitcoin Future', type: 'future', contract_size_unit: 'BTC' },
  { product_id: 44 },
  { product_id: 5, symbol: 'BUSU26-BUSZ27', product_name: 'Calendar Spread', type: 'spread' },
  { product_id: 6, symbol: 'BUSZ27', product_name: 'Future', type: 'future' },
] as unknown as readonly DeskProduct[];

it.each([
  ['', [1, 2, 44, 5, 6]],
  ['btc PERPETUAL ', [1]],
  ['bit', [1, 2]],
  ['44', [44]],
  ['busz27', [6, 5]],
])('“%s”: every word must occur in a name, in any case and order, and a whole symbol comes first', (text, ids) => {
  expect(
    createLiteralSearch(products)
      .find(text)
      .map(({ product_id: id }) => id),
  ).toEqual(ids);
});
