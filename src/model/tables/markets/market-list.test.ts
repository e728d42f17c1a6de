import { describe, expect, it, test } from 'vitest';
import { NO_VALUE } from '../../format/number.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import { filterRows, fullNameOf, nameOf } from './market-list.ts';

function rowOf(product: Partial<MarketRow['product']>): MarketRow {
  return { productId: 7, product: { product_id: 7, ...product } } as MarketRow;
}

describe('the names of a product', () => {
  test('a product without a symbol is named by its id', () => {
    expect(nameOf(rowOf({}))).toBe('7');
    expect(nameOf(rowOf({ symbol: 'PBTCUCZ50' }))).toBe('PBTCUCZ50');
  });

  test('the full name is the exchange’s', () => {
    expect(fullNameOf(rowOf({ product_name: 'Perpetual Bitcoin US Dollar Centi Future' }))).toBe(
      'Perpetual Bitcoin US Dollar Centi Future',
    );
    expect(fullNameOf(rowOf({}))).toBe(NO_VALUE);
  });
});

function row(productId: number, fields: object): MarketRow {
  return { productId, product: { product_id: productId, ...fields } } as unknown as MarketRow;
}

const rows = [
  row(1, { symbol: 'PBTCUCZ50', product_name: 'Perpetual Bitcoin', type: 'perpetual', contract_size_unit: 'BTC' }),
  row(2, { symbol: 'BUSZ26', product_name: 'Bitcoin Future', type: 'future', contract_size_unit: 'BTC' }),
  row(3, { symbol: 'PETHUIZ50', product_name: 'Perpetual Ethereum', type: 'perpetual', contract_size_unit: 'ETH' }),
  row(44, {}),
];
const unfiltered = { found: null, type: 'all', terms: null, listed: null };

function filter(changes: Partial<Parameters<typeof filterRows>[1]>): readonly number[] {
  return filterRows(rows, { ...unfiltered, ...changes }).map(({ productId }) => productId);
}

it('an empty filter keeps every row', () => {
  expect(filter({})).toEqual([1, 2, 3, 44]);
});

it('only what the search finds stays', () => {
  expect(filter({ found: new Set([3, 44]) })).toEqual([3, 44]);
  expect(filter({ found: new Set() })).toEqual([]);
});

it('type, terms and watchlist narrow the list further', () => {
  expect(filter({ type: 'perpetual' })).toEqual([1, 3]);
  expect(filter({ type: 'perpetual', listed: new Set([2, 3]) })).toEqual([3]);
  expect(filter({ type: 'perpetual', terms: ({ productId }) => productId < 3 })).toEqual([1]);
});
