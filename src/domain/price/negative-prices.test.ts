import { expect, it } from 'vitest';
import type { PriceDataPoint } from '#contract/price-data.ts';
import { findWithheldReason } from '#contract/withheld.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { withholdNegativePrices } from './negative-prices.ts';

const good = sampleResponses.chartPrice as readonly unknown[] as readonly [PriceDataPoint];
const negative = good.map((point): PriceDataPoint => ({ ...point, settlementPrice: '-116680.0' as never, ohlc: { ...point.ohlc, low: '-0.5' as never } }));

it('a negative price of a product that is no spread is withheld with its reason, the rest of its session stays', () => {
  const [point] = withholdNegativePrices(negative, { type: 'perpetual' });
  expect(point).toMatchObject({ ...good[0], settlementPrice: null, ohlc: { ...good[0].ohlc, low: null } });
  expect([findWithheldReason(point ?? {}, 'settlementPrice'), findWithheldReason(point?.ohlc ?? {}, 'low')]).toEqual(Array(2).fill('Impossible value: the price of a perpetual cannot be negative.'));
});

it('a spread’s price may be negative, and so may that of a product of unknown type', () => {
  expect(withholdNegativePrices(negative, { type: 'spread' })).toBe(negative);
  expect(withholdNegativePrices(negative, { type: 'basket' as never })).toBe(negative);
  expect(withholdNegativePrices(negative, null)).toBe(negative);
});

it('prices that are not negative are the same list', () => {
  expect(withholdNegativePrices(good, { type: 'option' })).toBe(good);
});
