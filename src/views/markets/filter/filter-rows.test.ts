import { expect, it } from 'vitest';
import type { MarketRow } from '#domain/market-rows.ts';
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
const everything = { text: '', type: 'all', marked: null };

function found(filter: Partial<Parameters<typeof filterRows>[1]>): readonly number[] {
  return filterRows(rows, { ...everything, ...filter }).map(({ productId }) => productId);
}

it('without a filter everything is left', () => {
  expect(found({})).toEqual([1, 2, 3, 44]);
});

it('every word has to occur somewhere, in any case and order', () => {
  expect(found({ text: 'btc PERPETUAL ' })).toEqual([1]);
  expect(found({ text: 'bit' })).toEqual([1, 2]);
});

it('a product that is only a number is found by it', () => {
  expect(found({ text: '44' })).toEqual([44]);
});

it('type and favourites narrow it further', () => {
  expect(found({ type: 'perpetual' })).toEqual([1, 3]);
  expect(found({ type: 'perpetual', marked: new Set([2, 3]) })).toEqual([3]);
});
