import { expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { addDays } from '../time/session.ts';
import type { Day } from '#contract/exchange/instant.ts';
import { describeLoneInterest, describeOtherCandles } from './earlier-sessions.ts';

const FIRST = '2026-11-16' as Day;

function toDays(rows: readonly object[]) {
  const wire = rows.map((row, at) => ({
    ...sampleResponses.chartVoi[0],
    productId: 7,
    date: addDays(FIRST, at),
    ...row,
  }));
  return createParser(ENDPOINTS.chartVoi.response).tolerant(JSON.stringify(wire)).value ?? [];
}

const withVolume = (volume: number, ...interest: readonly number[]) =>
  toDays(interest.map((openInterest) => ({ openInterest, notionalOpenInterest: 5 * openInterest, volume })));
const withInterest = (...interest: readonly number[]) => withVolume(20, ...interest);
const EVERY_DAY = { everyDay: true };

it.each<[name: string, interest: readonly number[], days: string, volume?: number]>([
  ['ten times as high', [100, 110, 1_100, 115], '18 Nov 2026'],
  ['zero', [100, 110, 0, 115], '18 Nov 2026'],
  ['on the newest day', [100, 110, 1_100], '18 Nov 2026'],
  ['zero on the newest day', [100, 110, 0], '18 Nov 2026'],
  ['twice', [100, 900, 110, 0, 115], '17 Nov 2026, 19 Nov 2026'],
  ['zero although as many may have been closed and opened', [2_000, 2_010, 0, 2_015], '18 Nov 2026', 9_000],
])('open interest that is %s is in doubt', (_, interest, days, volume = 20) => {
  expect(describeLoneInterest(withVolume(volume, ...interest), EVERY_DAY)).toBe(
    `Open interest of ${days} is in doubt: it changed by more contracts than were traded, or is zero between days when it is not.`,
  );
});

it.each([
  ['rises with the volume', [100, 120, 140]],
  ['falls once and for all', [100, 30, 35]],
  ['is transferred', [100, 180]],
  ['is published for the first time', [900]],
  ['is opened, and closed again', [0, 15, 0, 10]],
])('open interest that %s is possible', (_, interest) => {
  expect(describeLoneInterest(withInterest(...interest), EVERY_DAY)).toBeNull();
});

it('a contract that expires loses its open interest, and a missing day may explain a change', () => {
  expect(describeLoneInterest(withInterest(100, 110, 0), { everyDay: false })).toBeNull();
  const days = withInterest(100, 110, 1_100, 115);
  expect(describeLoneInterest([...days.slice(0, 1), ...days.slice(2)], EVERY_DAY)).toBeNull();
});

it('sessions whose candle contradicts the daily figures are named', () => {
  const product = { product_id: 7, type: 'perpetual', contract_size: 0.1 } as unknown as DeskProduct;
  const days = toDays([0, 1, 2].map(() => ({ volume: 20, openInterest: 100, notionalOpenInterest: 100 * 500 * 10 })));
  const points = [{}, { settlementPrice: '525.0' }, { ohlc: { ...sampleResponses.chartPrice[0].ohlc, volume: 21 } }];
  const read = (rows: readonly object[]) =>
    createParser(ENDPOINTS.chartPrice.response).tolerant(
      JSON.stringify(
        rows.map((row, at) => ({
          ...sampleResponses.chartPrice[0],
          ...{ date: addDays(FIRST, at), settlementPrice: '500.0' },
          ohlc: { ...sampleResponses.chartPrice[0].ohlc, volume: 20 },
          ...row,
        })),
      ),
    ).value ?? [];
  expect(describeOtherCandles(read(points), days, product)).toBe(
    'The chart and the daily volume or open interest of 17 Nov 2026, 18 Nov 2026 contradict each other.',
  );
  expect(describeOtherCandles(read([{}, {}]), days, product)).toBeNull();
  expect(describeOtherCandles(read([{}, { settlementPrice: '525.0' }]), days, null)).toBeNull();
});
