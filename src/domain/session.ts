import type { Day } from '#contract/day.ts';
import { parseInstant, toEpochMillis, type Instant } from '#contract/instant.ts';
import { addDays, addMonths, weekdayOf } from './calendar.ts';

/** Sessions open and settle by the clocks of Chicago, daylight saving included. */
const EXCHANGE_ZONE = 'America/Chicago';
/** Chicago time at which a session settles and the next begins. */
const SETTLES_AT = '16:00:00';

interface LocalTime {
  readonly day: Day;
  /** `HH:MM:SS`. */
  readonly time: string;
}

/** Reads a zone's calendar and clock. Making one is slow, asking it is not. */
function createZoneClock(timeZone: string): (epochMillis: number) => LocalTime {
  const digits = '2-digit';
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: digits,
    day: digits,
    hour: digits,
    minute: digits,
    second: digits,
  });
  return (epochMillis) => {
    const parts = new Map(format.formatToParts(epochMillis).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
    return {
      day: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}` as Day,
      time: `${part('hour')}:${part('minute')}:${part('second')}`,
    };
  };
}

interface SessionRules {
  /** Perpetuals trade every day; dated contracts have no session that settles on a Saturday or Sunday. */
  readonly everyDay: boolean;
}

/** Finds the date of the session that a moment belongs to: the day on which that session settles. */
export function createSessionCalendar(): (epochMillis: number, rules: SessionRules) => Day {
  const chicago = createZoneClock(EXCHANGE_ZONE);
  return (epochMillis, { everyDay }) => {
    const { day, time } = chicago(epochMillis);
    const session = time < SETTLES_AT ? day : addDays(day, 1);
    return everyDay ? session : skipWeekend(session);
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
/** Before there was any such exchange. */
const BEGINNING = '2000-01-01' as Day;

/** Where a named range begins. Sessions settle in the afternoon of their date, so midnight UTC has the whole day in it. */
export function toRange(name: RangeName, today: Day): { readonly begin_time: Instant } {
  return toCustomRange(name === 'All' ? BEGINNING : addMonths(today, -MONTHS[name]));
}

/** A range of session dates, both included; without an end up to now. */
export function toCustomRange(from: Day, to?: Day): { readonly begin_time: Instant; readonly end_time?: Instant } {
  return { begin_time: toMidnight(from), ...(to && { end_time: toMidnight(addDays(to, 1)) }) };
}

function toMidnight(day: Day): Instant {
  return `${day}T00:00:00Z` as Instant;
}
