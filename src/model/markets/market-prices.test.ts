import { expect, it } from 'vitest';
import type { ProductData } from '#contract/exchange/product.ts';
import type { Source } from '../response.ts';
import { asTicks } from '../units/quantity.ts';
import { toLastPrices } from './market-prices.ts';

const row = {
  last_price: 110,
  last_price_time: '2026-11-25T15:00:00Z',
  settlement_price: 100,
  settlement_time: '2026-11-24T22:00:00Z',
  price_change: 10,
  low_price: 95,
  high_price: 115,
};

function lastOf(fields: Readonly<Record<string, number | string | null>>) {
  const { last } = toLastPrices({} as Source, { ...row, ...fields } as unknown as ProductData, asTicks);
  return last?.withheld ?? last?.value?.toFixed();
}

it.each([
  ['within the low and high of its session', {}, '110'],
  ['at the high', { last_price: 115 }, '115'],
  [
    'from before the settlement, whose session has another low and high',
    { last_price: 500, last_price_time: '2026-11-24T21:00:00Z' },
    '500',
  ],
  ['of a session without a low and high', { last_price: 500, low_price: null, high_price: null }, '500'],
  ['above the high', { last_price: 11_000 }, expect.stringContaining('outside the low and high')],
  ['below the low', { last_price: -110 }, expect.stringContaining('outside the low and high')],
  [
    'of a session whose low is above its high',
    { low_price: 115, high_price: 95 },
    expect.stringContaining('outside the low and high'),
  ],
])('a last price %s', (_, fields, expected) => {
  expect(lastOf(fields)).toEqual(expected);
});

it.each([
  ['that is the last price minus the settlement', {}, ['10', '0.1']],
  ['of fractional ticks', { settlement_price: 100.3, price_change: 9.7 }, ['9.7', expect.stringMatching(/^0\.0967/)]],
  [
    'that is another one',
    { price_change: 7 },
    [
      expect.stringContaining('is not the last price minus the settlement'),
      expect.stringContaining('is not the last price minus the settlement'),
    ],
  ],
  [
    'of a last price that is outside the low and high of its session',
    { last_price: 120, price_change: 20 },
    [expect.stringContaining('outside the low and high'), expect.stringContaining('outside the low and high')],
  ],
  [
    'from before the settlement, which may be of the settlement before',
    { price_change: 7, last_price_time: '2026-11-24T21:00:00Z' },
    ['7', '0.07'],
  ],
])('a change %s', (_, fields, expected) => {
  const { change, changeFraction } = toLastPrices(
    {} as Source,
    { ...row, ...fields } as unknown as ProductData,
    asTicks,
  );
  expect([change, changeFraction].map((quantity) => quantity?.withheld ?? quantity?.value?.toFixed())).toEqual(
    expected,
  );
});
