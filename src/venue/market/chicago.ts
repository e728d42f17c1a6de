import type { Micros, SessionDate } from '../model.ts';

/**
 * Chicago's clock, by the rule in force since 2007: one hour ahead from the second Sunday of March, 2:00 standard time,
 * to the first Sunday of November, 2:00 daylight time.
 */

const MICROS_PER_HOUR = 3_600_000_000;
const MICROS_PER_DAY = 24 * MICROS_PER_HOUR;
const STANDARD_OFFSET = -6 * MICROS_PER_HOUR;
const DAYLIGHT_OFFSET = -5 * MICROS_PER_HOUR;

/** The Chicago date at an instant. */
export function chicagoDateAt(instant: Micros): SessionDate {
  return dateOf(Math.floor((instant + offsetAt(instant)) / MICROS_PER_DAY));
}

/** The instant of an hour of a Chicago date. The clock changes at night: hours from 3 on exist once on every date. */
export function chicagoInstant(date: SessionDate, hour: number): Micros {
  const asUtc = dayNumberOf(date) * MICROS_PER_DAY + hour * MICROS_PER_HOUR;
  return asUtc - offsetAt(asUtc - DAYLIGHT_OFFSET);
}

export function addDays(date: SessionDate, days: number): SessionDate {
  return dateOf(dayNumberOf(date) + days);
}

/** 0 for Sunday to 6 for Saturday. */
export function weekdayOf(date: SessionDate): number {
  return weekdayOfDay(dayNumberOf(date));
}

export function toDate(year: number, month: number, day: number): SessionDate {
  return dateOf(dayNumber(year, month, day));
}

/** How far Chicago's clock is from UTC: add it to an instant to read the local time off. */
function offsetAt(instant: Micros): number {
  const year = new Date(instant / 1000).getUTCFullYear();
  const begin = nthSunday(year, 3, 2) * MICROS_PER_DAY + 8 * MICROS_PER_HOUR;
  const end = nthSunday(year, 11, 1) * MICROS_PER_DAY + 7 * MICROS_PER_HOUR;
  return instant >= begin && instant < end ? DAYLIGHT_OFFSET : STANDARD_OFFSET;
}

function nthSunday(year: number, month: number, nth: number): number {
  const first = dayNumber(year, month, 1);
  return first + ((7 - weekdayOfDay(first)) % 7) + 7 * (nth - 1);
}

/** Days since Thursday, 1970-01-01. */
function dayNumber(year: number, month: number, day: number): number {
  return (Date.UTC(year, month - 1, day) * 1000) / MICROS_PER_DAY;
}

function dayNumberOf(date: SessionDate): number {
  return (Date.parse(`${date}T00:00:00Z`) * 1000) / MICROS_PER_DAY;
}

function dateOf(day: number): SessionDate {
  return new Date((day * MICROS_PER_DAY) / 1000).toISOString().slice(0, 10);
}

function weekdayOfDay(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}
