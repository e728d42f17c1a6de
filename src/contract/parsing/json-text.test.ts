import { expect, test } from 'vitest';
import { createLongNumberTest, parseKeepingDigits } from './json-text.ts';
import { wireText } from '../wire-text.ts';

const losesDigits = createLongNumberTest(['price', 'avg_price']);

test('a number with all the digits of a float is not taken for one that loses some', () => {
  expect(losesDigits('[{"avg_price":101.33333333333333},{"avg_price":6181.076923076923}]')).toBe(false);
  expect(losesDigits('[{"price":1500000000000000.0},{"price":-0.00000000000001500}]')).toBe(false);
});

test('one number that loses digits is found among many that do not', () => {
  const kept = '{"avg_price":101.33333333333333},'.repeat(50);
  expect(losesDigits(`[${kept}{"avg_price": 101.333333333333333333}]`)).toBe(true);
  expect(losesDigits('[{"price":12345678901234567891}]')).toBe(true);
  expect(losesDigits('[{"price":1.00000000000001e+22,"avg_price":-1.2345678901234567e-22}]')).toBe(true);
});

test('white space around the colon hides no number', () => {
  for (const space of ['', ' ', '\n    ', ' '.repeat(40)]) {
    expect(losesDigits(`{"price"${space}:${space}12345678901234567891}`)).toBe(true);
    expect(losesDigits(`{"price"${space}:${space}1234567}`)).toBe(false);
  }
});

test('a text is judged by itself, whatever was judged before it', () => {
  const long = '{"avg_price":101.333333333333333333}';
  expect([losesDigits(long), losesDigits(long), losesDigits('{}'), losesDigits(long)]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

test('long numbers outside the fields named, and in texts, do not matter', () => {
  expect(
    losesDigits('{"id":"12345678901234567891","other":12345678901234567891,"note":"\\"price\\":12345678901234567891"}'),
  ).toBe(false);
});

test('the wire text of a number that lost digits is kept beside it', () => {
  const row = parseKeepingDigits('{"price":101.333333333333333333,"size":5}') as { price: number; size: number };
  expect([row.price, wireText(row, 'price'), wireText(row, 'size')]).toEqual([
    101.33333333333333,
    '101.333333333333333333',
    '5',
  ]);
});
