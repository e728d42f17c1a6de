import type { ProblemType } from '#contract/problems.ts';
import type { Answer } from './answer.ts';
import { NetworkError, ProblemError, StrangeAnswerError, UnreadableAnswerError } from './errors.ts';

/** When a question is worth asking again. */
export interface Pace {
  /** For how long an answer is as good as a new one, by the table. */
  readonly reuseSeconds: number;
  /** At most this often, however soon there would be something new: a screen asks many of the kind. */
  readonly everySeconds?: number;
}

/** What is known of a question: its last answer, and what went wrong since. */
export interface Asked {
  readonly data: Pick<Answer<unknown>, 'cache' | 'freshSeconds' | 'ageSeconds' | 'receivedAt'> | undefined;
  readonly error: Error | null;
  readonly errorUpdatedAt: number;
}

const SHORTEST_PAUSE_MS = 1_000;
/** How long an old answer is put up with before the next is tried, whatever the pace. */
const LONGEST_STALE_SECONDS = 60;
const second = 1_000;

/** How long from its receipt an answer is as good as a new one would be; Infinity: it never changes again. */
export function toFreshMillis({ cache, freshSeconds, ageSeconds }: NonNullable<Asked['data']>, { reuseSeconds, everySeconds = 0 }: Pace): number {
  if (cache === 'settled') return Number.POSITIVE_INFINITY;
  // The venue is away. The gateway looks for it on its own, so there is no hurry, but no sleeping either.
  if (cache === 'stale') return Math.max(clamp(reuseSeconds, 5, 30), Math.min(everySeconds, LONGEST_STALE_SECONDS)) * second;
  // The gateway tells whole seconds, cut: a second later it is sure to ask anew.
  const age = ageSeconds ?? 0;
  const left = freshSeconds === null ? reuseSeconds - age : Math.min(freshSeconds, reuseSeconds) + 1;
  return Math.max(left * second, (everySeconds - age) * second, SHORTEST_PAUSE_MS);
}

/** Whether it is worth asking again; also where this machine's clock was set back since, and nobody knows how long ago that was. */
export function isDue(asked: Asked, pace: Pace, now: number): boolean {
  return toDueTime(asked, pace) <= now || isFromFuture(asked, now);
}

function isFromFuture({ data, errorUpdatedAt }: Asked, now: number): boolean {
  return Math.max(data?.receivedAt ?? 0, errorUpdatedAt) > now + SHORTEST_PAUSE_MS;
}

/** When it is worth asking again, in epoch milliseconds; Infinity: not before somebody wants it. */
export function toDueTime({ data, error, errorUpdatedAt }: Asked, pace: Pace): number {
  if (error === null) return data === undefined ? 0 : data.receivedAt + toFreshMillis(data, pace);
  const isRefusedNow = data !== undefined && error instanceof ProblemError && error.type !== null && MAY_PASS.has(error.type);
  return isRefusedNow ? errorUpdatedAt + LONGEST_STALE_SECONDS * second : toRetryTime(error, errorUpdatedAt);
}

/** When what failed is worth asking again, in epoch milliseconds; Infinity: not before somebody wants it. */
export function toRetryTime(error: Error, failedAt: number): number {
  return failedAt + toPauseAfter(error, failedAt);
}

/** What cannot become right by asking the same again. */
const FINAL: ReadonlySet<ProblemType> = new Set([
  'bad-parameter',
  'not-found',
  'not-in-the-interface',
  'method-not-allowed',
  'address-too-long',
  'cross-site',
  'too-many-working-orders',
] as const);

/** To a question that was answered before: between two of its versions, a venue may know nothing for a moment. */
const MAY_PASS: ReadonlySet<ProblemType> = new Set(['bad-parameter', 'not-found'] as const);

/** What a person has to put right first. */
const FOR_PEOPLE: ReadonlySet<ProblemType> = new Set(['key-refused', 'clock-skew'] as const);

function toPauseAfter(error: Error, at: number): number {
  if (error instanceof ProblemError) return toPauseAfterProblem(error, at);
  if (error instanceof NetworkError) return 5 * second;
  if (error instanceof StrangeAnswerError || error instanceof UnreadableAnswerError) return 30 * second;
  return Number.POSITIVE_INFINITY;
}

function toPauseAfterProblem({ type, retryAt }: ProblemError, at: number): number {
  if (type !== null && FINAL.has(type)) return Number.POSITIVE_INFINITY;
  const usual = type !== null && FOR_PEOPLE.has(type) ? 60 * second : 10 * second;
  return retryAt === null ? usual : Math.max(retryAt - at, SHORTEST_PAUSE_MS);
}

/** Milliseconds until a question is asked again by itself, or false. */
export function toRefetchInterval(asked: Asked, pace: Pace, now: number): number | false {
  if (asked.data === undefined && asked.error === null) return false;
  const due = toDueTime(asked, pace);
  if (due === Number.POSITIVE_INFINITY) return false;
  return isFromFuture(asked, now) ? SHORTEST_PAUSE_MS : Math.max(due - now, SHORTEST_PAUSE_MS);
}

/** `settled`: final, whatever its age. `stale`: older than it should be, with or without a reason. */
type FreshnessMark = 'live' | 'ageing' | 'stale' | 'settled';

export interface Freshness {
  readonly mark: FreshnessMark;
  /** How old the data are by the gateway's clock; the browser's only counts on from there. */
  readonly ageSeconds: number;
}

/** How far the data shown can be trusted to be the latest. */
export function toFreshness(asked: Asked & { readonly data: NonNullable<Asked['data']> }, pace: Pace, now: number): Freshness {
  const { cache, ageSeconds, receivedAt } = asked.data;
  const age = (ageSeconds ?? 0) + Math.max(0, now - receivedAt) / second;
  const isInDoubt = asked.error !== null || isFromFuture(asked, now);
  return { ageSeconds: age, mark: toMark(cache, isInDoubt, age / Math.max(pace.reuseSeconds, 2)) };
}

function toMark(cache: string, isInDoubt: boolean, lifetimes: number): FreshnessMark {
  if (cache === 'settled') return 'settled';
  if (cache === 'stale' || isInDoubt || lifetimes > 5) return 'stale';
  return lifetimes > 2 ? 'ageing' : 'live';
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
