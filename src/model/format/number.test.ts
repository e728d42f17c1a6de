import { describe, expect, it } from 'vitest';
import {
  commonFractionDigits,
  countFractionDigits,
  countPriceDigits,
  countTickDigits,
  describeQuantity,
  formatBasisPoints,
  formatCompact,
  formatNumber,
  formatPercent,
  formatQuantity,
  formatRate,
} from './number.ts';
import fc from 'fast-check';
import numbers from '../checked-numbers.json' with { type: 'json' };
import { Decimal, toDecimal } from '../units/decimal.ts';

it('prices have the fraction digits of the most precise one, and at least two', () => {
  expect([['5301.0', '5076.6'], ['117176.9', '117300'], ['0.48172', '0.5'], []].map(countPriceDigits)).toEqual([
    2, 2, 5, 2,
  ]);
});

it('prices in ticks have the digits of the tick size, without what is left of a calculation, and no more than prices have', () => {
  expect(['5', '0.05', '0.000002', '2e-9', '5e-7', '0.00001', '0.25000'].map(countTickDigits)).toEqual([
    2, 2, 6, 9, 7, 5, 2,
  ]);
  expect(
    ['0.21000000000000002', '0.30000000000000004', '0.000021000000000000002', '0.3333333333333333', '1e-30'].map(
      countTickDigits,
    ),
  ).toEqual([2, 2, 6, 10, 10]);
});

describe('formatNumber', () => {
  it.each(numbers.formats)('writes $value with $digits digits as $text', ({ value, digits, text }) => {
    expect(formatNumber(toDecimal(value), { digits })).toBe(text);
  });

  it('can be parsed back to the same number', () => {
    const value = fc
      .tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.nat(20))
      .map(([digits, places]) => toDecimal(`${String(digits)}e-${String(places)}`));
    fc.assert(
      fc.property(value, (number) => {
        const text = formatNumber(number);
        expect(text).toMatch(/^−?\d{1,3}(,\d{3})*(\.\d+)?$/);
        expect(new Decimal(text.replaceAll(',', '').replace('−', '-')).eq(number)).toBe(true);
      }),
    );
  });

  it('adds a plus sign on request, and no sign to zero', () => {
    expect(
      ['1.5', '-1.5', '0', '0.004'].map((text) => formatNumber(toDecimal(text), { digits: 2, signed: true })),
    ).toEqual(['+1.50', '−1.50', '0.00', '0.00']);
  });

  it('shows a missing value as a dash, never as zero', () => {
    expect([
      formatNumber(null),
      formatPercent(null),
      formatRate(null),
      formatBasisPoints(null),
      formatCompact(null),
    ]).toEqual(['–', '–', '–', '–', '–']);
  });
});

describe('rates', () => {
  it('are in percent with four digits, or in basis points', () => {
    expect(formatRate(toDecimal('0.0001'))).toBe('+0.0100');
    expect(formatRate(toDecimal('-0.00031'))).toBe('−0.0310');
    expect(formatBasisPoints(toDecimal('0.0001'))).toBe('+1.00');
    expect(formatPercent(toDecimal('0.1095'))).toBe('10.95');
  });
});

describe('formatCompact', () => {
  it('keeps three digits and appends the scale', () => {
    expect(
      ['0', '999', '999.6', '1000', '-23658', '2365870', '999999', '1.5e12', '0.0000232520'].map((text) =>
        formatCompact(toDecimal(text)),
      ),
    ).toEqual(['0', '999', '1 K', '1 K', '−23.7 K', '2.37 M', '1 M', '1.5 T', '0.0000233']);
  });
});

describe('fraction digits of a column', () => {
  it('are those of the most precise number', () => {
    expect(countFractionDigits('87500.5000000000')).toBe(1);
    expect(commonFractionDigits(['87500.0000000000', '0.0000232520', '5'])).toBe(9);
    expect(commonFractionDigits(['0.12345678901234567890'])).toBe(10);
    expect(commonFractionDigits([])).toBe(0);
  });
});

describe('quantities as text', () => {
  it('are formatted by unit', () => {
    expect(formatQuantity({ value: toDecimal('1204'), unit: 'contracts' })).toBe('1,204');
    expect(formatQuantity({ value: toDecimal('0.1095'), unit: 'fraction' })).toBe('+10.95');
    expect(formatQuantity({ value: toDecimal('0.000125'), unit: 'per interval' })).toBe('+0.0125');
  });

  it('say what is withheld or missing', () => {
    expect(describeQuantity({ value: null, unit: 'USD', withheld: 'the tick size is wrong' })).toBe(
      'n/a: the tick size is wrong',
    );
    expect(describeQuantity({ value: null, unit: 'USD', withheld: null })).toBe('no value');
    expect(describeQuantity({ value: toDecimal('5'), unit: 'USD', withheld: null }, { digits: 2 })).toBe('5.00 USD');
  });
});
