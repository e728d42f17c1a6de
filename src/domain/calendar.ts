import type { Day } from '#contract/day.ts';

/** Arithmetic of days. A day has no zone here: it is a date on a calendar, and stays the one it is. */

const DAY_MS = 86_400_000;

/** The date in UTC. */
export function toDay(epochMillis: number): Day {
  return new Date(epochMillis).toISOString().slice(0, 10) as Day;
}

/** The day so many days later, or earlier for a negative count. */
export function addDays(day: Day, count: number): Day {
  return toDay(toEpoch(day) + count * DAY_MS);
}

/** The same date so many months later; where that month is too short, its last day. */
export function addMonths(day: Day, count: number): Day {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + count, 0));
  return toDay(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(date, last.getUTCDate())));
}

/** Monday is 1, Sunday 7. */
export function weekdayOf(day: Day): number {
  return new Date(toEpoch(day)).getUTCDay() || 7;
}

/** The Monday of its week: weeks are those of ISO 8601. */
export function weekOf(day: Day): Day {
  return addDays(day, 1 - weekdayOf(day));
}

/** The first of its month. */
export function monthOf(day: Day): Day {
  return `${day.slice(0, 8)}01` as Day;
}

/** Whether each is of a later day than the one before it: then they are in order, and none came twice. */
export function isAscending(rows: readonly { readonly date: Day }[]): boolean {
  return rows.every(({ date }, index) => index === 0 || (rows[index - 1]?.date ?? date) < date);
}

function toEpoch(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}
