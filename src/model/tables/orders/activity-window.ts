import type { Instant } from '#contract/exchange/instant.ts';
import { toBoundInstant, type WrittenRange } from '../../time/time-range.ts';
import { choiceParam, wordsParam } from '../../format/url-param.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface Span {
  readonly ms: number;
  /** How far it moves at a time: each time is another request. */
  readonly stepMs: number;
  readonly bucketSeconds: number;
}

const SPANS = {
  '15m': { ms: 15 * MINUTE_MS, stepMs: MINUTE_MS, bucketSeconds: 60 },
  '1h': { ms: HOUR_MS, stepMs: MINUTE_MS, bucketSeconds: 60 },
  '4h': { ms: 4 * HOUR_MS, stepMs: MINUTE_MS, bucketSeconds: 120 },
  '24h': { ms: 24 * HOUR_MS, stepMs: 5 * MINUTE_MS, bucketSeconds: 900 },
  '7d': { ms: 168 * HOUR_MS, stepMs: HOUR_MS, bucketSeconds: 3_600 },
} as const satisfies Record<string, Span>;

type WindowName = keyof typeof SPANS | 'range';

export const WINDOWS: readonly (readonly [WindowName, string])[] = [
  ['15m', '15 min'],
  ['1h', '1 h'],
  ['4h', '4 h'],
  ['24h', '24 h'],
  ['7d', '7 d'],
  ['range', 'Range'],
];

export const windowParam = choiceParam('window', ['15m', '1h', '4h', '24h', '7d', 'range'], '1h');
export const kindsParam = wordsParam('kinds');

export const GROUPINGS = {
  account: ['account_id'],
  product: ['product_id', 'symbol'],
  both: ['account_id', 'product_id', 'symbol'],
} as const;
export type Grouping = keyof typeof GROUPINGS;
export const groupingParam = choiceParam('by', ['account', 'product', 'both'], 'account');

/** The window as it was chosen; the texts are those of a range, as they are written. */
export interface ChosenWindow extends WrittenRange {
  readonly name: WindowName;
}

/** What is requested of the journal. */
export interface Bounds {
  readonly begin_time?: Instant;
  readonly end_time?: Instant;
}

export interface TimeSpan extends Bounds {
  readonly bucket_seconds: number;
}

/** Buckets that a chart has room for. */
const MOST_BUCKETS = 180;

/** A window ends now; a range as its texts say, which are empty, times, or back from this minute. */
export function toBounds({ name, ...texts }: ChosenWindow, now: number): Bounds {
  if (name !== 'range') {
    const { ms, stepMs } = SPANS[name];
    return { begin_time: toInstant(Math.floor((now - ms) / stepMs) * stepMs) };
  }
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const [from, to] = [toBoundInstant(texts.from, 'from', minute), toBoundInstant(texts.to, 'to', minute)];
  return { ...(from !== null && { begin_time: from }), ...(to !== null && { end_time: to }) };
}

/** A range without a beginning is as long as the journal; null: it is not known where that begins. */
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
