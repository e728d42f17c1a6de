import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromNumber } from '#contract/brand.ts';
import type { DeskProduct } from '#contract/desk.ts';
import { byIncrement } from '../units/conversions.ts';
import { toDecimal } from '../units/decimal.ts';
import { checkIncrement, describeCheck } from './increment-check.ts';

function product(increment: number | null, type: DeskProduct['type'] = 'perpetual'): DeskProduct {
  return { product_id: fromNumber(5_599), type, ...(increment !== null && { price_increment: fromNumber(increment) }) };
}

const verdictOf = (increment: number | null, ticks: string | null, usd: string | null, type?: DeskProduct['type']) =>
  checkIncrement(product(increment, type), { ticks: ticks === null ? null : toDecimal(ticks), usd: usd === null ? null : toDecimal(usd) }).verdict;

describe('checkIncrement', () => {
  it('fails for a tick size that is wrong by a factor of a thousand, and says so', () => {
    const large = checkIncrement(product(0.000_002), { ticks: toDecimal('11431'), usd: toDecimal('0.0000228940') });
    expect(large).toMatchObject({ verdict: 'off', reason: expect.stringContaining('gives about 1,000 times the exchange’s own USD price') as string });
    const small = checkIncrement(product(0.000_005), { ticks: toDecimal('22917'), usd: toDecimal('114.585') });
    expect(small).toMatchObject({ verdict: 'off', reason: expect.stringContaining('gives about 1/1,000 of the exchange’s own USD price') as string });
    expect(byIncrement(product(0.000_002), large.reason)).toMatchObject({ withheld: large.reason });
  });

  it('gives the same reason for prices of different hours', () => {
    const reasonAt = (usd: string) => checkIncrement(product(0.000_002), { ticks: toDecimal('11431'), usd: toDecimal(usd) }).reason;
    expect(reasonAt('0.0000235691')).toBe(reasonAt('0.0000228940'));
    expect(reasonAt('0.00914')).toContain('gives about 2.5 times the exchange’s own USD price');
  });

  it('tolerates the price moves of a day', () => {
    expect([verdictOf(5, '22917', '114585'), verdictOf(5, '22917', '229170'), verdictOf(5, '22917', '57292.5')]).toEqual(['agrees', 'agrees', 'agrees']);
    expect([verdictOf(5, '22917', '229171'), verdictOf(5, '22917', '57292.4')]).toEqual(['off', 'off']);
  });

  it('tolerates larger moves of spreads and options, and ignores the sign of a spread’s price', () => {
    expect(verdictOf(5, '-126', '555', 'spread')).toBe('agrees');
    expect(verdictOf(5, '100', '60', 'option')).toBe('agrees');
    expect(verdictOf(5, '100', '49', 'option')).toBe('off');
  });

  it('calls a spread’s price that is 28 % off no more than plausible, and gives the ratio', () => {
    const check = checkIncrement(product(5, 'spread'), { ticks: toDecimal('-130'), usd: toDecimal('900') });
    expect([check.verdict, describeCheck(check)]).toEqual(['agrees', 'passed, by order of magnitude only: ticks × tick size is 0.7222 times the exchange’s own USD price']);
  });

  it.each([
    [null, '1', '1'],
    [5, null, '1'],
    [5, '1', null],
    [5, '0', '1'],
    [5, '1', '0'],
  ] as const)('is not possible without prices: tick size %s, %s ticks, %s USD', (increment, ticks, usd) => {
    expect(verdictOf(increment, ticks, usd)).toBe('unchecked');
  });

  it('is pending until the USD price has been read', () => {
    const unread = checkIncrement(product(5), { ticks: toDecimal('22917'), usd: undefined });
    expect(unread).toMatchObject({ verdict: 'pending', reason: expect.stringContaining('has not been read') as string });
    expect(byIncrement(product(5), unread.reason)).toMatchObject({ withheld: unread.reason });
    expect(checkIncrement(product(null), { ticks: toDecimal('22917'), usd: undefined }).verdict).toBe('unchecked');
  });

  it('finds any tick size that is wrong by a power of ten, for price moves up to a factor of two', () => {
    const power = fc.integer({ min: -6, max: 6 }).filter((exponent) => exponent !== 0);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.double({ min: 0.51, max: 1.99, noNaN: true }), power, (ticks, move, exponent) => {
        const usd = toDecimal(String(ticks)).times(move).times(`1e${String(exponent)}`);
        expect(verdictOf(1, String(ticks), usd.toFixed())).toBe('off');
      }),
    );
  });
});
