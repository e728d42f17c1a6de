import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Day } from '#contract/day.ts';
import type { Instant } from '#contract/instant.ts';
import { addDays, addMonths, countDays, monthOf, weekdayOf, weekOf } from './calendar.ts';
import numbers from './checked-numbers.json' with { type: 'json' };
import { createTimeFormat, formatDay, formatDuration } from './format-time.ts';
import { createSessionCalendar, toCustomRange, toMillis, toRange } from './session.ts';

const day = fc.date({ min: new Date('1970-01-02'), max: new Date('2199-12-30'), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10) as Day);

describe('the session that a moment belongs to', () => {
  const sessionOf = createSessionCalendar();

  it.each(numbers.sessions)('$instant, $chicago in Chicago: $everyDay, or $weekdays without weekends', ({ instant, everyDay, weekdays }) => {
    const at = toMillis(instant as Instant);
    expect(sessionOf(at, { everyDay: true })).toBe(everyDay);
    expect(sessionOf(at, { everyDay: false })).toBe(weekdays);
  });

  it('ends at the time that its product settles', () => {
    const at = toMillis('2026-08-17T20:30:00Z' as Instant);
    expect(sessionOf(at, { everyDay: true, settlesAt: '15:00:00' })).toBe('2026-08-18');
    expect(sessionOf(at, { everyDay: true })).toBe('2026-08-17');
  });
});

describe('days', () => {
  it('go forth and back again', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -20_000, max: 20_000 }), (start, count) => {
        expect(countDays(start, addDays(start, count))).toBe(count);
      }),
    );
  });

  it('belong to the week that began on its Monday', () => {
    fc.assert(
      fc.property(day, (date) => {
        expect(weekdayOf(weekOf(date))).toBe(1);
        expect(countDays(weekOf(date), date)).toBe(weekdayOf(date) - 1);
      }),
    );
  });

  it('keep their date in other months, or take the last there is', () => {
    expect(addMonths('2026-03-31' as Day, -1)).toBe('2026-02-28');
    expect(addMonths('2028-03-31' as Day, -1)).toBe('2028-02-29');
    expect(addMonths('2026-01-15' as Day, -12)).toBe('2025-01-15');
    expect(addMonths('2026-11-30' as Day, 3)).toBe('2027-02-28');
    expect(monthOf('2026-11-30' as Day)).toBe('2026-11-01');
  });
});

describe('ranges', () => {
  it('begin at the midnight of their first day, so that the same day asks the same question', () => {
    expect(toRange('1M', '2026-03-31' as Day)).toEqual({ begin_time: '2026-02-28T00:00:00Z' });
    expect(toRange('1Y', '2028-02-29' as Day)).toEqual({ begin_time: '2027-02-28T00:00:00Z' });
    expect(toRange('All', '2026-03-31' as Day)).toEqual({ begin_time: '2000-01-01T00:00:00Z' });
  });

  it('have the whole of their last day in them', () => {
    expect(toCustomRange('2026-02-01' as Day, '2026-02-28' as Day)).toEqual({ begin_time: '2026-02-01T00:00:00Z', end_time: '2026-03-01T00:00:00Z' });
  });
});

describe('times', () => {
  const format = createTimeFormat('Asia/Kolkata');
  const instant = '2026-08-17T23:45:21.496334704Z' as Instant;

  it('are told by any of the three clocks, with every digit that came', () => {
    expect(format.formatAll(instant)).toEqual({
      utc: '2026-08-17 23:45:21.496334704 UTC',
      local: '2026-08-18 05:15:21.496334704 Asia/Kolkata',
      exchange: '2026-08-17 18:45:21.496334704 Chicago',
    });
  });

  it('are cut, not rounded', () => {
    expect(format.formatInstant(instant, 'utc', 'millis')).toBe('2026-08-17 23:45:21.496');
    expect(format.formatClock('2026-08-17T23:59:59.9999Z' as Instant, 'utc')).toBe('23:59:59');
    expect(format.formatClock('2026-08-17T23:59:59Z' as Instant, 'utc', 'millis')).toBe('23:59:59.000');
    expect(format.formatClock('2026-08-17T23:59:59Z' as Instant, 'utc', 'minutes')).toBe('23:59');
  });

  it.each(numbers.sessions)('$instant is $chicago in Chicago', ({ instant: text, chicago }) => {
    expect(format.formatInstant(text as Instant, 'exchange')).toBe(chicago);
  });

  it('show a session’s date as it is on the wire', () => {
    expect(formatDay('2026-08-07' as Day)).toBe('7 Aug 2026');
  });

  it('say a length of time in its two largest units', () => {
    expect([0, 3.9, 60, 65, 3_599, 3_600, 3_900, 90_000, 172_800, -5].map(formatDuration)).toEqual([
      '0 s',
      '3 s',
      '1 min',
      '1 min',
      '59 min',
      '1 h',
      '1 h 5 min',
      '1 d 1 h',
      '2 d',
      '0 s',
    ]);
  });
});
