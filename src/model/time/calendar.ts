import type { Day } from '#contract/exchange/day.ts';

/** Arithmetic of calendar days, which have no time zone. */

const DAY_MS = 86_400_000;

/** The UTC date of a time. */
export function toDay(epochMillis: number): Day {
  return new Date(epochMillis).toISOString().slice(0, 10) as Day;
}

/** A number of days later, or earlier if negative. */
export function addDays(day: Day, count: number): Day {
  return toDay(toEpoch(day) + count * DAY_MS);
}

/** The same date a number of months later, or the last day of that month if it is shorter. */
export function addMonths(day: Day, count: number): Day {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + count, 0));
  return toDay(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(date, last.getUTCDate())));
}

/** Monday is 1, Sunday 7. */
export function weekdayOf(day: Day): number {
  return new Date(toEpoch(day)).getUTCDay() || 7;
}

/** The Monday of a day's ISO 8601 week. */
export function weekOf(day: Day): Day {
  return addDays(day, 1 - weekdayOf(day));
}

/** The first of a day's month. */
export function monthOf(day: Day): Day {
  return `${day.slice(0, 8)}01` as Day;
}

/** Whether the rows are sorted by date without duplicates. */
export function isAscending(rows: readonly { readonly date: Day }[]): boolean {
  return rows.every(({ date }, index) => index === 0 || (rows[index - 1]?.date ?? date) < date);
}

function toEpoch(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}
