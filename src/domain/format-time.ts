import type { Day } from '#contract/day.ts';
import type { Instant } from '#contract/instant.ts';
import { createZoneClock, EXCHANGE_ZONE, toMillis } from './session.ts';

/** Whose clock times are told by. Session dates are told by none: they never move. */
type Zone = 'utc' | 'local' | 'exchange';

/** `minutes` for axes, `millis` for lists, `exact` for all the digits that came. */
type Precision = 'minutes' | 'seconds' | 'millis' | 'exact';

export interface TimeFormat {
  /** `2026-08-17 23:45:21.496`, by the zone's clock. */
  readonly formatInstant: (instant: Instant, zone: Zone, precision?: Precision) => string;
  /** Only the clock: `23:45:21`. */
  readonly formatClock: (instant: Instant, zone: Zone, precision?: Precision) => string;
  /** The same moment by all three, each with the zone's name, for a hover. */
  readonly formatAll: (instant: Instant) => Readonly<Record<Zone, string>>;
  /** What stands behind times of a zone: `UTC`, `Europe/Berlin`, `Chicago`. */
  readonly zoneNames: Readonly<Record<Zone, string>>;
}

/** Formats times by the clocks of the world, of the exchange, and of the person who looks. */
export function createTimeFormat(localZone: string): TimeFormat {
  const zoneNames = { utc: 'UTC', local: localZone, exchange: 'Chicago' };
  const clocks = { utc: createZoneClock('UTC'), local: createZoneClock(localZone), exchange: createZoneClock(EXCHANGE_ZONE) };
  const formatClock: TimeFormat['formatClock'] = (instant, zone, precision = 'seconds') =>
    cut(clocks[zone](toMillis(instant)).time, instant, precision);
  const formatInstant: TimeFormat['formatInstant'] = (instant, zone, precision = 'seconds') => {
    const { day, time } = clocks[zone](toMillis(instant));
    return `${day} ${cut(time, instant, precision)}`;
  };
  const formatOne = (instant: Instant, zone: Zone): string => `${formatInstant(instant, zone, 'exact')} ${zoneNames[zone]}`;
  return {
    formatInstant,
    formatClock,
    zoneNames,
    formatAll: (instant) => ({ utc: formatOne(instant, 'utc'), local: formatOne(instant, 'local'), exchange: formatOne(instant, 'exchange') }),
  };
}

/** Fractions of a second are the same in every zone, and are taken from the text: a clock would drop their last digits. */
function cut(time: string, instant: Instant, precision: Precision): string {
  const fraction = instant.slice(20, -1);
  switch (precision) {
    case 'minutes':
      return time.slice(0, 5);
    case 'seconds':
      return time;
    case 'millis':
      return `${time}.${fraction.slice(0, 3).padEnd(3, '0')}`;
    case 'exact':
      return fraction === '' ? time : `${time}.${fraction}`;
  }
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** A session's date as it stands on the wire, for people: `17 Aug 2026`. No zone is asked. */
export function formatDay(day: Day): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return `${String(Number(date))} ${MONTHS[Number(month) - 1] ?? month} ${year}`;
}

const SCALES = [
  { seconds: 86_400, unit: 'd' },
  { seconds: 3_600, unit: 'h' },
  { seconds: 60, unit: 'min' },
] as const;

/** A length of time in its two largest units: `3 s`, `2 min`, `1 h 5 min`, `2 d 4 h`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const index = SCALES.findIndex((scale) => whole >= scale.seconds);
  const scale = SCALES[index];
  if (scale === undefined) return `${String(whole)} s`;
  const head = `${String(Math.floor(whole / scale.seconds))} ${scale.unit}`;
  const next = SCALES[index + 1];
  const rest = next === undefined ? 0 : Math.floor((whole % scale.seconds) / next.seconds);
  return next === undefined || rest === 0 ? head : `${head} ${String(rest)} ${next.unit}`;
}
