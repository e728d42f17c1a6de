import { expect, it } from 'vitest';
import type { DeskProducts } from '#contract/desk/desk.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import type { Sourced } from '../../response.ts';
import { addTerms } from './term-filter.ts';

const future = {
  product_id: 1,
  symbol: 'BUSZ26',
  type: 'future',
  price_increment: 5,
  final_settle_time: '2026-12-25T22:00:00Z',
};
const perpetual = { product_id: 2, symbol: 'PBTC', type: 'perpetual' };
const gone = { product_id: 3, symbol: 'BUSX24', type: 'future' };
const products = { value: { products: [future, perpetual, gone] } } as unknown as Sourced<DeskProducts>;
const check = { verdict: 'agrees', comparison: null, reason: null };
const rows = [future, perpetual].map((product) => ({
  productId: product.product_id,
  product,
  check,
})) as unknown as readonly MarketRow[];

it('rows know what their terms are read with: every product of the directory, and the checks of those that are listed', () => {
  const [row] = addTerms(rows, products, Date.parse('2026-12-20T12:00:00Z'));
  expect([1, 2, 3, 4].map((id) => row?.terms?.find(id)?.symbol)).toEqual(['BUSZ26', 'PBTC', 'BUSX24', undefined]);
  expect([future, gone].map((product) => row?.terms?.checkOf(product as unknown as MarketRow['product']))).toEqual([
    check,
    null,
  ]);
});

it('what expires within a week is marked by the exchange’s clock, and nothing while that is unknown', () => {
  const soon = (now: string | null) =>
    addTerms(rows, products, now === null ? null : Date.parse(now)).map(({ expiresSoon }) => expiresSoon);
  expect([soon('2026-12-17T12:00:00Z'), soon('2026-12-18T12:00:00Z'), soon(null)]).toEqual([
    [false, false],
    [true, false],
    [false, false],
  ]);
});
