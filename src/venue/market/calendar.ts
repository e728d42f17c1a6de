import type { Micros, ProductKind, SessionDate } from '../model.ts';
import { addDays, chicagoDateAt, chicagoInstant, toDate, weekdayOf } from './chicago.ts';

/**
 * When a product trades. `daily`: from settlement to settlement at 16:00 Chicago time, every day of the year.
 * `weekdays`: from 19:00 of the evening before to 16:00, Monday's session beginning on Sunday. There are no holidays.
 */
export type Schedule = 'daily' | 'weekdays';

/** A trading day: open from `open` on, no longer open at `settle`. */
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
  if (schedule === 'weekdays' && isWeekend(date)) return null;
  const openHour = schedule === 'daily' ? SETTLE_HOUR : WEEKDAYS_OPEN_HOUR;
  return { date, open: chicagoInstant(addDays(date, -1), openHour), settle: settleInstant(date) };
}

/** The session that is open at an instant, or else the next one. */
export function sessionAt(schedule: Schedule, instant: Micros): TradingSession {
  let date = chicagoDateAt(instant);
  for (;;) {
    const session = sessionOn(schedule, date);
    if (session && instant < session.settle) return session;
    date = addDays(date, 1);
  }
}

export function isOpen(schedule: Schedule, instant: Micros): boolean {
  return sessionAt(schedule, instant).open <= instant;
}

/** The sessions that settle after `after` and not after `until`, oldest first. */
export function sessionsSettled(schedule: Schedule, after: Micros, until: Micros): TradingSession[] {
  const sessions: TradingSession[] = [];
  for (let next = sessionAt(schedule, after); next.settle <= until; next = sessionAt(schedule, next.settle)) {
    sessions.push(next);
  }
  return sessions;
}

/** 16:00 in Chicago on a date. */
export function settleInstant(date: SessionDate): Micros {
  return chicagoInstant(date, SETTLE_HOUR);
}

/** Final settlement of a month's futures and options: the month's last Friday, at the daily settlement. */
export function expiryOf(year: number, month: number): Micros {
  const lastDay = addDays(month === 12 ? toDate(year + 1, 1, 1) : toDate(year, month + 1, 1), -1);
  return settleInstant(addDays(lastDay, -((weekdayOf(lastDay) - FRIDAY + 7) % 7)));
}

/** F for January to Z for December. */
export function monthLetter(month: number): string {
  const letter = MONTH_LETTERS[month - 1];
  if (letter === undefined) throw new RangeError(`month ${month}`);
  return letter;
}

function isWeekend(date: SessionDate): boolean {
  return weekdayOf(date) % 6 === 0;
}
