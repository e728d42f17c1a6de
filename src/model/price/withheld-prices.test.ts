import { expect, it } from 'vitest';
import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import { findWithheldReason } from '#contract/exchange/row-notes.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { withholdDoubtful, withholdImpossiblePrices } from './withheld-prices.ts';

const good = sampleResponses.chartPrice as readonly unknown[] as readonly [PriceDataPoint];
const negative = good.map((point): PriceDataPoint => ({
  ...point,
  settlementPrice: '-116680.0' as never,
  ohlc: { ...point.ohlc, low: '-0.5' as never },
}));

it('a negative price of a product that is no spread is withheld with its reason, the rest of its session stays', () => {
  const [point] = withholdImpossiblePrices(negative, { type: 'perpetual' });
  expect(point).toMatchObject({ ...good[0], settlementPrice: null, ohlc: { ...good[0].ohlc, low: null } });
  expect([findWithheldReason(point ?? {}, 'settlementPrice'), findWithheldReason(point?.ohlc ?? {}, 'low')]).toEqual(
    Array(2).fill('Impossible value: the price of a perpetual cannot be negative.'),
  );
});

it('a chart in doubt has no prices, whether settled or traded, or no volume', () => {
  const withoutPrices = { open: null, high: null, low: null, close: null };
  expect(withholdDoubtful(good, { price: 'It is alone.', volume: null })).toMatchObject([
    { settlementPrice: null, ohlc: { ...withoutPrices, volume: good[0].ohlc.volume } },
  ]);
  expect(withholdDoubtful(good, { price: null, volume: 'It is alone.' })).toMatchObject([
    { settlementPrice: good[0].settlementPrice, ohlc: { open: good[0].ohlc.open, volume: null } },
  ]);
  expect(withholdDoubtful(good, { price: null, volume: null })).toBe(good);
});

it('a spread’s price may be negative, and so may that of a product of unknown type', () => {
  expect(withholdImpossiblePrices(negative, { type: 'spread' })).toBe(negative);
  expect(withholdImpossiblePrices(negative, { type: 'basket' as never })).toBe(negative);
  expect(withholdImpossiblePrices(negative, null)).toBe(negative);
});

it('a settlement of zero is withheld, but for that of an option or a spread; a candle may be of zeros', () => {
  const zero = good.map((point): PriceDataPoint => ({
    ...point,
    settlementPrice: '0.0000000000' as never,
    ohlc: { ...point.ohlc, low: '0.0' as never },
  }));
  const [point] = withholdImpossiblePrices(zero, { type: 'perpetual' });
  expect(point).toMatchObject({ ...zero[0], settlementPrice: null });
  expect(findWithheldReason(point ?? {}, 'settlementPrice')).toBe(
    'Impossible value: the price of a perpetual cannot be zero.',
  );
  for (const type of ['option', 'spread'] as const) expect(withholdImpossiblePrices(zero, { type })).toBe(zero);
});

it('possible prices are the same list', () => {
  expect(withholdImpossiblePrices(good, { type: 'option' })).toBe(good);
});
