import type { TickMarkType, Time } from 'lightweight-charts';
import { formatDay, formatInstant, type Zone } from '#model/format/format-time.ts';
import type { ChartTime, ChartData } from '#model/charts/chart-data.ts';

type Day = Parameters<typeof formatDay>[0];

export type TimeOptions = ReturnType<typeof toTimeOptions>;

/** Returns formats of times on the axis, which are already in the zone; the date of a session has no zone. */
export function toTimeOptions(zone: Zone) {
  return {
    localization: {
      timeFormatter: (time: Time) =>
        typeof time === 'number' ? textOf(time) + formatInstant(0, zone).slice(LENGTH) : formatDay(textOf(time) as Day),
    },
    // Dates need a formatter too: the library would create an Intl formatter, which takes a whole frame on a phone.
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

/** Formats a tick as briefly as the library does: year, month, day or time. */
function formatTick(text: string, type: TickMarkType): string {
  const [day = '', time = ''] = text.split(' ');
  const [date = '', month = '', year = ''] = formatDay(day as Day).split(' ');
  // In the order of the library's TickMarkType.
  return [year, month, date][type] ?? time.slice(0, 'HH:MM'.length);
}

/** Moves times into a zone. The library only knows UTC, so each instant is passed as if the zone’s time were UTC. */
export function inZone(chartData: ChartData, zone: Zone): ChartData {
  return zone === 'utc' || typeof chartData.times[0] !== 'number'
    ? chartData
    : { ...chartData, times: toClock(chartData.times, zone) };
}

/** Returns the zone’s times, strictly ascending even when clocks are set back. */
function toClock(times: readonly ChartTime[], zone: Zone): readonly number[] {
  let before = Number.NEGATIVE_INFINITY;
  return times.map((time) => {
    const clock = formatInstant(Number(time) * 1_000, zone).slice(0, LENGTH);
    before = Math.max(before + 1, Date.parse(`${clock.replace(' ', 'T')}Z`) / 1_000);
    return before;
  });
}
