import { expect, test } from 'vitest';
import { createLongNumberTest, parseKeepingDigits } from './json-text.ts';
import { wireText } from '../exchange/row-notes.ts';

const losesDigits = createLongNumberTest(['price', 'avg_price']);

test('a number with all the digits of a float is not mistaken for a longer one', () => {
  expect(losesDigits('[{"avg_price":101.33333333333333},{"avg_price":6181.076923076923}]')).toBe(false);
  expect(losesDigits('[{"price":1500000000000000.0},{"price":-0.00000000000001500}]')).toBe(false);
});

test('one number that loses digits is found among many others', () => {
  const kept = '{"avg_price":101.33333333333333},'.repeat(50);
  expect(losesDigits(`[${kept}{"avg_price": 101.333333333333333333}]`)).toBe(true);
  expect(losesDigits('[{"price":12345678901234567891}]')).toBe(true);
  expect(losesDigits('[{"price":1.00000000000001e+22,"avg_price":-1.2345678901234567e-22}]')).toBe(true);
});

test('whitespace around the colon does not hide a number', () => {
  for (const space of ['', ' ', '\n    ', ' '.repeat(40)]) {
    expect(losesDigits(`{"price"${space}:${space}12345678901234567891}`)).toBe(true);
    expect(losesDigits(`{"price"${space}:${space}1234567}`)).toBe(false);
  }
});

test('the result does not depend on earlier texts', () => {
  const long = '{"avg_price":101.333333333333333333}';
  expect([losesDigits(long), losesDigits(long), losesDigits('{}'), losesDigits(long)]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

test('long numbers in other fields and in texts are ignored', () => {
  expect(
    losesDigits('{"id":"12345678901234567891","other":12345678901234567891,"note":"\\"price\\":12345678901234567891"}'),
  ).toBe(false);
});

test('the wire text of a number that loses digits is kept', () => {
  const row = parseKeepingDigits('{"price":101.333333333333333333,"size":5}') as { price: number; size: number };
  expect([row.price, wireText(row, 'price'), wireText(row, 'size')]).toEqual([
    101.33333333333333,
    '101.333333333333333333',
    '5',
  ]);
});

test('a number below the range of floats is zero: with its exponent it would take seconds to format', () => {
  const row = parseKeepingDigits('{"price":1.000000000000001e-9999999,"size":-1e-400}') as {
    price: number;
    size: number;
  };
  expect([wireText(row, 'price'), wireText(row, 'size')]).toEqual(['0', '0']);
});
