import { expect, it } from 'vitest';
import { toDecimal } from '../units/decimal.ts';
import type { MarketRow } from './market-rows.ts';
import { toMarketTotals } from './market-totals.ts';

function row(type: string | undefined, usd: string | null): MarketRow {
  return {
    product: { type },
    openInterestUsd: { value: usd === null ? null : toDecimal(usd) },
  } as unknown as MarketRow;
}

it('notional, option premium and spread difference have totals apart, each over the products that have a value', () => {
  const rows = [
    row('future', '171.5'),
    row('perpetual', '62'),
    row('option', '4.4'),
    row('spread', '0.2'),
    row('spread', null),
    row(undefined, '1'),
  ];
  expect(
    toMarketTotals(rows, 'openInterestUsd').map(({ kind, value, known, products }) => [
      kind,
      value?.toFixed(),
      known,
      products,
    ]),
  ).toEqual([
    ['notional', '234.5', 3, 3],
    ['option premium', '4.4', 1, 1],
    ['spread difference', '0.2', 1, 2],
  ]);
});

it('there is no total without products, and no value without values', () => {
  expect(toMarketTotals([], 'volumeUsd')).toEqual([]);
  expect(toMarketTotals([row('option', null)], 'openInterestUsd')).toEqual([
    { kind: 'option premium', value: null, known: 0, products: 1 },
  ]);
});
