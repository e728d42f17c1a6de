import { expect, test } from 'vitest';
import type { ActivityCounts } from '#contract/desk/journal-activity.ts';
import { isRatioWithheld, toOrderToTrade, toShareFilled } from './activity-figures.ts';

const counts = {
  placed: 5,
  changed: 9,
  modified: 3,
  ended_filled: 7,
  ended_partly_filled: 1,
  ended_unfilled: 2,
  fills: 4,
  quantity_ended: 50,
  quantity_ended_filled: 20,
} as unknown as ActivityCounts;

test('the order-to-trade ratio counts what was done with orders, for each fill; without fills there is none', () => {
  expect(toOrderToTrade(counts)).toBe(11 / 4);
  expect(toOrderToTrade({ ...counts, fills: 0 })).toBeNull();
});

test('the share filled is of orders that ended; where none did, there is none', () => {
  expect(toShareFilled(counts)).toBe(0.4);
  expect(toShareFilled({ ...counts, quantity_ended: 0 } as unknown as ActivityCounts)).toBeNull();
});

test('a gap withholds ratios', () => {
  expect([isRatioWithheld({ unread_seconds: 0 }), isRatioWithheld({ unread_seconds: 0.5 })]).toEqual([false, true]);
});
