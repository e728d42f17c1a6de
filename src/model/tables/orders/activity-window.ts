import type { DeskJournalActivity } from '#contract/desk/journal.ts';
import { countOf, formatCount } from '../../format/count.ts';
import { formatDuration, formatInstant, type Zone } from '../../format/format-time.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { toBoundInstant, type WrittenRange } from '../../time/written-time.ts';
import { choiceParam, wordsParam } from '../../format/url-param.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface Span {
  readonly ms: number;
  /** The step by which the window moves. Each step costs another request. */
  readonly stepMs: number;
  readonly bucketSeconds: number;
}

const SPANS = {
  '10m': { ms: 10 * MINUTE_MS, stepMs: MINUTE_MS, bucketSeconds: 60 },
  '15m': { ms: 15 * MINUTE_MS, stepMs: MINUTE_MS, bucketSeconds: 60 },
  '1h': { ms: HOUR_MS, stepMs: MINUTE_MS, bucketSeconds: 60 },
  '4h': { ms: 4 * HOUR_MS, stepMs: MINUTE_MS, bucketSeconds: 120 },
  '24h': { ms: 24 * HOUR_MS, stepMs: 5 * MINUTE_MS, bucketSeconds: 900 },
  '7d': { ms: 168 * HOUR_MS, stepMs: HOUR_MS, bucketSeconds: 3_600 },
} as const satisfies Record<string, Span>;

type WindowName = keyof typeof SPANS | 'range';

export const WINDOWS: readonly (readonly [WindowName, string])[] = [
  ['10m', '10 min'],
  ['15m', '15 min'],
  ['1h', '1 h'],
  ['4h', '4 h'],
  ['24h', '24 h'],
  ['7d', '7 d'],
  ['range', 'Range'],
];

export const windowParam = choiceParam('window', ['10m', '15m', '1h', '4h', '24h', '7d', 'range'], '1h');
export const kindsParam = wordsParam('kinds');

export const GROUPINGS = {
  account: ['account_id'],
  product: ['product_id', 'symbol'],
  both: ['account_id', 'product_id', 'symbol'],
} as const;
export type Grouping = keyof typeof GROUPINGS;
export const groupingParam = choiceParam('by', ['account', 'product', 'both'], 'account');

/** The window as chosen. The texts are those of a range, as typed. */
export interface ChosenWindow extends WrittenRange {
  readonly name: WindowName;
}

/** The bounds requested from the journal. */
export interface Bounds {
  readonly begin_time?: Instant;
  readonly end_time?: Instant;
}

export interface TimeSpan extends Bounds {
  readonly bucket_seconds: number;
}

/** The number of buckets that fit in a chart. */
const MOST_BUCKETS = 180;

/**
 * Returns the bounds of a window, which ends now, or of a range, whose texts are empty, times, or counted back from
 * this minute.
 */
export function toBounds({ name, ...texts }: ChosenWindow, now: number): Bounds {
  if (name !== 'range') {
    const { ms, stepMs } = SPANS[name];
    return { begin_time: toInstant(Math.floor((now - ms) / stepMs) * stepMs) };
  }
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const [from, to] = [toBoundInstant(texts.from, 'from', minute), toBoundInstant(texts.to, 'to', minute)];
  return { ...(from !== null && { begin_time: from }), ...(to !== null && { end_time: to }) };
}

/**
 * Returns bounds and bucket size. A range without a start begins with the journal; `keptFrom` is null if that time is
 * unknown.
 */
export function toTimeSpan(chosen: ChosenWindow, now: number, keptFrom: Instant | null): TimeSpan {
  const bounds = toBounds(chosen, now);
  if (chosen.name !== 'range') return { ...bounds, bucket_seconds: SPANS[chosen.name].bucketSeconds };
  const { begin_time: begin = keptFrom, end_time: end } = bounds;
  const length = (end === undefined ? now : Date.parse(end)) - (begin === null ? -Infinity : Date.parse(begin));
  return { ...bounds, bucket_seconds: toBucketSeconds(length) };
}

function toBucketSeconds(lengthMs: number): number {
  const minutes = Math.max(1, Math.ceil(lengthMs / MINUTE_MS / MOST_BUCKETS));
  return Math.min(minutes * 60, 86_400);
}

function toInstant(millis: number): Instant {
  return new Date(millis).toISOString() as Instant;
}

/** The kinds of changes that the chart draws, from bottom to top. */
export const KINDS = ['seen', 'passed', 'changed', 'gone'] as const;
export const DRAWN_NAMES = {
  seen: 'new',
  passed: 'came and went',
  changed: 'changed',
  gone: 'no longer working',
} as const;

interface Peak {
  /** The number of changes drawn at full height. */
  readonly most: number;
  readonly caption: string;
  readonly sentence: string;
}

/** Finds the interval with the most changes. */
export function findPeak(
  { buckets, bucket_seconds: seconds }: Pick<DeskJournalActivity, 'buckets' | 'bucket_seconds'>,
  zone: Zone,
): Peak {
  const sums = buckets.map((bucket) => KINDS.reduce((sum, kind) => sum + bucket[kind], 0));
  const most = Math.max(1, ...sums);
  const busiest = buckets[sums.indexOf(most)];
  if (busiest === undefined) return { most, caption: 'No changes', sentence: 'no changes' };
  const length = formatDuration(seconds);
  return {
    most,
    caption: `${formatCount(most)} in ${length}`,
    sentence: `at most ${countOf(most, 'change')} in ${length}, from ${formatInstant(Date.parse(busiest.from), zone)}`,
  };
}
