import type { Zone } from '../preferences/preferences.ts';
import { formatInstant } from '../time/format-time.ts';
import type { ChartTime, Picture } from './picture.ts';

/** A picture as it is drawn: the library begins days at midnight UTC, so each moment is handed to it with the date and time that the zone has. */
export function inZone(picture: Picture, zone: Zone): Picture {
  return zone === 'utc' || typeof picture.times[0] !== 'number' ? picture : { ...picture, times: toClock(picture.times, zone) };
}

/** Ascending also where a clock is put back. */
function toClock(times: readonly ChartTime[], zone: Zone): readonly number[] {
  let before = Number.NEGATIVE_INFINITY;
  return times.map((time) => {
    const clock = formatInstant(Number(time) * 1_000, zone).slice(0, 'YYYY-MM-DD HH:MM:SS'.length);
    before = Math.max(before + 1, Date.parse(`${clock.replace(' ', 'T')}Z`) / 1_000);
    return before;
  });
}
