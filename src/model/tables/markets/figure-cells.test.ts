import { describe, expect, it } from 'vitest';
import { Decimal } from '../../units/decimal.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import type { Quantity } from '../../units/quantity.ts';
import { formatCountdown } from '../../format/format-time.ts';
import { countAlignedDigits, formatPrice } from './figure-cells.ts';

function price(value: string): Quantity {
  return {
    value: new Decimal(value),
    unit: 'USD',
    withheld: null,
    provenance: { kind: 'derived', how: 'by hand', from: [] },
  };
}

function row(tickSize: number | undefined, verdict: 'agrees' | 'off', settlement: Quantity | null): MarketRow {
  return { product: { price_increment: tickSize }, check: { verdict }, settlement } as unknown as MarketRow;
}

const bitcoin = row(5, 'agrees', price('114585'));
const doge = row(0.00001, 'agrees', price('0.48172'));
const shiba = row(0.000002, 'off', price('0.000020330012'));

describe('prices', () => {
  it('have the digits of their tick size, and at least cents', () => {
    expect(formatPrice(bitcoin, price('114585'), 0)).toBe('114,585.00');
    expect(formatPrice(doge, price('0.4'), 0)).toBe('0.40000');
    expect(formatPrice(row(undefined, 'agrees', price('1234.5')), price('1234.5'), 0)).toBe('1,234.50');
  });

  it('have no digits that only a calculation can have left in the tick size', () => {
    const odd = row(0.21000000000000002, 'agrees', price('5301.03'));
    expect(formatPrice(odd, price('5301.03'), 0)).toBe('5,301.03');
    expect(countAlignedDigits([odd])).toBe(2);
  });

  it('have four significant digits where the tick size check failed', () => {
    expect(formatPrice(shiba, price('0.000020330012'), 8)).toBe('0.00002033');
  });

  it('of one very small product do not widen the column', () => {
    expect(countAlignedDigits([bitcoin, shiba])).toBe(countAlignedDigits([doge]));
  });

  it('align at the decimal point', () => {
    const most = countAlignedDigits([bitcoin, doge]);
    const ends = [formatPrice(bitcoin, price('114585'), most), formatPrice(doge, price('0.48172'), most)];
    expect(ends.map((text) => text.length - text.indexOf('.'))).toEqual([most + 1, most + 1]);
    expect(ends[0]?.trim()).toBe('114,585.00');
  });
});

describe('the time to the next funding', () => {
  it.each([
    [0.2, '0:00:01'],
    [59, '0:00:59'],
    [3_600, '1:00:00'],
    [28_799.5, '8:00:00'],
  ])('of %s seconds is %s', (seconds, text) => {
    expect(formatCountdown(seconds)).toBe(text);
  });
});
