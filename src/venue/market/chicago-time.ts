import type { Micros, SessionDate } from '../core/model.ts';

/**
 * Chicago's clock, by the rule in force since 2007: one hour ahead from the second Sunday of March, 2:00 standard time,
 * to the first Sunday of November, 2:00 daylight time.
 */

const MICROS_PER_HOUR = 3_600_000_000;
const MICROS_PER_DAY = 24 * MICROS_PER_HOUR;
const STANDARD_OFFSET = -6 * MICROS_PER_HOUR;
const DAYLIGHT_OFFSET = -5 * MICROS_PER_HOUR;

/** A calendar day, counted from Thursday, 1970-01-01. */
export type DayNumber = number;

/** The Chicago date at an instant. */
export function chicagoDateAt(instant: Micros): SessionDate {
  return toDate(chicagoDayAt(instant));
}

export function chicagoDayAt(instant: Micros): DayNumber {
  return Math.floor((instant + offsetAt(instant)) / MICROS_PER_DAY);
}

/**
 * The instant of a full hour of a Chicago date. The clock changes at night: 1:00 exists twice on one day of November
 * (the first is given), 2:00 is 3:00 on one day of March.
 */
export function chicagoInstant(date: SessionDate, hour: number): Micros {
  return instantOfDay(toDayNumber(date), hour);
}

export function instantOfDay(day: DayNumber, hour: number): Micros {
  const asUtc = day * MICROS_PER_DAY + hour * MICROS_PER_HOUR;
  return asUtc - offsetAt(asUtc - DAYLIGHT_OFFSET);
}

export function addDays(date: SessionDate, days: number): SessionDate {
  return toDate(toDayNumber(date) + days);
}

/** Months count from 1; 13 is January of the next year. */
export function dayNumberOf(year: number, month: number, day: number): DayNumber {
  return (Date.UTC(year, month - 1, day) * 1000) / MICROS_PER_DAY;
}

export function toDayNumber(date: SessionDate): DayNumber {
  return (Date.parse(`${date}T00:00:00Z`) * 1000) / MICROS_PER_DAY;
}

export function toDate(day: DayNumber): SessionDate {
  return new Date((day * MICROS_PER_DAY) / 1000).toISOString().slice(0, 10);
}

/** 0 for Sunday to 6 for Saturday. */
export function weekdayOf(day: DayNumber): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** Chicago's offset from UTC: an instant plus the offset is local time. */
function offsetAt(instant: Micros): number {
  const year = new Date(instant / 1000).getUTCFullYear();
  const begin = nthSunday(year, 3, 2) * MICROS_PER_DAY + 2 * MICROS_PER_HOUR - STANDARD_OFFSET;
  const end = nthSunday(year, 11, 1) * MICROS_PER_DAY + 2 * MICROS_PER_HOUR - DAYLIGHT_OFFSET;
  return instant >= begin && instant < end ? DAYLIGHT_OFFSET : STANDARD_OFFSET;
}

function nthSunday(year: number, month: number, nth: number): DayNumber {
  const first = dayNumberOf(year, month, 1);
  return first + ((7 - weekdayOf(first)) % 7) + 7 * (nth - 1);
}
