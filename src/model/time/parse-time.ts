import { isDay } from '#contract/exchange/day.ts';
import { isInstant, type Instant } from '#contract/exchange/instant.ts';
import { addDays } from './calendar.ts';

/** Parses a UTC time as people write it: a day means its start, and seconds are optional. Null where it is not a time. */
export function parseTime(text: string): Instant | null {
  const trimmed = text.trim();
  const [, day = '', clock = '00:00', seconds = ':00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?Z?)?$/.exec(trimmed) ?? [];
  const instant = day === '' ? trimmed : `${day}T${clock}${seconds}Z`;
  return isInstant(instant) ? instant : null;
}

/** Parses the exclusive end of a UTC range: a day means its last nanosecond is included. Null where it is not a time. */
export function parseRangeEnd(text: string): Instant | null {
  const trimmed = text.trim();
  return parseTime(isDay(trimmed) ? addDays(trimmed, 1) : trimmed);
}
