import { TickMarkType, type Time } from 'lightweight-charts';
import { formatDay } from '#domain/format-time.ts';
import type { Zone } from '../preferences/preferences.ts';
import { formatInstant } from '../time/format-time.ts';

/** Tells moments on the axis in a zone. A session's date is of no zone, and stays as it is. */
export function toTimeOptions(zone: Zone) {
  return {
    localization: { timeFormatter: (time: Time) => (typeof time === 'number' ? formatInstant(time * 1_000, zone) : textOf(time)) },
    // For dates, too: the library asks the browser's own formatter, which takes a phone as long as a frame to get ready.
    timeScale: { tickMarkFormatter: (time: Time, type: TickMarkType) => formatTick(typeof time === 'number' ? formatInstant(toNamed(time * 1_000, type), zone) : textOf(time), type) },
  };
}

/**
 * The library begins days, months and years at midnight UTC, which in Chicago is the evening before: half a day on it is,
 * in any zone, the one that begins.
 */
function toNamed(at: number, type: TickMarkType): number {
  return type === TickMarkType.Time || type === TickMarkType.TimeWithSeconds ? at : at + HALF_A_DAY_MS;
}

const HALF_A_DAY_MS = 12 * 3_600_000;

function textOf(time: Exclude<Time, number>): string {
  return typeof time === 'string' ? time : [time.year, time.month, time.day].map((part) => String(part).padStart(2, '0')).join('-');
}

/** As short as the library's own: the year, the month, the day or the time that begins at a mark. */
function formatTick(text: string, type: TickMarkType): string {
  const [day = '', time = ''] = text.split(' ');
  const [date = '', month = '', year = ''] = formatDay(day as Parameters<typeof formatDay>[0]).split(' ');
  switch (type) {
    case TickMarkType.Year:
      return year;
    case TickMarkType.Month:
      return month;
    case TickMarkType.DayOfMonth:
      return date;
    case TickMarkType.Time:
    case TickMarkType.TimeWithSeconds:
      return time.slice(0, 'HH:MM'.length);
  }
}
