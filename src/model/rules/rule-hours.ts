import { type RuleHours, type Weekday, WEEKDAYS } from '#contract/desk/rule-timing.ts';
import type { Day } from '#contract/exchange/instant.ts';
import { addDays, toDay, weekdayOf } from '../time/session.ts';

/** Days on which hours do not begin; null if they are unknown. */
export type Holidays = ReadonlySet<Day> | null;

/** One occurrence of the hours, in epoch milliseconds. The end is exclusive. */
interface Occurrence {
  readonly from: number;
  readonly to: number;
}

/** Returns the present occurrence of the hours; null outside them. */
export function findOccurrence(hours: RuleHours, at: number, holidays: Holidays): Occurrence | null {
  const today = toLocalDay(hours.zone, at);
  // Hours of yesterday may cross midnight.
  return (
    [addDays(today, -1), today]
      .map((day) => toOccurrence(hours, day, holidays))
      .find((found) => found !== null && found.from <= at && at < found.to) ?? null
  );
}

/** Long enough for any public holidays on end. */
const MOST_DAYS = 31;

/** Returns when the hours next begin after an instant; null if they do not within a month. */
export function findNextBegin(hours: RuleHours, at: number, holidays: Holidays): number | null {
  const today = toLocalDay(hours.zone, at);
  for (let count = 0; count <= MOST_DAYS; count++) {
    const found = toOccurrence(hours, addDays(today, count), holidays);
    if (found !== null && found.from > at) return found.from;
  }
  return null;
}

/** Describes that a rule is outside its hours, and until when; null within them. */
export function describeOutside(hours: RuleHours | undefined, at: number, holidays: Holidays): string | null {
  if (hours === undefined || findOccurrence(hours, at, holidays) !== null) return null;
  const next = findNextBegin(hours, at, holidays);
  if (next === null) return 'outside its hours for more than a month';
  const day = toLocalDay(hours.zone, next);
  return `outside its hours, next at ${WEEKDAYS[weekdayOf(day) - 1] ?? ''} ${day} ${hours.from} ${hours.zone}`;
}

function toOccurrence({ zone, days, from, to, except_holidays: isExcept }: RuleHours, day: Day, holidays: Holidays) {
  const isOff = !days.includes(WEEKDAYS[weekdayOf(day) - 1] ?? 'Mon') || (isExcept && holidays?.has(day) === true);
  if (isOff) return null;
  return { from: toEpoch(zone, day, from)[0], to: toEpoch(zone, to > from ? day : addDays(day, 1), to)[1] };
}

const DAY_MS = 86_400_000;

/**
 * Returns the first and last instant at which clocks of the zone show a time. They differ only where the clocks are put
 * back, so that the hour which comes twice belongs to the hours that begin or end in it. A time that is skipped counts
 * by the clock before the change, as in calendars (RFC 5545).
 */
function toEpoch(zone: string, day: Day, time: string): readonly [first: number, last: number] {
  const wanted = Date.parse(`${day}T${time}:00Z`);
  const candidates = [wanted - DAY_MS, wanted + DAY_MS].map((near) => wanted - (toLocal(zone, near) - near));
  const shown = candidates.filter((at) => toLocal(zone, at) === wanted);
  const [before = wanted] = candidates;
  return shown.length === 0 ? [before, before] : [Math.min(...shown), Math.max(...shown)];
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns what clocks of the zone show, as if it were UTC, to the second. */
function toLocal(zone: string, at: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en', {
      timeZone: zone,
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
      hourCycle: 'h23',
    });
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? '';
  return Date.parse(
    `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}Z`,
  );
}

function toLocalDay(zone: string, at: number): Day {
  return toDay(toLocal(zone, at));
}

/** `on Mon to Fri from 08:30 to 16:00 America/Chicago, except on holidays`. */
export function describeHours(
  { zone, days, from, to, except_holidays: isExcept }: RuleHours,
  areHolidaysKnown: boolean | undefined,
): string {
  const span = from === to ? `from ${from} for a day` : `from ${from} to ${to}${to < from ? ' of the next day' : ''}`;
  const except = isExcept ? `, except on holidays${areHolidaysKnown === false ? ' (holidays unknown)' : ''}` : '';
  return `${nameDays(days)} ${span} ${zone}${except}`;
}

function nameDays(days: readonly Weekday[]): string {
  const places = WEEKDAYS.flatMap((day, place) => (days.includes(day) ? [place] : []));
  const [first = 0] = places;
  const last = places.at(-1) ?? first;
  if (places.length === WEEKDAYS.length) return 'every day';
  const isRun = places.length > 2 && last - first === places.length - 1;
  const names = places.map((place) => WEEKDAYS[place] ?? '');
  return `on ${isRun ? `${WEEKDAYS[first] ?? ''} to ${WEEKDAYS[last] ?? ''}` : names.join(', ')}`;
}
