import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FundingRateData, FundingRateData as schema } from '#contract/exchange/market-data.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { createParser } from '#contract/parse/parse.ts';
import { sumOf, toDecimal } from '../units/decimal.ts';
import { computeCarry, estimateCarry, type CarryPosition } from './carry.ts';
import { createFundingSeries } from './funding-series.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 7, 17);
const parser = createParser(schema);

function print(
  index: number,
  rate: string,
  { hours = 8, mark = '101240.5', price = '101234.56' } = {},
): FundingRateData {
  const start = START + index * 8 * HOUR;
  const times = `"interval_start":"${new Date(start).toISOString()}","interval_end":"${new Date(start + hours * HOUR).toISOString()}"`;
  return parser.strict(
    `{"product_id":5599,"price_index":${price},"mark_price":${mark},"interest_rate":0.0001,"funding_rate":${rate},${times}}`,
  );
}

const seriesOf = (prints: readonly FundingRateData[]) =>
  createFundingSeries({ prints, knownFrom: new Date(START).toISOString() as Instant, reachesLaunch: true });
const window = (from: number, to: number) => ({ from: START + from * 8 * HOUR, to: START + to * 8 * HOUR });
const position: CarryPosition = {
  side: 'long',
  contracts: toDecimal('7'),
  contractSize: toDecimal('0.01'),
  increment: toDecimal('5'),
  price: 'price_index',
};

test('a payment is exactly contracts × contract size × price in USD × rate; a long position pays positive rates', () => {
  const { payments, sum } = computeCarry(seriesOf([print(0, '0.000125')]), window(0, 1), position);
  // 7 x 0.01 x (101234.56 x 5) = 35432.096; x 0.000125 = 4.429012
  expect(payments.map(({ notional, payment }) => [notional.toFixed(), payment.toFixed()])).toEqual([
    ['35432.096', '-4.429012'],
  ]);
  expect(sum?.toFixed()).toBe('-4.429012');
});

test('a notional in USD stays the same, and needs no price', () => {
  const series = seriesOf([print(0, '0.000125', { price: '0' }), print(1, '-0.0003')]);
  const { payments, sum, share, apr } = computeCarry(series, window(0, 2), {
    side: 'short',
    notional: toDecimal('250000'),
  });
  expect(payments.map(({ payment }) => payment.toFixed())).toEqual(['31.25', '-75']);
  expect([sum?.toFixed(), share?.toFixed(), apr?.toFixed()]).toEqual(['-43.75', '-0.000175', '-0.0958125']);
});

test('the mark price gives another sum', () => {
  const { sum } = computeCarry(seriesOf([print(0, '0.000125')]), window(0, 1), { ...position, price: 'mark_price' });
  expect(sum?.toFixed()).toBe('-4.429271875');
});

test('the simple APR is the sum relative to the mean notional, scaled to 1,095 intervals', () => {
  const { apr, meanNotional } = computeCarry(seriesOf([print(0, '0.0001'), print(1, '0.0003')]), window(0, 2), {
    ...position,
    side: 'short',
  });
  expect([apr?.toFixed(), meanNotional?.toFixed()]).toEqual(['0.219', '35432.096']);
});

test('a gap is counted and pays nothing; an interval of another length is left out', () => {
  const { payments, coverage, sum } = computeCarry(
    seriesOf([print(0, '0.0001'), print(2, '0.0001', { hours: 4 }), print(3, '0.0001')]),
    window(0, 4),
    position,
  );
  expect(payments).toHaveLength(2);
  expect(coverage).toMatchObject({ prints: 2, intervals: 4, missing: 2 });
  expect(sum?.toFixed()).toBe('-7.0864192');
});

test('intervals after the newest settled rate are not settled, not missing', () => {
  const series = seriesOf([print(0, '0.0001'), print(2, '0.0001')]);
  expect(computeCarry(series, window(0, 7), position)).toMatchObject({
    coverage: { prints: 2, intervals: 7, missing: 1, notSettled: 4 },
  });
  expect(computeCarry(series, window(5, 9), position)).toMatchObject({ coverage: { missing: 0, notSettled: 4 } });
  expect(computeCarry(series, window(0, 3), position).coverage).toMatchObject({ missing: 1, notSettled: 0 });
});

test('without settled rates there is no sum, which is not zero', () => {
  expect(computeCarry(seriesOf([print(0, '0.0001')]), window(5, 9), position)).toMatchObject({
    payments: [],
    sum: null,
    apr: null,
    meanNotional: null,
  });
});

test.each(['0', '-101234.56'])('an interval whose price is %s has no payment, and is counted', (price) => {
  const prints = [print(0, '0.0001'), print(1, '0.0003', { price }), print(2, '0.0001')];
  const { payments, unpriced, coverage, sum, meanNotional } = computeCarry(seriesOf(prints), window(0, 3), position);
  expect([payments.length, unpriced, coverage.prints, sum?.toFixed(), meanNotional?.toFixed()]).toEqual([
    2,
    1,
    3,
    '-7.0864192',
    '35432.096',
  ]);
  expect(estimateCarry(seriesOf(prints.slice(0, 2)), position, toDecimal('0.0001'))).toBeNull();
  expect(computeCarry(seriesOf(prints.slice(1, 2)), window(0, 3), position)).toMatchObject({
    unpriced: 1,
    sum: null,
    apr: null,
    meanNotional: null,
  });
  expect(computeCarry(seriesOf(prints), window(0, 3), { ...position, price: 'mark_price' }).unpriced).toBe(0);
});

const anyRates = fc.array(
  fc.integer({ min: -5_000_000, max: 5_000_000 }).map((units) => toDecimal(String(units)).times('1e-8').toFixed()),
  { minLength: 2, maxLength: 30 },
);

test('for any rates, long and short sum to zero, and two windows to the whole', () => {
  fc.assert(
    fc.property(anyRates, fc.nat(), (rates, cut) => {
      const series = seriesOf(rates.map((rate, index) => print(index, rate)));
      const at = cut % rates.length;
      const carry = (from: number, to: number, side: CarryPosition['side']) =>
        computeCarry(series, window(from, to), { ...position, side }).sum;
      const whole = carry(0, rates.length, 'long');
      const parts = sumOf([carry(0, at, 'long'), carry(at, rates.length, 'long')]);
      const short = carry(0, rates.length, 'short');
      return whole !== null && parts?.equals(whole) === true && short?.plus(whole).isZero() === true;
    }),
  );
});

test('the predicted payment uses the last settled price and is in no sum', () => {
  const series = seriesOf([print(0, '0.0001'), print(1, '0.0002', { price: '100000', mark: '100000' })]);
  expect(estimateCarry(series, position, toDecimal('-0.0004'))?.payment.toFixed()).toBe('14');
  expect(estimateCarry(seriesOf([]), position, toDecimal('0.0004'))).toBeNull();
});
