import { isDay } from '#contract/exchange/day.ts';
import { compareInstants, formatInstant, isInstant, toEpochNanos, type Instant } from '#contract/exchange/instant.ts';
import { addDays, toDay } from './calendar.ts';
import { parseRangeEnd, parseTime } from './parse-time.ts';

/**
 * A range of UTC times as people write it. Each end is a time, a day (today and yesterday too), or counted back from now
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
/** More digits would reach back before the year 0. */
const AGO = /^(\d{1,4})\s*([a-z]+)(?:\s+ago)?$/;
const NAMED_DAYS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['yesterday', -1],
]);

/** The bound in its usual spelling: `1h` is `1 h ago`. Null where it is none. */
export function parseBound(text: string): string | null {
  const word = toWord(text);
  if (NAMED_DAYS.has(word)) return word;
  const ago = parseAgo(word);
  if (ago !== null) return `${String(ago.count)} ${ago.unit} ago`;
  return parseTime(text) === null ? null : text.trim();
}

/** The instant of a bound: a range includes its `from`, and ends before its `to`, or with it if that is a day. Null where it is none. */
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

/** Rows of one list are as of few times, one for each read. Those of earlier reads are not needed again. */
const MOST_TIMES = 1_000;

/** Whether a time is in a range, as of a time in epoch milliseconds. What is no time is in no range. */
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

/** Follows the name of a time: `in the last 1 h`. */
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
