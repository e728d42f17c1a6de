import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toSparklinePath } from './trend.ts';

const size = { width: 100, height: 20 };

describe('toSparklinePath', () => {
  it('spans the whole width and height', () => {
    expect(toSparklinePath([1, 3, 2], size)).toBe('M0 20L50 0L100 10');
  });

  it('draws a move of one percent as a tenth of the height that ten percent fill', () => {
    expect(toSparklinePath([95, 105], size)).toBe('M0 20L100 0');
    expect(toSparklinePath([99.5, 100.5], size)).toBe('M0 11L100 9');
  });

  it('leaves a gap for a missing value, and a dot for a single value', () => {
    expect(toSparklinePath([1, null, 3, 2], size)).toBe('M0 20h0M66.7 0L100 10');
  });

  it('draws a flat line in the middle, and nothing without values', () => {
    expect(toSparklinePath([5, 5], size)).toBe('M0 10L100 10');
    expect(toSparklinePath([5], size)).toBe('M50 10h0');
    expect(toSparklinePath([null, null], size)).toBe('');
    expect(toSparklinePath([], size)).toBe('');
  });

  it('stays within its box', () => {
    const values = fc.array(fc.option(fc.double({ min: -1e9, max: 1e9, noNaN: true })), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(values, (list) => {
        const points = [...toSparklinePath(list, size).matchAll(/[ML](\S+) ([\d.-]+)/g)];
        expect(points).toHaveLength(list.filter((value) => value !== null).length);
        for (const [, x, y] of points) {
          expect(Number(x)).toSatisfy((value: number) => value >= 0 && value <= size.width);
          expect(Number(y)).toSatisfy((value: number) => value >= 0 && value <= size.height);
        }
      }),
    );
  });
});
