import { expect, it } from 'vitest';
import { asTicks } from '../../units/quantity.ts';
import { fundingTimeAt, toWirePrints } from '#testing/settled-rates.ts';
import { countUsdDigits } from './rate-figures.ts';
import type { PerpetualData } from '../../tables/funding/perpetual-data.ts';

const rows = toWirePrints([{ start: fundingTimeAt(0), end: fundingTimeAt(1), rate: '0.0001' }]);
const by = (factor: string): PerpetualData['conversion'] => ({ ...asTicks, factor });

it('counts the digits that prices have in USD, not those of ticks plus tick size', () => {
  expect(countUsdDigits(rows, by('5'))).toEqual({ price_index: 2, mark_price: 2 });
  expect(countUsdDigits(rows, by('0.2'))).toEqual({ price_index: 3, mark_price: 2 });
  expect(countUsdDigits(rows, null)).toEqual({ price_index: 2, mark_price: 2 });
});
