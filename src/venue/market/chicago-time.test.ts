import { describe, expect, it } from 'vitest';
import { addDays, chicagoDateAt, chicagoInstant, dayNumberOf, toDate, toDayNumber, weekdayOf } from './calendar.ts';

const HOUR = 3_600_000_000;
const at = (iso: string): number => Date.parse(iso) * 1000;

describe('the date in Chicago', () => {
  it('changes at midnight there', () => {
    expect(chicagoDateAt(at('2026-08-17T04:59:59.999Z'))).toBe('2026-08-16');
    expect(chicagoDateAt(at('2026-08-17T05:00:00Z'))).toBe('2026-08-17');
    expect(chicagoDateAt(at('2026-12-17T05:59:59.999Z'))).toBe('2026-12-16');
    expect(chicagoDateAt(at('2026-12-17T06:00:00Z'))).toBe('2026-12-17');
  });

  it('equals the time zone rules of the platform, at every hour and just before it, 2024 to 2030', () => {
    const chicago = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' });
    const end = at('2031-01-01T00:00:00Z');
    const wrong: number[] = [];
    for (let instant = at('2024-01-01T00:00:00Z'); instant < end; instant += HOUR) {
      if (chicagoDateAt(instant) !== chicago.format(instant / 1000)) wrong.push(instant);
      if (chicagoDateAt(instant - 1) !== chicago.format(instant / 1000 - 1)) wrong.push(instant - 1);
    }
    expect(wrong).toEqual([]);
  });
});

describe('an hour of a date in Chicago', () => {
  it.each([
    ['2026-03-08', 1, '2026-03-08T07:00:00Z'],
    ['2026-03-08', 2, '2026-03-08T08:00:00Z'],
    ['2026-03-08', 3, '2026-03-08T08:00:00Z'],
    ['2026-11-01', 0, '2026-11-01T05:00:00Z'],
    ['2026-11-01', 1, '2026-11-01T06:00:00Z'],
    ['2026-11-01', 2, '2026-11-01T08:00:00Z'],
    ['2026-11-01', 23, '2026-11-02T05:00:00Z'],
  ])('%s %i:00 is %s, on the days the clock changes too', (date, hour, instant) => {
    expect(chicagoInstant(date, hour)).toBe(at(instant));
  });
});

describe('dates', () => {
  it('are counted over months, years and leap days', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2026-03-07', 2)).toBe('2026-03-09');
    expect(toDate(dayNumberOf(2026, 3, 7))).toBe('2026-03-07');
    expect(toDate(dayNumberOf(2026, 13, 1))).toBe('2027-01-01');
  });

  it('have a weekday', () => {
    const days = ['2026-08-16', '2026-08-17', '2026-08-22', '1969-12-31'];
    expect(days.map((date) => weekdayOf(toDayNumber(date)))).toEqual([0, 1, 6, 3]);
  });
});
