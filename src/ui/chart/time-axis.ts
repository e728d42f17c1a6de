import type { TickMarkType, Time } from 'lightweight-charts';
import { formatDay } from '#domain/format-time.ts';
import type { Zone } from '../preferences/preferences.ts';
import { formatInstant } from '../time/format-time.ts';

type Day = Parameters<typeof formatDay>[0];

export type TimeOptions = ReturnType<typeof toTimeOptions>;

/** Tells moments on the axis, which come as a zone has them. A session's date is of no zone, and stays as it is. */
export function toTimeOptions(zone: Zone) {
  return {
    localization: { timeFormatter: (time: Time) => (typeof time === 'number' ? textOf(time) + formatInstant(0, zone).slice(LENGTH) : formatDay(textOf(time) as Day)) },
    // For dates, too: the library asks the browser's own formatter, which takes a phone as long as a frame to get ready.
    timeScale: { tickMarkFormatter: (time: Time, type: TickMarkType) => formatTick(textOf(time), type) },
  };
}

const LENGTH = 'YYYY-MM-DD HH:MM:SS'.length;

function textOf(time: Time): string {
  if (typeof time === 'number') return formatInstant(time * 1_000, 'utc').slice(0, LENGTH);
  return typeof time === 'string' ? time : [time.year, time.month, time.day].map((part) => String(part).padStart(2, '0')).join('-');
}

/** As short as the library's own: the year, the month, the day or the time that begins at a mark. */
function formatTick(text: string, type: TickMarkType): string {
  const [day = '', time = ''] = text.split(' ');
  const [date = '', month = '', year = ''] = formatDay(day as Day).split(' ');
  // In the order of the library's own numbers, the last being of the time with seconds.
  return [year, month, date][type] ?? time.slice(0, 'HH:MM'.length);
}
