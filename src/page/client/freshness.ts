import type { ProblemType } from '#contract/desk/problems.ts';
import type { ApiResponse } from '#model/response.ts';
import { NetworkError, ProblemError, UnexpectedResponseError, InvalidResponseError } from './errors.ts';

export interface RefreshPolicy {
  /** How long the endpoint's table lets a response be reused. */
  readonly reuseSeconds: number;
  /** A longer interval that a screen chooses, where it needs many requests of one kind. */
  readonly everySeconds?: number;
}

/** The last response of a query, and the failure since. */
export interface QueryState {
  readonly data:
    | Pick<ApiResponse<unknown>, 'cache' | 'freshSeconds' | 'ageSeconds' | 'receivedAt' | 'cadence'>
    | undefined;
  readonly error: Error | null;
  readonly errorUpdatedAt: number;
}

const MIN_DELAY_MS = 1_000;
/** The longest wait before a stale response is read again. */
const MAX_STALE_SECONDS = 60;
const second = 1_000;

/** How long a response is fresh from its receipt; Infinity for a settled one. */
export function toFreshMillis(
  { cache, freshSeconds, ageSeconds }: NonNullable<QueryState['data']>,
  { reuseSeconds, everySeconds = 0 }: RefreshPolicy,
): number {
  if (cache === 'disk-hit') return Number.POSITIVE_INFINITY;
  // The gateway probes a failing venue by itself, so the page need not hurry.
  if (cache === 'stale')
    return Math.max(clamp(reuseSeconds, 5, 30), Math.min(everySeconds, MAX_STALE_SECONDS)) * second;
  // The gateway rounds its seconds down, so one more is added.
  const age = ageSeconds ?? 0;
  const left = freshSeconds === null ? reuseSeconds - age : Math.min(freshSeconds, reuseSeconds) + 1;
  return Math.max(left * second, (everySeconds - age) * second, MIN_DELAY_MS);
}

/** Whether to read again; also after this machine's clock was set back, since the age is then unknown. */
export function isDue(query: QueryState, policy: RefreshPolicy, now: number): boolean {
  return toDueTime(query, policy) <= now || isFromFuture(query, now);
}

function isFromFuture({ data, errorUpdatedAt }: QueryState, now: number): boolean {
  return Math.max(data?.receivedAt ?? 0, errorUpdatedAt) > now + MIN_DELAY_MS;
}

/** When to read again, in epoch milliseconds; Infinity: only on demand. */
export function toDueTime({ data, error, errorUpdatedAt }: QueryState, policy: RefreshPolicy): number {
  if (error === null) return data === undefined ? 0 : data.receivedAt + toFreshMillis(data, policy);
  const isRefusedNow =
    data !== undefined && error instanceof ProblemError && error.type !== null && TRANSIENT_REFUSALS.has(error.type);
  return isRefusedNow ? errorUpdatedAt + MAX_STALE_SECONDS * second : toRetryTime(error, errorUpdatedAt);
}

/** When to retry, in epoch milliseconds; Infinity: only on demand. */
export function toRetryTime(error: Error, failedAt: number): number {
  return failedAt + toRetryDelay(error, failedAt);
}

/** Failures that the same request would meet again. */
const FINAL: ReadonlySet<ProblemType> = new Set([
  'bad-parameter',
  'not-found',
  'not-in-the-interface',
  'method-not-allowed',
  'address-too-long',
  'cross-site',
  'not-signed-in',
  'not-allowed',
  'too-many-working-orders',
] as const);

/** Passing failures of a request that succeeded before: while it is redeployed, a venue may reject what it knows. */
const TRANSIENT_REFUSALS: ReadonlySet<ProblemType> = new Set(['bad-parameter', 'not-found'] as const);

/** Failures that an operator has to fix first. */
const NEEDS_OPERATOR: ReadonlySet<ProblemType> = new Set(['key-refused', 'clock-skew'] as const);

function toRetryDelay(error: Error, at: number): number {
  if (error instanceof ProblemError) return toProblemRetryDelay(error, at);
  if (error instanceof NetworkError) return 5 * second;
  if (error instanceof UnexpectedResponseError || error instanceof InvalidResponseError) return 30 * second;
  return Number.POSITIVE_INFINITY;
}

function toProblemRetryDelay({ type, retryAt }: ProblemError, at: number): number {
  if (type !== null && FINAL.has(type)) return Number.POSITIVE_INFINITY;
  const usual = type !== null && NEEDS_OPERATOR.has(type) ? 60 * second : 10 * second;
  return retryAt === null ? usual : Math.max(retryAt - at, MIN_DELAY_MS);
}

/** Milliseconds until the next automatic read, or false. */
export function toRefetchInterval(query: QueryState, policy: RefreshPolicy, now: number): number | false {
  if (query.data === undefined && query.error === null) return false;
  const due = toDueTime(query, policy);
  if (due === Number.POSITIVE_INFINITY) return false;
  return isFromFuture(query, now) ? MIN_DELAY_MS : Math.max(due - now, MIN_DELAY_MS);
}

/** A push that is overdue by so much may never come: what reads the stream for this page may be gone without a word. */
const PUSH_LATE_MS = 60_000;

/** Milliseconds until a query whose responses are pushed is polled all the same; 0 if it is to be polled now. */
export function toPushPatience(data: QueryState['data'], pushedAt: number, now: number): number {
  if (pushedAt > now + MIN_DELAY_MS) return 0;
  return Math.max(pushedAt + 2 * (data?.cadence?.everySeconds ?? 0) * second + PUSH_LATE_MS - now, 0);
}

type FreshnessMark = 'live' | 'ageing' | 'stale' | 'settled';

export interface Freshness {
  readonly mark: FreshnessMark;
  /** By the gateway's clock; the browser's only adds the time since receipt. */
  readonly ageSeconds: number;
}

export function toFreshness(
  query: QueryState & { readonly data: NonNullable<QueryState['data']> },
  policy: RefreshPolicy,
  now: number,
): Freshness {
  const { cache, ageSeconds, receivedAt } = query.data;
  const age = (ageSeconds ?? 0) + Math.max(0, now - receivedAt) / second;
  const isDoubtful = query.error !== null || isFromFuture(query, now);
  return { ageSeconds: age, mark: toMark(cache, isDoubtful, age / Math.max(policy.reuseSeconds, 2)) };
}

function toMark(cache: string, isDoubtful: boolean, lifetimes: number): FreshnessMark {
  if (cache === 'disk-hit') return 'settled';
  if (cache === 'stale' || isDoubtful || lifetimes > 5) return 'stale';
  return lifetimes > 2 ? 'ageing' : 'live';
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
