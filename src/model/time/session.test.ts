import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Day, type Instant, parseInstant, toEpochMillis } from '#contract/exchange/instant.ts';
import { addDays, addMonths, monthOf, sessionAfter, sessionOf, toMillis, weekdayOf, weekOf } from './session.ts';
import numbers from '../checked-numbers.json' with { type: 'json' };
import { formatDay } from '../format/format-time.ts';
import { exchangeDayOf } from '../products/expiry.ts';
import { firstDayOf, toRange } from './date-range.ts';

const day = fc
  .date({ min: new Date('1970-01-02'), max: new Date('2199-12-30'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10) as Day);

describe('the session of a time', () => {
  it.each(numbers.sessions)(
    '$instant, $chicago in Chicago: $everyDay, or $weekdays without weekends',
    ({ instant, everyDay, weekdays }) => {
      const at = toMillis(instant as Instant);
      expect(sessionOf(at, { everyDay: true })).toBe(everyDay);
      expect(sessionOf(at, { everyDay: false })).toBe(weekdays);
    },
  );

  it('is followed by the next day, or after a Friday by Monday unless the product trades every day', () => {
    const after = (from: string, everyDay: boolean) => sessionAfter(from as Day, { everyDay });
    expect([after('2026-11-19', false), after('2026-11-20', false), after('2026-11-20', true)]).toEqual([
      '2026-11-20',
      '2026-11-23',
      '2026-11-21',
    ]);
  });

  it('is found from the instant to the millisecond, whatever its fraction', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
        fc.stringMatching(/^\d{0,9}$/),
        (date, fraction) => {
          const instant = `${date.toISOString().slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`;
          const nanos = parseInstant(instant);
          expect(toMillis(instant as Instant)).toBe(nanos === null ? NaN : toEpochMillis(nanos));
        },
      ),
    );
    expect(toMillis('2026-02-30T00:00:00Z' as Instant)).toBeNaN();
  });

  it('follows Chicago time at every hour of every year', () => {
    const digits = '2-digit';
    const chicago = new Intl.DateTimeFormat('sv', {
      timeZone: 'America/Chicago',
      year: 'numeric',
      month: digits,
      day: digits,
      hour: digits,
    });
    const date = fc.date({ min: new Date('1970-01-02'), max: new Date('2199-12-30'), noInvalidDate: true });
    fc.assert(
      fc.property(date, fc.constantFrom(null, 20, 21, 22), (time, hour) => {
        if (hour !== null) time.setUTCHours(hour);
        const [local = '', hourThere = ''] = chicago.format(time).split(' ');
        expect(sessionOf(time.getTime(), { everyDay: true })).toBe(
          Number(hourThere) < 16 ? local : addDays(local as Day, 1),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

it('the exchange’s day begins at midnight in Chicago, at every hour of every year', () => {
  const chicago = new Intl.DateTimeFormat('sv', {
    timeZone: 'America/Chicago',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const date = fc.date({ min: new Date('1970-01-02'), max: new Date('2199-12-30'), noInvalidDate: true });
  fc.assert(
    fc.property(date, fc.constantFrom(null, 4, 5, 6), (time, hour) => {
      if (hour !== null) time.setUTCHours(hour);
      expect(exchangeDayOf(time.getTime())).toBe(chicago.format(time));
    }),
    { numRuns: 2_000 },
  );
});

describe('calendar days', () => {
  it('are added as the calendar counts them', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -20_000, max: 20_000 }), (start, count) => {
        expect(Date.parse(addDays(start, count)) - Date.parse(start)).toBe(count * 86_400_000);
      }),
    );
  });

  it('can be added and subtracted', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -20_000, max: 20_000 }), (start, count) => {
        expect(addDays(addDays(start, count), -count)).toBe(start);
        expect(Date.parse(addDays(start, count)) - Date.parse(start)).toBe(count * 86_400_000);
      }),
    );
  });

  it('belong to the week of their Monday', () => {
    fc.assert(
      fc.property(day, (date) => {
        expect(weekdayOf(weekOf(date))).toBe(1);
        expect(addDays(weekOf(date), weekdayOf(date) - 1)).toBe(date);
      }),
    );
  });

  it('keep their date in other months, or become the last day', () => {
    expect(addMonths('2026-03-31' as Day, -1)).toBe('2026-02-28');
    expect(addMonths('2028-03-31' as Day, -1)).toBe('2028-02-29');
    expect(addMonths('2026-01-15' as Day, -12)).toBe('2025-01-15');
    expect(addMonths('2026-11-30' as Day, 3)).toBe('2027-02-28');
    expect(monthOf('2026-11-30' as Day)).toBe('2026-11-01');
  });
});

describe('ranges', () => {
  it('begin a number of months ago, or at the beginning', () => {
    expect(firstDayOf('1M', '2026-03-31' as Day)).toBe('2026-02-28');
    expect(firstDayOf('1Y', '2028-02-29' as Day)).toBe('2027-02-28');
    expect(firstDayOf('All', '2026-03-31' as Day)).toBe('2001-01-01');
  });

  it('begin at midnight of their first day, so that requests of one day are equal', () => {
    expect(toRange('2026-02-28' as Day)).toEqual({ begin_time: '2026-02-28T00:00:00Z' });
  });

  it('include their whole last day', () => {
    expect(toRange('2026-02-01' as Day, '2026-02-28' as Day)).toEqual({
      begin_time: '2026-02-01T00:00:00Z',
      end_time: '2026-03-01T00:00:00Z',
    });
  });
});

it('a session’s date is formatted without a time zone', () => {
  expect(formatDay('2026-08-07' as Day)).toBe('7 Aug 2026');
});
