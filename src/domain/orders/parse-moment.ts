import { isDay } from '#contract/day.ts';
import { isInstant, type Instant } from '#contract/instant.ts';
import { addDays } from '../calendar.ts';

/** A moment in UTC as people write it: a day alone is its beginning, and minutes are enough. Null where it is none. */
export function parseMoment(text: string): Instant | null {
  const written = text.trim();
  const [, day = '', clock = '00:00', seconds = ':00'] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?Z?)?$/.exec(written) ?? [];
  const instant = day === '' ? written : `${day}T${clock}${seconds}Z`;
  return isInstant(instant) ? instant : null;
}

/** Where a range in UTC ends, itself no part of it: a day alone is part of it to its last nanosecond. Null where it is none. */
export function parseRangeEnd(text: string): Instant | null {
  const written = text.trim();
  return parseMoment(isDay(written) ? addDays(written, 1) : written);
}
