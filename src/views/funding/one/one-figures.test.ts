import { expect, it } from 'vitest';
import { asTicks } from '#domain/conversions.ts';
import { boundaryAt, toWirePrints } from '#testing/funding-prints.ts';
import { countUsdDigits } from './one-figures.ts';
import type { OneData } from './one-data.ts';

const rows = toWirePrints([{ start: boundaryAt(0), end: boundaryAt(1), rate: '0.0001' }]);
const by = (factor: string): OneData['conversion'] => ({ ...asTicks, factor });

it('prices of prints have the digits that they have in USD, not those of ticks and of the increment together', () => {
  expect(countUsdDigits(rows, by('5'))).toEqual({ price_index: 2, mark_price: 2 });
  expect(countUsdDigits(rows, by('0.2'))).toEqual({ price_index: 3, mark_price: 2 });
  expect(countUsdDigits(rows, null)).toEqual({ price_index: 2, mark_price: 2 });
});
