import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import numbers from '../checked-numbers.json' with { type: 'json' };
import { fromNumber } from '#contract/exchange/brand.ts';
import { byIncrement, convert, fromCents } from './quantity.ts';
import { compareDecimalTexts, Decimal, sumOf, toDecimal } from './decimal.ts';

const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${String(most)}}$`));
/** Plain decimals of the wire, including leading and trailing zeros. */
const decimalText = fc
  .tuple(fc.boolean(), digits(25), fc.option(digits(25)))
  .map(([negative, whole, fraction]) => `${negative ? '-' : ''}${whole}${fraction === null ? '' : `.${fraction}`}`);

describe('compareDecimalTexts', () => {
  it('compares any two plain decimals by value', () => {
    fc.assert(
      fc.property(decimalText, decimalText, (a, b) => {
        expect(Math.sign(compareDecimalTexts(a, b))).toBe(new Decimal(a).comparedTo(b));
      }),
    );
  });

  it('ignores trailing zeros', () => {
    fc.assert(
      fc.property(decimalText, fc.integer({ min: 1, max: 12 }), (text, zeros) => {
        const longer = `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(zeros)}`;
        expect(Math.abs(compareDecimalTexts(text, longer))).toBe(0);
      }),
    );
  });

  it('distinguishes values that are equal as floats', () => {
    expect(compareDecimalTexts('87500.0000000000000000001', '87500.0000000000000000002')).toBe(-1);
    expect(compareDecimalTexts('-0.0', '0')).toBe(0);
  });
});

describe('sumOf', () => {
  it('sums cents exactly in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), { minLength: 1 }), (cents) => {
        const sum = sumOf(cents.map((value) => toDecimal(String(value)).div(100)));
        expect(sum?.times(100).toFixed()).toBe(String(cents.reduce((a, b) => a + b)));
      }),
    );
  });

  it('ignores nulls, and is null without values', () => {
    expect(sumOf([null, toDecimal('0.1'), null, toDecimal('0.2')])?.toFixed()).toBe('0.3');
    expect(sumOf([null, null])).toBeNull();
    expect(sumOf([])).toBeNull();
  });
});

describe('conversions', () => {
  it.each(numbers.conversions)('$ticks ticks of $increment USD are $usd USD', ({ ticks, increment, usd }) => {
    const product = { product_id: fromNumber<never>(1), price_increment: fromNumber<never>(Number(increment)) };
    const conversion = byIncrement(product, null);
    expect(conversion && convert(ticks, conversion).toFixed()).toBe(toDecimal(usd).toFixed());
  });

  it.each(numbers.cents)('$cents cents are $usd USD', ({ cents, usd }) => {
    expect(convert(cents, fromCents).toFixed(2)).toBe(usd);
  });

  it('does not convert ticks without a published tick size', () => {
    expect(byIncrement({ product_id: fromNumber<never>(1) }, null)).toBeNull();
  });

  it('is reversible: no tick is lost in USD', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom('0.000002', '0.05', '5', '1e-7', '2.5'), (ticks, increment) => {
        const product = { product_id: fromNumber<never>(1), price_increment: fromNumber<never>(Number(increment)) };
        const conversion = byIncrement(product, null);
        expect(conversion && convert(String(ticks), conversion).div(increment).toFixed()).toBe(String(ticks));
      }),
    );
  });
});
