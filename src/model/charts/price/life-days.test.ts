import { expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toLifeDays } from './life-days.ts';

const future = {
  type: 'future',
  first_trading_day: '2026-01-06',
  final_settle_time: '2026-12-25T22:00:00Z',
} as unknown as DeskProduct;

it('names the bars of the first trading day and of the final settlement, by the day in Chicago', () => {
  expect([...toLifeDays(future, '1D')]).toEqual([
    ['2026-01-06', 'first trading day'],
    ['2026-12-25', 'final settlement'],
  ]);
  expect([...toLifeDays(future, '1W').keys()]).toEqual(['2026-01-05', '2026-12-21']);
});

it('marks nothing of a perpetual, of an unknown product, or of a day that is none', () => {
  expect(toLifeDays({ ...future, type: 'perpetual' }, '1D').size).toBe(0);
  expect(toLifeDays(null, '1D').size).toBe(0);
  expect([...toLifeDays({ ...future, first_trading_day: 'soon' }, '1D').values()]).toEqual(['final settlement']);
});
