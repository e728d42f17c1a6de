import { expect, it } from 'vitest';
import { fundingTimeAt, toWirePrints } from '#testing/settled-rates.ts';
import type { Source } from '../response.ts';
import { asTicks } from '../units/quantity.ts';
import { readFundingPrice, toFundingPrice } from './funding-prices.ts';

const [row] = toWirePrints([{ start: fundingTimeAt(0), end: fundingTimeAt(1), rate: '0.0001' }]);
const read = (price: number) => {
  const print = { ...row, price_index: price } as unknown as Parameters<typeof readFundingPrice>[0];
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
