import type { Day } from '#contract/day.ts';
import { parseInstant, toEpochMillis, type Instant } from '#contract/instant.ts';
import { addDays, addMonths, weekdayOf } from './calendar.ts';

interface SessionRules {
  /** Perpetuals trade every day; dated contracts have no session that settles on a Saturday or Sunday. */
  readonly everyDay: boolean;
}

/** Sessions open and settle by the clocks of Chicago, daylight saving included. */
const EXCHANGE_ZONE = 'America/Chicago';
/** The hour in Chicago at which a session settles and the next begins. */
const SETTLES_AT = 16;
/** The hour in UTC at which that is in summer. In winter it is an hour later. */
const SETTLES_FROM_UTC = 21;

const hasSettledThere = createExchangeClock();

/** The date of the session that a moment belongs to: the day on which that session settles. */
export function sessionOf(epochMillis: number, { everyDay }: SessionRules): Day {
  const [day = '', time = ''] = new Date(epochMillis).toISOString().split('T');
  const hour = Number(time.slice(0, 2));
  const hasSettled = hour === SETTLES_FROM_UTC ? hasSettledThere(epochMillis) : hour > SETTLES_FROM_UTC;
  const session = hasSettled ? addDays(day as Day, 1) : (day as Day);
  return everyDay ? session : skipWeekend(session);
}

/** The latest session there is: perpetuals have one every day. */
export function latestSessionOf(epochMillis: number): Day {
  return sessionOf(epochMillis, { everyDay: true });
}

/** The session that follows one, unless there is a holiday. */
export function sessionAfter(day: Day, { everyDay }: SessionRules): Day {
  const next = addDays(day, 1);
  return everyDay ? next : skipWeekend(next);
}

/** Asks the zone itself, in the one hour where it matters: a browser takes longer than a frame to get its first zone ready. */
function createExchangeClock(): (epochMillis: number) => boolean {
  let format: Intl.DateTimeFormat | undefined;
  return (epochMillis) => {
    format ??= new Intl.DateTimeFormat('en', { timeZone: EXCHANGE_ZONE, hour: '2-digit', hourCycle: 'h23' });
    return Number(format.format(epochMillis)) >= SETTLES_AT;
  };
}

function skipWeekend(day: Day): Day {
  const weekday = weekdayOf(day);
  return weekday > 5 ? addDays(day, 8 - weekday) : day;
}

/** Epoch milliseconds of an instant of the wire, for clocks and axes only: its last six digits are cut. */
export function toMillis(instant: Instant): number {
  const nanos = parseInstant(instant);
  return nanos === null ? Number.NaN : toEpochMillis(nanos);
}

/** The ranges that a chart offers by name. */
export const RANGE_NAMES = ['1M', '3M', '6M', '1Y', 'All'] as const;
export type RangeName = (typeof RANGE_NAMES)[number];

const MONTHS: Readonly<Record<Exclude<RangeName, 'All'>, number>> = { '1M': 1, '3M': 3, '6M': 6, '1Y': 12 };
/** Before there was any such exchange; a Monday and the first of a month, so that bars of every length ask the same. */
const BEGINNING = '2001-01-01' as Day;

/** Where a named range begins. */
export function firstDayOf(name: RangeName, today: Day): Day {
  return name === 'All' ? BEGINNING : addMonths(today, -MONTHS[name]);
}

/**
 * A range of session dates, both included; without an end up to now. Sessions settle in the afternoon of their date, so
 * midnight UTC has the whole day in it.
 */
export function toRange(from: Day, to?: Day): { readonly begin_time: Instant; readonly end_time?: Instant } {
  return { begin_time: toMidnight(from), ...(to && { end_time: toMidnight(addDays(to, 1)) }) };
}

function toMidnight(day: Day): Instant {
  return `${day}T00:00:00Z` as Instant;
}
