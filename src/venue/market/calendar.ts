import type { Micros, ProductKind, SessionDate } from '../core/model.ts';
import {
  chicagoDayAt,
  dayNumberOf,
  instantOfDay,
  toDate,
  toDayNumber,
  weekdayOf,
  type DayNumber,
} from './chicago-time.ts';

/**
 * When a product trades. `daily`: from settlement to settlement at 16:00 Chicago time, every day of the year.
 * `weekdays`: from 19:00 of the evening before to 16:00, Monday's session beginning on Sunday. There are no holidays.
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

/** The session that settles on a date; null on a date without one. */
export function sessionOn(schedule: Schedule, date: SessionDate): TradingSession | null {
  const day = toDayNumber(date);
  return hasSession(schedule, day) ? sessionOfDay(schedule, day) : null;
}

/** The session that is open at an instant, or else the next one. */
export function sessionAt(schedule: Schedule, instant: Micros): TradingSession {
  let day = chicagoDayAt(instant);
  while (instant >= settleOfDay(day) || !hasSession(schedule, day)) day += 1;
  return sessionOfDay(schedule, day);
}

export function isOpen(schedule: Schedule, instant: Micros): boolean {
  return sessionAt(schedule, instant).open <= instant;
}

/** 16:00 in Chicago on a date. */
export function settleInstant(date: SessionDate): Micros {
  return settleOfDay(toDayNumber(date));
}

/** Final settlement of a month's futures and options: the month's last Friday, at the daily settlement. */
export function expiryOf(year: number, month: number): Micros {
  const lastDay = dayNumberOf(year, month + 1, 1) - 1;
  return settleOfDay(lastDay - ((weekdayOf(lastDay) - FRIDAY + 7) % 7));
}

/** F for January to Z for December. */
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
