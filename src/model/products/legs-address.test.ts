import { expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toLegsAddress } from './legs-address.ts';

const toAddress = (weights: readonly number[], kept = '') =>
  toLegsAddress(
    { symbol: 'S', product_id: 9, legs: weights.map((weight, at) => ({ product_id: at + 1, weight })) } as never,
    new URLSearchParams(kept),
  );

it('compares both legs of a spread with it, the sold one first, as a difference', () => {
  expect(toAddress([1, -1])).toBe('/price/S?vs=2,1&compare=difference');
  expect(toAddress([-1, 1], 'range=1Y')).toBe('/price/S?range=1Y&vs=1,2&compare=difference');
});

it('compares only the legs where their difference is not the spread', () => {
  expect(toAddress([1, -2, 1])).toBe('/price/1?vs=2,3');
  expect(toAddress([2, -1])).toBe('/price/1?vs=2');
});

it('is null without legs', () => {
  expect(toLegsAddress({ product_id: 9 } as unknown as DeskProduct, new URLSearchParams())).toBeNull();
});
