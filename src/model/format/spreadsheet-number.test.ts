import { expect, it } from 'vitest';
import { toDecimal } from '../units/decimal.ts';
import { toSpreadsheetNumber } from './spreadsheet-number.ts';

it('writes no more digits than a spreadsheet keeps, and no exponent', () => {
  const texts = [
    toDecimal('2').div(3),
    toDecimal('-0.0000001'),
    toDecimal('0.9157'),
    toDecimal('123456789012345678'),
  ].map((value) => toSpreadsheetNumber(value)?.digits);
  expect(texts).toEqual(['0.666666666666667', '-0.0000001', '0.9157', '123456789012346000']);
  expect(toSpreadsheetNumber(null)).toBeNull();
});
