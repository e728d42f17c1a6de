import { expect, it } from 'vitest';
import { fundingTimeAt, printAt, toWirePrints } from '#testing/settled-rates.ts';
import { checkTotal, findOtherLatestRate } from './exact-checks.ts';
import { fromNumber } from '#contract/exchange/brand.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';

const history = toWirePrints([printAt(1, '0.0001'), printAt(0, '-0.00025')]);
const latestOf = (at: number, rate: string) => toWirePrints([printAt(at, rate)])[0];

it('the latest rate is that of the history, whatever its digits', () => {
  expect(findOtherLatestRate(latestOf(1, '1.00e-4'), history)).toBeNull();
  expect(findOtherLatestRate(latestOf(0, '-0.000250'), history)).toBeNull();
});

it('another sign or another unit is found', () => {
  expect(findOtherLatestRate(latestOf(1, '-0.0001'), history)).toMatchObject({ settledAt: fundingTimeAt(2) });
  const found = findOtherLatestRate(latestOf(0, '-0.025'), history);
  expect([found?.latest, found?.ofHistory].map(String)).toEqual(['-0.025', '-0.00025']);
});

it('a rate that one of them does not have is not compared', () => {
  expect(findOtherLatestRate(latestOf(2, '0.0001'), history)).toBeNull();
  expect(findOtherLatestRate(undefined, history)).toBeNull();
});

const day = (productId: number, date: string, volume: number | null): VOIDataPoint =>
  ({ productId, date, volume }) as unknown as VOIDataPoint;
const named = (id: number, status = 'active') => ({
  id: fromNumber<never>(id),
  product: { product_status: status } as never,
});
const ids = [named(1), named(2)];
const parts = [
  day(1, '2026-11-23', 4),
  day(2, '2026-11-23', 5),
  day(1, '2026-11-24', 7),
  day(2, '2026-11-24', null),
  day(3, '2026-11-24', 100),
];

it('compares the newest session that both have; a product without trades adds nothing', () => {
  const total = [day(1, '2026-11-23', 9), day(1, '2026-11-24', 7), day(1, '2026-11-25', 1)];
  expect(checkTotal(total, parts, ids)).toEqual({ session: '2026-11-24', total: 7, sum: 7 });
  expect(checkTotal([day(1, '2026-11-23', 4)], parts, ids)).toEqual({ session: '2026-11-23', total: 4, sum: 9 });
});

it('is not possible without the volume of each product, or without a session in common', () => {
  expect(checkTotal([day(1, '2026-11-24', 7)], parts, [...ids, named(9)])).toBeNull();
  expect(checkTotal([day(1, '2026-11-24', 7)], parts, [...ids, named(9, 'expired')])).toMatchObject({ sum: 7 });
  expect(checkTotal([day(1, '2026-11-20', 7)], parts, ids)).toBeNull();
  expect(checkTotal([day(1, '2026-11-24', null)], parts, ids)).toBeNull();
});
