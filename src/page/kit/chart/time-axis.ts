import type { TickMarkType, Time } from 'lightweight-charts';
import { formatDay } from '#model/format/day.ts';
import { formatInstant, type Zone } from '#model/format/format-time.ts';
import type { ChartTime, Picture } from '#model/charts/picture.ts';

type Day = Parameters<typeof formatDay>[0];

export type TimeOptions = ReturnType<typeof toTimeOptions>;

/** Formats times on the axis, which are already in the zone; the date of a session has no zone. */
export function toTimeOptions(zone: Zone) {
  return {
    localization: {
      timeFormatter: (time: Time) =>
        typeof time === 'number' ? textOf(time) + formatInstant(0, zone).slice(LENGTH) : formatDay(textOf(time) as Day),
    },
    // For dates too: the library would create an Intl formatter, which takes a phone a whole frame.
    timeScale: { tickMarkFormatter: (time: Time, type: TickMarkType) => formatTick(textOf(time), type) },
  };
}

const LENGTH = 'YYYY-MM-DD HH:MM:SS'.length;

function textOf(time: Time): string {
  if (typeof time === 'number') return formatInstant(time * 1_000, 'utc').slice(0, LENGTH);
  return typeof time === 'string'
    ? time
    : [time.year, time.month, time.day].map((part) => String(part).padStart(2, '0')).join('-');
}

/** As short as the library’s own: year, month, day or time of a tick. */
function formatTick(text: string, type: TickMarkType): string {
  const [day = '', time = ''] = text.split(' ');
  const [date = '', month = '', year = ''] = formatDay(day as Day).split(' ');
  // In the order of the library's TickMarkType.
  return [year, month, date][type] ?? time.slice(0, 'HH:MM'.length);
}

/** The library only knows UTC, so each instant is passed as if the zone’s date and time were UTC. */
export function inZone(picture: Picture, zone: Zone): Picture {
  return zone === 'utc' || typeof picture.times[0] !== 'number'
    ? picture
    : { ...picture, times: toClock(picture.times, zone) };
}

/** Strictly ascending also when clocks are set back. */
function toClock(times: readonly ChartTime[], zone: Zone): readonly number[] {
  let before = Number.NEGATIVE_INFINITY;
  return times.map((time) => {
    const clock = formatInstant(Number(time) * 1_000, zone).slice(0, 'YYYY-MM-DD HH:MM:SS'.length);
    before = Math.max(before + 1, Date.parse(`${clock.replace(' ', 'T')}Z`) / 1_000);
    return before;
  });
}
