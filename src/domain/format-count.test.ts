import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countOf, formatCount } from './format-count.ts';

it('a count is written as English writes it', () => {
  fc.assert(fc.property(fc.maxSafeNat(), (count) => { expect(formatCount(count)).toBe(count.toLocaleString('en')); }));
});

it('of one there is one, of others there are several', () => {
  expect([0, 1, 2, 1_200].map((count) => countOf(count, 'row'))).toEqual(['0 rows', '1 row', '2 rows', '1,200 rows']);
});
