import {
  compareInstants,
  formatInstant,
  type Instant,
  isDay,
  isInstant,
  toEpochNanos,
} from '#contract/exchange/instant.ts';
import { addDays, toDay } from './session.ts';

/**
 * Parses a UTC time as people type it: a day means its start, and seconds are optional. Returns null for anything else.
 */
export function parseTime(text: string): Instant | null {
  const trimmed = text.trim();
  const [, day = '', clock = '00:00', seconds = ':00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?Z?)?$/.exec(trimmed) ?? [];
  const instant = day === '' ? trimmed : `${day}T${clock}${seconds}Z`;
  return isInstant(instant) ? instant : null;
}

/** Parses the exclusive end of a UTC range; a day is included as a whole. Returns null for anything else. */
export function parseRangeEnd(text: string): Instant | null {
  const trimmed = text.trim();
  return parseTime(isDay(trimmed) ? addDays(trimmed, 1) : trimmed);
}

/**
 * A range of UTC times as people type it. Each end is a time, a day (also today or yesterday), or a period before now
 * (`15 min ago`, `1 h ago`, `2 d ago`, `1 w ago`). Empty: no bound.
 */
export interface WrittenRange {
  readonly from: string;
  readonly to: string;
}

export type RangeEnd = keyof WrittenRange;

const UNIT_MS = { min: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
type Unit = keyof typeof UNIT_MS;

const UNITS: ReadonlyMap<string, Unit> = new Map([
  ...(['m', 'min', 'mins', 'minute', 'minutes'] as const).map((word) => [word, 'min'] as const),
  ...(['h', 'hour', 'hours'] as const).map((word) => [word, 'h'] as const),
  ...(['d', 'day', 'days'] as const).map((word) => [word, 'd'] as const),
  ...(['w', 'week', 'weeks'] as const).map((word) => [word, 'w'] as const),
]);
/** With more digits, the result would be before the year 0. */
const AGO = /^(\d{1,4})\s*([a-z]+)(?:\s+ago)?$/;
const NAMED_DAYS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['yesterday', -1],
]);

/** Returns a bound in its usual spelling: `1h` becomes `1 h ago`. Null if the text is not a bound. */
export function parseBound(text: string): string | null {
  const word = toWord(text);
  if (NAMED_DAYS.has(word)) return word;
  const ago = parseAgo(word);
  if (ago !== null) return `${String(ago.count)} ${ago.unit} ago`;
  return parseTime(text) === null ? null : text.trim();
}

/**
 * Converts a bound to an instant. A range includes its `from` and excludes its `to`, unless that is a day. Returns null
 * for anything else.
 */
export function toBoundInstant(text: string, end: RangeEnd, nowMs: number): Instant | null {
  const word = toWord(text);
  const ago = parseAgo(word);
  if (ago !== null) return formatInstant(toEpochNanos(nowMs - ago.count * UNIT_MS[ago.unit]));
  const days = NAMED_DAYS.get(word);
  const written = days === undefined ? text : addDays(toDay(nowMs), days);
  return end === 'from' ? parseTime(written) : parseRangeEnd(written);
}

function toWord(text: string): string {
  return text.trim().toLowerCase();
}

function parseAgo(word: string): { readonly count: number; readonly unit: Unit } | null {
  const [, count = '', name = ''] = AGO.exec(word) ?? [];
  const unit = UNITS.get(name);
  return unit === undefined ? null : { count: Number(count), unit };
}

/** The rows of a list share a few times, one per read. Times of earlier reads are never needed again. */
const MOST_TIMES = 1_000;

/**
 * Creates a test of whether a time is in a range, given the current time in epoch milliseconds. Texts that are not
 * times are in no range.
 */
export function createRangeTest({ from, to }: WrittenRange): (at: string | null, nowMs: number) => boolean {
  const known = new Map<number, readonly [Instant | null, Instant | null]>();
  const boundsAt = (nowMs: number): readonly [Instant | null, Instant | null] => {
    if (known.size > MOST_TIMES) known.clear();
    const bounds = known.get(nowMs) ?? [toBoundInstant(from, 'from', nowMs), toBoundInstant(to, 'to', nowMs)];
    known.set(nowMs, bounds);
    return bounds;
  };
  return (at, nowMs) => {
    if (at === null || !isInstant(at)) return false;
    const [first, end] = boundsAt(nowMs);
    return (first === null || compareInstants(at, first) >= 0) && (end === null || compareInstants(at, end) < 0);
  };
}

/** Describes a range so that it can follow the name of a time: `in the last 1 h`. */
export function describeRange({ from, to }: WrittenRange): string {
  if (from !== '' && to !== '')
    return from === to && isWholeDay(from) ? nameBound(from) : `from ${nameBound(from)} to ${nameBound(to)}`;
  if (from === '') return isAgo(to) ? `more than ${to}` : `up to ${nameBound(to)}`;
  if (from === 'today') return nameBound(from);
  return isAgo(from) ? `in the last ${from.replace(/ ago$/, '')}` : `since ${nameBound(from)}`;
}

function isWholeDay(bound: string): boolean {
  return NAMED_DAYS.has(bound) || isDay(bound);
}

function isAgo(bound: string): boolean {
  return bound.endsWith(' ago');
}

function nameBound(bound: string): string {
  return isAgo(bound) ? bound : `${bound} (UTC)`;
}

const CLOCK = /^(\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?Z?$/;
const DAY_LENGTH = '2026-11-20'.length;

/**
 * Parses a time as people type it to epoch milliseconds, in UTC: a time on the day shown (`14:03`, `14:03:10`), a full
 * time, a day, or a period before now (`15 min ago`). Returns null for anything else.
 */
export function parseWrittenInstant(
  text: string,
  { at, now }: { readonly at: number; readonly now: number },
): number | null {
  const [, minutes, seconds = ':00'] = CLOCK.exec(text.trim()) ?? [];
  const day = formatInstant(toEpochNanos(at)).slice(0, DAY_LENGTH);
  const instant = minutes === undefined ? toBoundInstant(text, 'from', now) : `${day}T${minutes}${seconds}Z`;
  const millis = instant === null ? NaN : Date.parse(instant);
  return Number.isNaN(millis) ? null : millis;
}
