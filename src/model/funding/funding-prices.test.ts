import { expect, it } from 'vitest';
import { fundingTimeAt, toWirePrints } from '#testing/settled-rates.ts';
import type { Source } from '../response.ts';
import { asTicks } from '../units/quantity.ts';
import { readFundingPrice, toFundingPrice } from './funding-prices.ts';

const [row] = toWirePrints([{ start: fundingTimeAt(0), end: fundingTimeAt(1), rate: '0.0001' }]);
const read = (price: number, others: object = { mark_price: price }) => {
  const print = { ...row, price_index: price, ...others } as unknown as Parameters<typeof readFundingPrice>[0];
  return [
    readFundingPrice(print, 'price_index')?.toFixed() ?? null,
    toFundingPrice({ source: {} as Source, dataTime: null }, print, 'price_index', asTicks),
  ] as const;
};

it('a price above zero is as published', () => {
  expect(read(0.5)).toMatchObject(['0.5', { withheld: null }]);
});

it.each([0, -101_234.56])('a price of %d is withheld with its reason', (price) => {
  expect(read(price)).toMatchObject([
    null,
    {
      value: null,
      withheld: `Impossible value: expected more than 0, found ${String(price)}.`,
      provenance: { wireText: String(price) },
    },
  ]);
});

it.each([
  ['a mark 2 % above the index', 102, 0.0001],
  ['an index 1 % above the mark', 99, 0.0001],
  ['a rate that the premium contradicts', 99.8, 0.007],
])('mark and index are withheld where the rate contradicts them: %s', (_, mark_price, funding_rate) => {
  expect(read(100, { mark_price, funding_rate })).toMatchObject([
    null,
    { value: null, withheld: expect.stringContaining('Mark or index is wrong') as string },
  ]);
});

it.each([
  ['more than any sound one', 100.5, 0.0001],
  ['as high as the rate', 101, 0.0074],
  ['far from a rate that is itself in doubt', 100, 0.01],
])('a premium is kept if it is %s', (_, mark_price, funding_rate) => {
  expect(read(100, { mark_price, funding_rate })).toMatchObject(['100', { withheld: null }]);
});
