import { describe, expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import {
  expiredOn,
  findProduct,
  findSeries,
  findDefaultProduct,
  listSeries,
  toProductItems,
  toSeriesItems,
} from './product-directory.ts';

function product(id: number, fields: Partial<DeskProduct>): DeskProduct {
  return { product_id: id, ...fields } as unknown as DeskProduct;
}

const late = product(3, {
  symbol: 'BUSH27',
  base_symbol: 'BUS',
  type: 'future',
  product_status: 'active',
  final_settle_time: '2027-03-26T21:00:00Z' as NonNullable<DeskProduct['final_settle_time']>,
});
const early = product(2, {
  symbol: 'BUSZ26',
  base_symbol: 'BUS',
  type: 'future',
  product_status: 'active',
  final_settle_time: '2026-12-26T21:00:00Z' as NonNullable<DeskProduct['final_settle_time']>,
});
const perpetual = product(5, { symbol: 'PBTC', base_symbol: 'BTCUC', type: 'perpetual', product_status: 'active' });
const gone = product(1, { symbol: 'PAAA', base_symbol: 'AAA', type: 'perpetual', product_status: 'expired' });
const directory = [gone, late, perpetual, early];

describe('a product', () => {
  it('is found by its id, or by its symbol in any case', () => {
    expect(findProduct('5', directory)?.name).toBe('PBTC');
    expect(findProduct('pbtc', directory)?.product).toBe(perpetual);
  });

  it('missing from the directory is accepted by id, not by symbol', () => {
    expect(findProduct('77', [])).toEqual({ id: 77, name: 'product 77', product: null });
    for (const text of ['PXYZ', '0', '-5', '1e3', '1234567890', '12345678901'])
      expect([text, findProduct(text, directory)]).toEqual([text, null]);
  });

  it('by default is the last viewed, or an active perpetual', () => {
    expect(findDefaultProduct(directory, '')?.name).toBe('PBTC');
    expect(findDefaultProduct(directory, 'BUSH27')?.name).toBe('BUSH27');
    expect(findDefaultProduct(directory, 'NOSUCH')?.name).toBe('PBTC');
    expect(findDefaultProduct([gone, late], '')?.name).toBe('BUSH27');
    expect(findDefaultProduct([], '')).toBeNull();
  });

  it('that is not active shows its status in a list', () => {
    expect(toProductItems([gone, late], null).map(({ label, remark }) => [label, remark])).toEqual([
      ['PAAA', 'expired'],
      ['BUSH27', ''],
    ]);
  });

  it.each([
    ['2027-03-18T20:00:00Z', ''],
    ['2027-03-19T20:00:00Z', 'expires in 7 days'],
    ['2027-03-25T20:00:00Z', 'expires in 25 h'],
    ['2027-03-26T20:30:00Z', 'expires in 30 min'],
    ['2027-03-26T21:30:00Z', ''],
  ])('at %s shows in a list how soon it expires: %s', (now, remark) => {
    expect(toProductItems([late, perpetual], Date.parse(now)).map((item) => item.remark)).toEqual([remark, '']);
  });
});

describe('a series', () => {
  it('has its futures sorted by expiry', () => {
    expect(findSeries('BUS', directory).map(({ name }) => name)).toEqual(['BUSZ26', 'BUSH27']);
  });

  it('is chosen by its name, and found by its first future', () => {
    expect(toSeriesItems(directory)).toEqual([{ value: 'BUS', label: 'BUS', remark: '', product: early }]);
  });

  it('is listed once, and only if it has futures', () => {
    expect(listSeries(directory)).toEqual(['BUS']);
  });
});

describe('the last session of a product', () => {
  const settles = '2024-11-29T22:00:00.000000Z' as NonNullable<DeskProduct['final_settle_time']>;

  it('is the day of its final settlement, once it has expired', () => {
    expect(expiredOn({ product_status: 'expired', final_settle_time: settles })).toBe('2024-11-29');
    expect(expiredOn({ product_status: 'active', final_settle_time: settles })).toBeNull();
    expect(expiredOn({ product_status: 'expired' })).toBeNull();
    expect(expiredOn(null)).toBeNull();
  });
});
