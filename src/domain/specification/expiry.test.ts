import { describe, expect, it } from 'vitest';
import type { Day } from '#contract/day.ts';
import type { DeskProduct } from '#contract/desk.ts';
import { exchangeDayOf } from '../time/exchange-day.ts';
import { describeDaysLeft, isSoon, toExpiry } from './expiry.ts';

const settles = '2026-11-27T22:00:00Z' as NonNullable<DeskProduct['final_settle_time']>;

function daysLeftAt(now: string, at: string = settles): number | null | undefined {
  return toExpiry({ final_settle_time: at as typeof settles }, exchangeDayOf(Date.parse(now)))?.daysLeft;
}

describe('days to expiry', () => {
  it.each([
    ['a minute before midnight in Chicago', '2026-11-26T05:59:00Z', settles, 2],
    ['at midnight in Chicago', '2026-11-26T06:00:00Z', settles, 1],
    ['at midnight in UTC, which is evening in Chicago', '2026-11-27T00:00:00Z', settles, 1],
    ['on the last day', '2026-11-27T12:00:00Z', settles, 0],
    ['after it', '2026-11-28T12:00:00Z', settles, -1],
    ['in summer, a minute before midnight in Chicago', '2026-07-02T04:59:00Z', '2026-07-31T21:00:00Z', 30],
    ['in summer, at midnight in Chicago', '2026-07-02T05:00:00Z', '2026-07-31T21:00:00Z', 29],
    ['across the end of daylight saving', '2026-10-31T05:00:00Z', '2026-11-02T22:00:00Z', 2],
    ['across its beginning', '2027-03-13T06:00:00Z', '2027-03-15T21:00:00Z', 2],
  ])('%s', (_, now, at, days) => {
    expect(daysLeftAt(now, at)).toBe(days);
  });

  it('are unknown without the exchange’s time', () => {
    expect(toExpiry({ final_settle_time: settles }, null)).toEqual({ at: settles, day: '2026-11-27', daysLeft: null });
  });

  it('do not exist for a perpetual, whatever is published, nor without a final settlement', () => {
    const today = '2026-11-25' as Day;
    expect(toExpiry({ type: 'perpetual', final_settle_time: settles }, today)).toBeNull();
    expect(toExpiry({ type: 'future' }, today)).toBeNull();
  });

  it('are few from a week before until the last day', () => {
    const soon = ['2026-11-19', '2026-11-20', '2026-11-27', '2026-11-28'].map((today) => isSoon(toExpiry({ final_settle_time: settles }, today as Day)));
    expect(soon).toEqual([false, true, true, false]);
    expect([isSoon(null), isSoon(toExpiry({ final_settle_time: settles }, null))]).toEqual([false, false]);
  });

  it('are written in words', () => {
    expect([2, 1, 0, -1, -2].map(describeDaysLeft)).toEqual(['in 2 days', 'in 1 day', 'today', '1 day ago', '2 days ago']);
  });
});
