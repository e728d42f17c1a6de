import type { Micros, Product, ProductKind, SessionDate } from '../core/model.ts';

/**
 * Chicago's clock follows the rule in force since 2007: it is one hour ahead from the second Sunday of March, 2:00
 * standard time, to the first Sunday of November, 2:00 daylight time.
 */

const MICROS_PER_HOUR = 3_600_000_000;
const MICROS_PER_DAY = 24 * MICROS_PER_HOUR;
const STANDARD_OFFSET = -6 * MICROS_PER_HOUR;
const DAYLIGHT_OFFSET = -5 * MICROS_PER_HOUR;

/** A calendar day, as the number of days since Thursday, 1970-01-01. */
type DayNumber = number;

/** Returns the Chicago date at an instant. */
export function chicagoDateAt(instant: Micros): SessionDate {
  return toDate(chicagoDayAt(instant));
}

function chicagoDayAt(instant: Micros): DayNumber {
  return Math.floor((instant + offsetAt(instant)) / MICROS_PER_DAY);
}

/**
 * Returns the instant of a full hour on a Chicago date. The clock changes at night: on one day of November 1:00 exists
 * twice (this returns the first), and on one day of March 2:00 is 3:00.
 */
export function chicagoInstant(date: SessionDate, hour: number): Micros {
  return instantOfDay(toDayNumber(date), hour);
}

function instantOfDay(day: DayNumber, hour: number): Micros {
  const asUtc = day * MICROS_PER_DAY + hour * MICROS_PER_HOUR;
  return asUtc - offsetAt(asUtc - DAYLIGHT_OFFSET);
}

export function addDays(date: SessionDate, days: number): SessionDate {
  return toDate(toDayNumber(date) + days);
}

/**
 * Returns the number of a day. Months count from 1; month 13 is January of the next year.
 *
 * @internal Exported for its test.
 */
export function dayNumberOf(year: number, month: number, day: number): DayNumber {
  return (Date.UTC(year, month - 1, day) * 1000) / MICROS_PER_DAY;
}

/** @internal Exported for its test. */
export function toDayNumber(date: SessionDate): DayNumber {
  return (Date.parse(`${date}T00:00:00Z`) * 1000) / MICROS_PER_DAY;
}

/** @internal Exported for its test. */
export function toDate(day: DayNumber): SessionDate {
  return new Date((day * MICROS_PER_DAY) / 1000).toISOString().slice(0, 10);
}

/**
 * Returns the day of the week, from 0 for Sunday to 6 for Saturday.
 *
 * @internal Exported for its test.
 */
export function weekdayOf(day: DayNumber): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** Returns Chicago's offset from UTC: an instant plus the offset is local time. */
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

/**
 * When a product trades. `daily`: from settlement to settlement at 16:00 Chicago time, every day of the year.
 * `weekdays`: from 19:00 on the evening before to 16:00; Monday's session begins on Sunday. There are no holidays.
 */
export type Schedule = 'daily' | 'weekdays';

/** A trading day, open from `open` (inclusive) to `settle` (exclusive). */
export interface TradingSession {
  readonly date: SessionDate;
  readonly open: Micros;
  readonly settle: Micros;
}

const SETTLE_HOUR = 16;
const WEEKDAYS_OPEN_HOUR = 19;
const FRIDAY = 5;
const MONTH_LETTERS = 'FGHJKMNQUVXZ';

export function scheduleOf(kind: ProductKind): Schedule {
  return kind === 'perpetual' ? 'daily' : 'weekdays';
}

/** Returns the session that settles on a date; null if there is none. */
export function sessionOn(schedule: Schedule, date: SessionDate): TradingSession | null {
  const day = toDayNumber(date);
  return hasSession(schedule, day) ? sessionOfDay(schedule, day) : null;
}

/** Returns the session that is open at an instant, or else the next one. */
export function sessionAt(schedule: Schedule, instant: Micros): TradingSession {
  let day = chicagoDayAt(instant);
  while (instant >= settleOfDay(day) || !hasSession(schedule, day)) day += 1;
  return sessionOfDay(schedule, day);
}

export function isOpen(schedule: Schedule, instant: Micros): boolean {
  return sessionAt(schedule, instant).open <= instant;
}

/** Returns 16:00 in Chicago on a date. */
export function settleInstant(date: SessionDate): Micros {
  return settleOfDay(toDayNumber(date));
}

/** Returns the final settlement of a month's futures and options: the daily settlement on the month's last Friday. */
export function expiryOf(year: number, month: number): Micros {
  const lastDay = dayNumberOf(year, month + 1, 1) - 1;
  return settleOfDay(lastDay - ((weekdayOf(lastDay) - FRIDAY + 7) % 7));
}

/** Returns the letter of a month, from F for January to Z for December. */
export function monthLetter(month: number): string {
  const letter = MONTH_LETTERS[month - 1];
  if (letter === undefined) throw new RangeError(`month ${month}`);
  return letter;
}

function sessionOfDay(schedule: Schedule, day: DayNumber): TradingSession {
  const openHour = schedule === 'daily' ? SETTLE_HOUR : WEEKDAYS_OPEN_HOUR;
  return { date: toDate(day), open: instantOfDay(day - 1, openHour), settle: settleOfDay(day) };
}

function settleOfDay(day: DayNumber): Micros {
  return instantOfDay(day, SETTLE_HOUR);
}

function hasSession(schedule: Schedule, day: DayNumber): boolean {
  return schedule === 'daily' || weekdayOf(day) % 6 !== 0;
}

/** A calendar that caches the last session, for frequent look-ups of nearby instants. */
export interface CachedCalendar {
  /** Returns the session that is open, or the next one. */
  readonly sessionOf: (product: Product, time: Micros) => TradingSession;
  readonly isOpen: (product: Product, time: Micros) => boolean;
}

export function createCachedCalendar(): CachedCalendar {
  const known = new Map<Schedule, { readonly from: Micros; readonly session: TradingSession }>();
  const sessionOf: CachedCalendar['sessionOf'] = ({ kind }, time) => {
    const schedule = scheduleOf(kind);
    const last = known.get(schedule);
    if (last !== undefined && time >= last.from && time < last.session.settle) return last.session;
    const session = sessionAt(schedule, time);
    known.set(schedule, { from: time, session });
    return session;
  };
  return { sessionOf, isOpen: (product, time) => sessionOf(product, time).open <= time };
}
