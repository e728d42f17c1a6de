import { type Day, type Instant, isInstant } from '#contract/exchange/instant.ts';
import type { DataTime } from '../response.ts';

/** Calendar days have no time zone. */

const DAY_MS = 86_400_000;

/** Returns the UTC date of a time. */
export function toDay(epochMillis: number): Day {
  return new Date(epochMillis).toISOString().slice(0, 10) as Day;
}

/** Adds a number of days, which may be negative. */
export function addDays(day: Day, count: number): Day {
  return toDay(toEpoch(day) + count * DAY_MS);
}

/** Adds a number of months. In a shorter month, the result is its last day. */
export function addMonths(day: Day, count: number): Day {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + count, 0));
  return toDay(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(date, last.getUTCDate())));
}

/** Returns 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: Day): number {
  return new Date(toEpoch(day)).getUTCDay() || 7;
}

/** Returns the Monday of a day's ISO 8601 week. */
export function weekOf(day: Day): Day {
  return addDays(day, 1 - weekdayOf(day));
}

/** Returns the first day of a day's month. */
export function monthOf(day: Day): Day {
  return `${day.slice(0, 8)}01` as Day;
}

/** Returns whether rows are sorted by date without duplicates. */
export function isAscending(rows: readonly { readonly date: Day }[]): boolean {
  return rows.every(({ date }, index) => index === 0 || (rows[index - 1]?.date ?? date) < date);
}

function toEpoch(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}

export interface SessionRules {
  /** Perpetuals trade every day; no session of a dated contract settles on a Saturday or Sunday. */
  readonly everyDay: boolean;
}

/** Sessions open and settle in Chicago time, which observes daylight saving. */
const EXCHANGE_ZONE = 'America/Chicago';
/** Hour in Chicago at which a session settles and the next opens. */
const SETTLES_AT = 16;
/** The same hour in UTC in summer; in winter it is an hour later. */
const SETTLES_FROM_UTC = 21;

/** Returns the hour in Chicago. */
export const hourThere = createExchangeClock();

/** Returns the date of the session at a time: the day on which it settles. */
export function sessionOf(epochMillis: number, { everyDay }: SessionRules): Day {
  const [day = '', time = ''] = new Date(epochMillis).toISOString().split('T');
  const hour = Number(time.slice(0, 2));
  const hasSettled = hour === SETTLES_FROM_UTC ? hourThere(epochMillis) >= SETTLES_AT : hour > SETTLES_FROM_UTC;
  const session = hasSettled ? addDays(day as Day, 1) : (day as Day);
  return everyDay ? session : skipWeekend(session);
}

/** Returns the current session of a perpetual, which has one every day. */
export function latestSessionOf(epochMillis: number): Day {
  return sessionOf(epochMillis, { everyDay: true });
}

/** Returns the next session, ignoring holidays. */
export function sessionAfter(day: Day, { everyDay }: SessionRules): Day {
  const next = addDays(day, 1);
  return everyDay ? next : skipWeekend(next);
}

/** Returns the previous session, ignoring holidays. */
export function sessionBefore(day: Day, { everyDay }: SessionRules): Day {
  const previous = addDays(day, -1);
  return everyDay ? previous : addDays(previous, Math.min(0, 5 - weekdayOf(previous)));
}

/**
 * Used only in the hours that depend on daylight saving, because a browser needs longer than a frame to load its first
 * zone.
 */
function createExchangeClock(): (epochMillis: number) => number {
  let format: Intl.DateTimeFormat | undefined;
  return (epochMillis) => {
    format ??= new Intl.DateTimeFormat('en', { timeZone: EXCHANGE_ZONE, hour: '2-digit', hourCycle: 'h23' });
    return Number(format.format(epochMillis));
  };
}

function skipWeekend(day: Day): Day {
  const weekday = weekdayOf(day);
  return weekday > 5 ? addDays(day, 8 - weekday) : day;
}

/**
 * Returns the UTC date of a time. For a settlement, it is the date of the session, because settlement is in the
 * afternoon in Chicago.
 */
export function dateOf(time: DataTime): Day {
  return time.slice(0, 'YYYY-MM-DD'.length) as Day;
}

/** `2026-08-17T23:45:21`. */
const SECONDS_LENGTH = 19;

/** Converts an instant to epoch milliseconds, for clocks and axes only: the last six digits are dropped. */
export function toMillis(instant: Instant): number {
  if (!isInstant(instant)) return Number.NaN;
  // Parsed without the fraction, because not every browser truncates it.
  return (
    Date.parse(`${instant.slice(0, SECONDS_LENGTH)}Z`) +
    Number(
      instant
        .slice(SECONDS_LENGTH + 1, -1)
        .slice(0, 3)
        .padEnd(3, '0'),
    )
  );
}
