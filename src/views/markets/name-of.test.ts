import { describe, expect, test } from 'vitest';
import { NO_VALUE } from '#domain/format-number.ts';
import type { MarketRow } from '#domain/market-rows.ts';
import { fullNameOf, nameOf, shortNameOf } from './name-of.ts';

function rowOf(product: Partial<MarketRow['product']>): MarketRow {
  return { productId: 7, product: { product_id: 7, ...product } } as MarketRow;
}

describe('the names of a product', () => {
  test('a product without a symbol goes by its number', () => {
    expect(nameOf(rowOf({}))).toBe('7');
    expect(nameOf(rowOf({ symbol: 'PBTCUCZ50' }))).toBe('PBTCUCZ50');
  });

  test('short, it does not begin with the type', () => {
    const row = rowOf({ type: 'perpetual', product_name: 'Perpetual Bitcoin US Dollar Centi Future' });
    expect(shortNameOf(row)).toBe('Bitcoin US Dollar Centi Future');
    expect(fullNameOf(row)).toBe('Perpetual Bitcoin US Dollar Centi Future');
  });

  test.each<[Partial<MarketRow['product']>, string]>([
    [{ type: 'future', product_name: 'Bitcoin Future' }, 'Bitcoin Future'],
    [{ type: 'perpetual', product_name: 'Perpetual' }, 'Perpetual'],
    [{ product_name: 'Perpetual Bitcoin' }, 'Perpetual Bitcoin'],
    [{ type: 'perpetual' }, NO_VALUE],
  ])('%o is called %s', (product, name) => {
    expect(shortNameOf(rowOf(product))).toBe(name);
  });
});
