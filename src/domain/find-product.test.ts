import { describe, expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk.ts';
import { findProduct, findSeries, findUsualProduct, listSeries, toProductItems } from './find-product.ts';

function product(id: number, fields: Partial<DeskProduct>): DeskProduct {
  return { product_id: id, ...fields } as unknown as DeskProduct;
}

const late = product(3, { symbol: 'BUSH27', base_symbol: 'BUS', type: 'future', product_status: 'active', final_settle_time: '2027-03-26T21:00:00Z' as NonNullable<DeskProduct['final_settle_time']> });
const early = product(2, { symbol: 'BUSZ26', base_symbol: 'BUS', type: 'future', product_status: 'active', final_settle_time: '2026-12-26T21:00:00Z' as NonNullable<DeskProduct['final_settle_time']> });
const perpetual = product(5, { symbol: 'PBTC', base_symbol: 'BTCUC', type: 'perpetual', product_status: 'active' });
const gone = product(1, { symbol: 'PAAA', base_symbol: 'AAA', type: 'perpetual', product_status: 'expired' });
const directory = [gone, late, perpetual, early];

describe('a product', () => {
  it('is found by its number or its symbol, however that is typed', () => {
    expect(findProduct('5', directory)?.name).toBe('PBTC');
    expect(findProduct('pbtc', directory)?.product).toBe(perpetual);
  });

  it('that the directory does not have is one by its number, and none by a name', () => {
    expect(findProduct('77', [])).toEqual({ id: 77, name: 'product 77', product: null });
    for (const text of ['PXYZ', '0', '-5', '1e3', '12345678901']) expect([text, findProduct(text, directory)]).toEqual([text, null]);
  });

  it('where none is asked for is a perpetual that trades', () => {
    expect(findUsualProduct(directory, '')?.name).toBe('PBTC');
    expect(findUsualProduct(directory, 'BUSH27')?.name).toBe('BUSH27');
    expect(findUsualProduct(directory, 'NOSUCH')?.name).toBe('PBTC');
    expect(findUsualProduct([gone, late], '')?.name).toBe('BUSH27');
    expect(findUsualProduct([], '')).toBeNull();
  });

  it('that trades stands before one that does not, which says so', () => {
    const items = toProductItems(directory);
    expect(items.at(-1)).toEqual({ value: '1', label: 'PAAA', remark: 'expired', also: '' });
    expect(items[0]?.label).toBe('BUSH27');
  });

  it('is found by its underlying too', () => {
    expect(toProductItems([product(7, { symbol: 'ETUDZ26', contract_size_unit: 'ETH' })])).toEqual([{ value: '7', label: 'ETUDZ26', remark: '', also: 'ETH' }]);
  });
});

describe('a series', () => {
  it('has its futures in the order of their last days', () => {
    expect(findSeries('BUS', directory).map(({ name }) => name)).toEqual(['BUSZ26', 'BUSH27']);
  });

  it('is listed once, and only where there are futures', () => {
    expect(listSeries(directory)).toEqual(['BUS']);
  });
});
