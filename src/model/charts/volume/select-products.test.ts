import { expect, it } from 'vitest';
import type { NamedProduct } from '../../products/product-directory.ts';
import { describeSizes } from './select-products.ts';

function sized(size: number | undefined, unit = 'BTC'): NamedProduct {
  return {
    product: size === undefined ? {} : { contract_size: size, contract_size_unit: unit },
  } as unknown as NamedProduct;
}

it('contract sizes are named where they differ in number or in unit', () => {
  expect(describeSizes([sized(1), sized(0.01), sized(100_000, 'SHIB')])).toBe('1 BTC, 0.01 BTC, 100,000 SHIB');
  expect(describeSizes([sized(1), sized(1, 'ETH')])).toBe('1 BTC, 1 ETH');
});

it('the same size, one product, and sizes that are not published are no difference', () => {
  expect(
    [[sized(1), sized(1)], [sized(1)], [sized(1), sized(undefined)], [{ product: null } as NamedProduct]].map(
      describeSizes,
    ),
  ).toEqual([null, null, null, null]);
});
