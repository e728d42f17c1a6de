import { describe, expect, test } from 'vitest';
import { NO_VALUE } from '../../format/number.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import { fullNameOf, nameOf } from './product-names.ts';

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
