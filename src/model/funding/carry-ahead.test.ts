import { expect, test } from 'vitest';
import { printAt, toWirePrints } from '#testing/settled-rates.ts';
import { toDecimal } from '../units/decimal.ts';
import { type CarryPosition, estimateCarry, toCarryAhead } from './carry.ts';
import { createFundingSeries } from './funding-series.ts';

const position: CarryPosition = {
  side: 'long',
  contracts: toDecimal('7'),
  contractSize: toDecimal('0.01'),
  increment: toDecimal('5'),
  price: 'price_index',
};
const seriesOf = (rates: readonly string[]) =>
  createFundingSeries({
    prints: toWirePrints(rates.map((rate, at) => printAt(at, rate))),
    knownFrom: null,
    reachesLaunch: true,
  });
const ahead = (rates: readonly string[], notSettled: number, predicted: string | null) => {
  const series = seriesOf(rates);
  return toCarryAhead(
    series,
    { notSettled },
    position,
    predicted === null ? null : estimateCarry(series, position, toDecimal(predicted)),
  );
};

test('thirty days ahead are ninety payments of the same notional', () => {
  const { intervals, isOfPeriod, atPredicted, mean } = ahead(['0.0001', '0.0003'], 0, '0.000125');
  // 7 x 0.01 x (101234.56 x 5) = 35432.096; x 0.000125 = 4.429012; x 90 = 398.61108
  expect([intervals, isOfPeriod, atPredicted?.toFixed()]).toEqual([90, false, '-398.61108']);
  // 35432.096 x 0.0002 x 90
  expect([mean?.rate.toFixed(), mean?.prints, mean?.payment.toFixed()]).toEqual(['0.0002', 2, '-637.777728']);
});

test('a period that goes on is projected to its end', () => {
  expect(ahead(['0.0001'], 12, '0.000125')).toMatchObject({ intervals: 12, isOfPeriod: true });
  expect(ahead(['0.0001'], 12, '0.000125').atPredicted?.toFixed()).toBe('-53.148144');
});

test('only the last thirty days make the mean, and nothing stands for a missing predicted rate', () => {
  const { atPredicted, mean } = ahead(['0.9', ...Array.from({ length: 90 }, () => '0.0002')], 0, null);
  expect(atPredicted).toBeNull();
  expect([mean?.rate.toFixed(), mean?.prints]).toEqual(['0.0002', 90]);
});

test('without a settled rate there is none', () => {
  expect(ahead([], 0, null).mean).toBeNull();
});
