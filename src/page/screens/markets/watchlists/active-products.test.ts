import { expect, it } from 'vitest';
import { findInactive, removeProducts } from './active-products.ts';

const lists = [
  { id: 'a', name: 'A', products: [1, 2, 9] },
  { id: 'b', name: 'B', products: [9] },
] as const;

it('products of a list that are not active are found, and removed from that list only', () => {
  const inactive = findInactive(lists[0], [{ productId: 1 }, { productId: 2 }, { productId: 3 }]);
  expect(inactive).toEqual([9]);
  expect(removeProducts(lists, 'a', inactive).map(({ products }) => products)).toEqual([[1, 2], [9]]);
});
