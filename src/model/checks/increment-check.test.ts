import { expect, it } from 'vitest';
import type { Day } from '#contract/exchange/instant.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Comparison, CrossCheckName } from './cross-checks.ts';
import { type Suspect, toIncrementCheck } from './judge-prices.ts';

const product = { product_id: 7, price_increment: 5 } as unknown as DeskProduct;

const compared = (check: CrossCheckName, passed: boolean): Comparison => ({
  check,
  passed,
  session: '2026-11-24' as Day,
  ratio: passed ? 1 : 2,
});

function verdictOf(comparisons: readonly Comparison[], suspect: Suspect | null = null, isReading = false) {
  const { verdict, comparison } = toIncrementCheck(
    product,
    { comparisons, reasons: new Map(suspect === null ? [] : [[suspect, 'It is off.']]) },
    isReading,
  );
  return [verdict, comparison?.check ?? null];
}

it.each<[readonly Comparison[], Suspect | null, readonly unknown[]]>([
  [[compared('openInterestValue', true), compared('chartSettlement', true)], null, ['agrees', 'chartSettlement']],
  [[compared('openInterestValue', false)], 'tick size', ['off', 'openInterestValue']],
  [
    [compared('openInterestValue', false), compared('trailingPrice', true)],
    'open interest value',
    ['agrees', 'trailingPrice'],
  ],
  [[compared('openInterestValue', false)], 'open interest value', ['unchecked', null]],
  [[compared('candleVolume', true)], null, ['unchecked', null]],
])('the most exact check that passed decides, unless the tick size is off: %o', (comparisons, suspect, expected) => {
  expect(verdictOf(comparisons, suspect)).toEqual(expected);
});

it('is pending while a response is missing that could decide', () => {
  expect(verdictOf([], null, true)).toEqual(['pending', null]);
  expect(
    toIncrementCheck(
      { ...product, price_increment: undefined } as unknown as DeskProduct,
      { comparisons: [], reasons: new Map() },
      true,
    ).verdict,
  ).toBe('unchecked');
});
