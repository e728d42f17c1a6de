import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countOf, formatCount } from './count.ts';

it('formats a count with thousands separators', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (count) => {
      expect(formatCount(count)).toBe(count.toLocaleString('en'));
    }),
  );
});

it('uses the singular for one only', () => {
  expect([0, 1, 2, 1_200].map((count) => countOf(count, 'row'))).toEqual(['0 rows', '1 row', '2 rows', '1,200 rows']);
});
