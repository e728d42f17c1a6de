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
] as unknown as readonly DeskProduct[];

it.each([
  ['', [1, 2, 44]],
  ['btc PERPETUAL ', [1]],
  ['bit', [1, 2]],
  ['44', [44]],
])('“%s”: every word must occur in a name, in any case and order', (text, ids) => {
  expect(
    createLiteralSearch(products)
      .find(text)
      .map(({ product_id: id }) => id),
  ).toEqual(ids);
});
