import { expect, it } from 'vitest';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { toProductKind } from './product-kind.ts';

it.each([
  [5, 'Future', 'Perpetual'],
  [5, 'Spread', 'Spread'],
  [1, 'Future', 'Future'],
  [9, 'Future', 'Future'],
])('of product %i an order that says %s is of a %s', (productId, told, kind) => {
  expect(toRows(readOrders([{ product_id: productId, product_type: told }])).map(toProductKind)).toEqual([kind]);
});
