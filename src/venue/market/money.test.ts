import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toNotionalCents, toUsdText } from './money.ts';

const usdTick = (contractSize: number) => ({ tickE10: 10_000_000_000n, contractSize });

describe('the value of contracts', () => {
  it('is price x tick x contract size x contracts, in cents', () => {
    expect(toNotionalCents({ tickE10: 50_000_000_000n, contractSize: 0.01 }, 17_500, 27)).toBe(2_362_500);
    expect(toNotionalCents({ tickE10: 20n, contractSize: 100_000 }, 6_500, 1)).toBe(130);
  });

  it('rounds half a cent up, and less than half down', () => {
    expect(toNotionalCents(usdTick(0.005), 1, 1)).toBe(1);
    expect(toNotionalCents(usdTick(0.0049999), 1, 1)).toBe(0);
    expect(toNotionalCents(usdTick(0.015), 1, 1)).toBe(2);
    expect(toNotionalCents(usdTick(0.01499), 1, 1)).toBe(1);
  });

  it('treats contract sizes as exact decimals', () => {
    // As binary fractions 1.005 x 100 and 1e-7 x 5e6 x 100 come out below the half.
    expect(toNotionalCents(usdTick(1.005), 1, 1)).toBe(101);
    expect(toNotionalCents(usdTick(1e-7), 50_000, 1)).toBe(1);
    expect(toNotionalCents({ tickE10: 1n, contractSize: 1e21 }, 1, 1)).toBe(10_000_000_000_000);
  });

  it('counts a negative price like a positive one', () => {
    expect(toNotionalCents(usdTick(1), -7, 3)).toBe(2_100);
    expect(toNotionalCents(usdTick(0.005), -1, 1)).toBe(1);
    expect(toNotionalCents(usdTick(1), 0, 3)).toBe(0);
  });

  it('refuses a value whose cents are not a safe integer', () => {
    expect(() => toNotionalCents(usdTick(1_000_000), 1_000_000, 1_000_000)).toThrow(RangeError);
  });

  it('is within half a cent of the exact value', () => {
    const sizes = fc.constantFrom(0.01, 0.1, 0.5, 1, 5, 50, 500, 5_000, 100_000);
    const ticks = fc.constantFrom(20n, 100_000n, 500_000_000n, 50_000_000_000n);
    fc.assert(
      fc.property(
        sizes,
        ticks,
        fc.integer({ min: -20_000, max: 20_000 }),
        fc.integer({ min: 1, max: 5_000 }),
        (contractSize, tickE10, price, quantity) => {
          // In units of 1e-12 USD: sizes have at most two decimals.
          const exact = BigInt(Math.abs(price)) * tickE10 * BigInt(Math.round(contractSize * 100)) * BigInt(quantity);
          const error = BigInt(toNotionalCents({ tickE10, contractSize }, price, quantity)) * 10_000_000_000n - exact;
          expect(error > -5_000_000_000n && error <= 5_000_000_000n).toBe(true);
        },
      ),
    );
  });
});

describe('a price in USD', () => {
  it('has ten decimal places', () => {
    expect(toUsdText(17_500, 50_000_000_000n)).toBe('87500.0000000000');
    expect(toUsdText(6_512, 20n)).toBe('0.0000130240');
    expect(toUsdText(0, 20n)).toBe('0.0000000000');
  });

  it('may be negative', () => {
    expect(toUsdText(-1, 20n)).toBe('-0.0000000020');
    expect(toUsdText(-30, 50_000_000_000n)).toBe('-150.0000000000');
    expect(toUsdText(-0, 20n)).toBe('0.0000000000');
  });

  it('is exact beyond safe integers', () => {
    expect(toUsdText(Number.MAX_SAFE_INTEGER, 1n)).toBe('900719.9254740991');
    expect(toUsdText(Number.MAX_SAFE_INTEGER, 10n ** 12n)).toBe('900719925474099100.0000000000');
  });

  it('refuses a fraction of a tick', () => {
    expect(() => toUsdText(0.5, 20n)).toThrow(RangeError);
  });

  it('equals ticks x tick size', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.bigInt({ min: 1n, max: 10n ** 13n }), (ticks, tickE10) => {
        const text = toUsdText(ticks, tickE10);
        expect(text).toMatch(/^-?(?:0|[1-9]\d*)\.\d{10}$/);
        expect(BigInt(text.replace('.', ''))).toBe(BigInt(ticks) * tickE10);
      }),
    );
  });
});
