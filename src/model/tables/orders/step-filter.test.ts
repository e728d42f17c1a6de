import { expect, it } from 'vitest';
import { toStepFilter } from './step-filter.ts';

const is = (...texts: string[]) => ({ kind: 'is' as const, texts });

it('a list of all orders, or of one product, goes by its own changes', () => {
  expect(toStepFilter({ filters: {}, quick: '' })).toEqual({ symbol: null, isWhole: true });
  expect(toStepFilter({ filters: { product: is('BUSZ26'), change: is('Added') }, quick: '' })).toEqual({
    symbol: 'BUSZ26',
    isWhole: true,
  });
});

it('any other filter lets changes of orders count that the list does not show, and names no account', () => {
  expect(toStepFilter({ filters: { product: is('BUSZ26'), account: is('ACME') }, quick: '' })).toEqual({
    symbol: 'BUSZ26',
    isWhole: false,
  });
  expect(toStepFilter({ filters: { product: is('BUSZ26', 'BUSH27') }, quick: '' })).toEqual({
    symbol: null,
    isWhole: false,
  });
  expect(toStepFilter({ filters: {}, quick: 'btc' })).toEqual({ symbol: null, isWhole: false });
});
