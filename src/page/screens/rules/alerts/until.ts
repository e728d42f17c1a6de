import { formatDayIn, formatInstant, type Zone } from '#model/format/format-time.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const QUARTER_MS = 900_000;

/**
 * Returns when a clock in the zone next shows a time of day such as `14:30`, in epoch milliseconds; null if the text is
 * not one. What comes within a minute is meant for the next day.
 */
export function findNextTime(text: string, now: number, zone: Zone): number | null {
  const [, hours = '', minutes = ''] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59) return null;
  const wanted = `${hours.padStart(2, '0')}:${minutes}`;
  const first = Date.parse(`${formatDayIn(now, zone)}T${wanted}:00Z`) - DAY_MS;
  // The zone is a whole number of quarters of an hour away from UTC, and may change during the day.
  for (let at = first; at < first + 3 * DAY_MS + HOUR_MS; at += QUARTER_MS)
    if (at - now >= 60_000 && formatInstant(at, zone).slice(11, 16) === wanted) return at;
  return null;
}
