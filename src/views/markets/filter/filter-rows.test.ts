import { expect, it } from 'vitest';
import type { MarketRow } from '#domain/markets/market-rows.ts';
import { filterRows } from './filter-rows.ts';

function row(productId: number, product: object): MarketRow {
  return { productId, product } as MarketRow;
}

const rows = [
  row(1, { symbol: 'PBTCUCZ50', product_name: 'Perpetual Bitcoin', type: 'perpetual', contract_size_unit: 'BTC' }),
  row(2, { symbol: 'BUSZ26', product_name: 'Bitcoin Future', type: 'future', contract_size_unit: 'BTC' }),
  row(3, { symbol: 'PETHUIZ50', product_name: 'Perpetual Ethereum', type: 'perpetual', contract_size_unit: 'ETH' }),
  row(44, {}),
];
const unfiltered = { text: '', type: 'all', favourites: null };

function filter(changes: Partial<Parameters<typeof filterRows>[1]>): readonly number[] {
  return filterRows(rows, { ...unfiltered, ...changes }).map(({ productId }) => productId);
}

it('an empty filter keeps every row', () => {
  expect(filter({})).toEqual([1, 2, 3, 44]);
});

it('every word must match, in any case and order', () => {
  expect(filter({ text: 'btc PERPETUAL ' })).toEqual([1]);
  expect(filter({ text: 'bit' })).toEqual([1, 2]);
});

it('a product without a symbol is found by its id', () => {
  expect(filter({ text: '44' })).toEqual([44]);
});

it('type and favourites narrow the list further', () => {
  expect(filter({ type: 'perpetual' })).toEqual([1, 3]);
  expect(filter({ type: 'perpetual', favourites: new Set([2, 3]) })).toEqual([3]);
});
