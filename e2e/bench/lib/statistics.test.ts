import { expect, test } from 'vitest';
import { median, quantile, toSpread } from './statistics.ts';

test('the median is the middle value, or the mean of the two in the middle', () => {
  expect(median([9, 1, 10])).toBe(9);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('numbers are ordered as numbers and the list stays as it was', () => {
  const values = [10, 9, 100];
  expect(toSpread(values)).toEqual({ median: 10, lowest: 9, highest: 100 });
  expect(values).toEqual([10, 9, 100]);
});

test('a quantile is a value that was measured; the last one is the highest', () => {
  const values = Array.from({ length: 100 }, (_, i) => i + 1);
  expect([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)]).toEqual([51, 100, 100]);
});

test('nothing measured gives no figure that looks like one', () => {
  expect([median([]), quantile([], 0.5)]).toEqual([NaN, NaN]);
});

test('where one measurement failed the others are no figure', () => {
  expect([median([NaN, 1, 2, 3, 4]), quantile([1, 2, NaN, 3], 0.5)]).toEqual([NaN, NaN]);
});
