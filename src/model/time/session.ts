import type { Day } from '#contract/exchange/day.ts';
import { isInstant, type Instant } from '#contract/exchange/instant.ts';
import type { DataTime } from '../source.ts';
import { addDays, weekdayOf } from './calendar.ts';

export interface SessionRules {
  /** Perpetuals trade every day; no session of a dated contract settles on a Saturday or Sunday. */
  readonly everyDay: boolean;
}

/** Sessions open and settle in Chicago time, which has daylight saving. */
const EXCHANGE_ZONE = 'America/Chicago';
/** Hour in Chicago at which a session settles and the next opens. */
const SETTLES_AT = 16;
/** The same in UTC, in summer; in winter it is an hour later. */
const SETTLES_FROM_UTC = 21;

/** The hour in Chicago at a time. */
export const hourThere = createExchangeClock();

/** The date of the session at a time: the day on which the session settles. */
export function sessionOf(epochMillis: number, { everyDay }: SessionRules): Day {
  const [day = '', time = ''] = new Date(epochMillis).toISOString().split('T');
  const hour = Number(time.slice(0, 2));
  const hasSettled = hour === SETTLES_FROM_UTC ? hourThere(epochMillis) >= SETTLES_AT : hour > SETTLES_FROM_UTC;
  const session = hasSettled ? addDays(day as Day, 1) : (day as Day);
  return everyDay ? session : skipWeekend(session);
}

/** The current session: perpetuals have one every day. */
export function latestSessionOf(epochMillis: number): Day {
  return sessionOf(epochMillis, { everyDay: true });
}

/** The next session, holidays aside. */
export function sessionAfter(day: Day, { everyDay }: SessionRules): Day {
  const next = addDays(day, 1);
  return everyDay ? next : skipWeekend(next);
}

/** The previous session, holidays aside. */
export function sessionBefore(day: Day, { everyDay }: SessionRules): Day {
  const previous = addDays(day, -1);
  return everyDay ? previous : addDays(previous, Math.min(0, 5 - weekdayOf(previous)));
}

/** Used only in the hours where daylight saving matters: a browser takes longer than a frame to load its first zone. */
function createExchangeClock(): (epochMillis: number) => number {
  let format: Intl.DateTimeFormat | undefined;
  return (epochMillis) => {
    format ??= new Intl.DateTimeFormat('en', { timeZone: EXCHANGE_ZONE, hour: '2-digit', hourCycle: 'h23' });
    return Number(format.format(epochMillis));
  };
}

function skipWeekend(day: Day): Day {
  const weekday = weekdayOf(day);
  return weekday > 5 ? addDays(day, 8 - weekday) : day;
}

/** The date of a time in UTC. That of a settlement is its session’s: it is in the afternoon in Chicago. */
export function dateOf(time: DataTime): Day {
  return time.slice(0, 'YYYY-MM-DD'.length) as Day;
}

/** `2026-08-17T23:45:21`. */
const SECONDS_LENGTH = 19;

/** Epoch milliseconds of an instant, for clocks and axes only: the last six digits are dropped. */
export function toMillis(instant: Instant): number {
  if (!isInstant(instant)) return Number.NaN;
  // Without the fraction, which not every browser truncates.
  return (
    Date.parse(`${instant.slice(0, SECONDS_LENGTH)}Z`) +
    Number(
      instant
        .slice(SECONDS_LENGTH + 1, -1)
        .slice(0, 3)
        .padEnd(3, '0'),
    )
  );
}
