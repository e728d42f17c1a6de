import { expect, it } from 'vitest';
import { toDecimal } from '../units/decimal.ts';
import type { CarryMonth } from './carry-months.ts';
import type { CurveLeg } from './curve-months.ts';
import { describeBestCarry, describePremium } from './describe-carry.ts';

const figure = (value: string) => ({ value: toDecimal(value), unit: 'USD', withheld: null }) as never;

const monthOf = (symbol: string, minutes: number, realised: string | null): CarryMonth =>
  ({
    ...{ month: { symbol }, side: 'reverse', minutes, basis: figure('-1'), realisedFunding: figure('3') },
    realised: realised === null ? null : figure(realised),
  }) as unknown as CarryMonth;

const perpetual = { symbol: 'PERP' } as CurveLeg;

it('the best month is the one that keeps the most for its time', () => {
  const all = [monthOf('NEAR', 1_000, '2'), monthOf('FAR', 9_000, '9'), monthOf('NONE', 500, null)];
  expect(describeBestCarry(all, perpetual, 'contract', '30')).toBe(
    'Short PERP, long NEAR: +2.00 USD per contract until expiry, of which basis −1.00 and funding +3.00 at the mean ' +
      'rate of 30 days',
  );
  expect(describeBestCarry(all, perpetual, 'year', '30')).toMatch(/^Short PERP, long FAR: \+900\.00 % a year/);
  expect(describeBestCarry(all.slice(2), perpetual, 'year', '30')).toBeNull();
});

it('the premium has a range, or none is known', () => {
  const premium = { low: figure('-0.0014'), high: figure('0.002031'), count: 89 };
  const funding = { realised: null, inWindow: null, predicted: null, rates: 90, intervals: 91, premium };
  expect(describePremium(funding, '30')).toBe(
    'Over 30 days the mark was −0.140 to +0.203 % from the index, at 89 of 90 settled funding times.',
  );
  expect(describePremium({ ...funding, premium: null }, '7')).toContain('the range of the premium is unknown');
});
