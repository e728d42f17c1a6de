import { expect, test } from 'vitest';
import { openTestDisk } from '#testing/test-disk.ts';
import { createFundingStore, type FundingStore } from './funding-store.ts';
import { createYearRanks } from './year-rank.ts';

const DAY_MS = 86_400_000;
const NEWEST = Date.UTC(2026, 7, 17, 8);
const daysBefore = (days: number): string => new Date(NEWEST - days * DAY_MS).toISOString().replace('.000Z', '.000000000Z');
const print = (days: number, rate: string) => ({ endAt: daysBefore(days), text: `{"funding_rate":${rate}}` });

function storeWith(...rows: readonly ReturnType<typeof print>[]): FundingStore {
  const store = createFundingStore(openTestDisk(), 'venue');
  store.append(1, rows.toSorted((a, b) => (a.endAt < b.endAt ? -1 : 1)));
  store.recordRead({ productId: 1, baseSymbol: 'BTCUC' }, 1);
  return store;
}

test('the newest rate is ranked among those of the 365 days that end with it, itself included', () => {
  const store = storeWith(print(0, '0.0002'), print(1, '-0.0001'), print(2, '0.0002'), print(3, '0.0003'), print(364, '0.0001'), print(365, '0.00005'));
  expect(createYearRanks(store)(1, 1)).toEqual({ interval_end: daysBefore(0), intervals: 5, below: 2, equal: 2 });
});

test('an interval counts once, and not at all if its prints contradict each other or have no rate', () => {
  const store = storeWith(print(0, '0.0002'), print(1, '0.0001'), print(1, '0.00010'), print(2, '0.0001'), print(2, '0.0003'), print(3, '"0.1"'));
  expect(createYearRanks(store)(1, 1)).toMatchObject({ intervals: 2, below: 1, equal: 1 });
});

test('there is no rank without a settled rate, or while the newest contradicts itself', () => {
  expect(createYearRanks(createFundingStore(openTestDisk(), 'venue'))(1, 0)).toBeNull();
  expect(createYearRanks(storeWith(print(0, '0.0002'), print(0, '0.0003'), print(1, '0.0001')))(1, 1)).toBeNull();
});

test('a read that brings a newer rate changes the rank', () => {
  const store = storeWith(print(1, '0.0001'));
  const rankInYear = createYearRanks(store);
  expect(rankInYear(1, 1)).toMatchObject({ interval_end: daysBefore(1), intervals: 1 });
  store.append(1, [print(0, '0.0002')]);
  store.recordRead({ productId: 1, baseSymbol: 'BTCUC' }, 2);
  expect(rankInYear(1, 2)).toMatchObject({ interval_end: daysBefore(0), intervals: 2, below: 1 });
});
