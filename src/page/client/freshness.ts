import type { Query, QueryKey } from '@tanstack/react-query';
import type { ApiResponse } from '#model/response.ts';
import type { ProblemType } from '#contract/desk/problems.ts';
import { InvalidResponseError, NetworkError, ProblemError, UnexpectedResponseError } from './errors.ts';

export interface RefreshPolicy {
  /** How long a response may be reused, from the endpoint table. */
  readonly reuseSeconds: number;
  /** A longer interval for a screen that needs many requests of one kind. */
  readonly everySeconds?: number;
}

/** The last response of a query, and any failure since. */
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

/**
 * Returns how long a response stays fresh after receipt; Infinity for one that can no longer change.
 *
 * @internal Exported for its test.
 */
export function toFreshMillis(
  { cache, freshSeconds, ageSeconds }: NonNullable<QueryState['data']>,
  { reuseSeconds, everySeconds = 0 }: RefreshPolicy,
): number {
  if (cache === 'disk-hit') return Number.POSITIVE_INFINITY;
  // The server probes a failing exchange by itself, so the page need not hurry.
  if (cache === 'stale')
    return Math.max(clamp(reuseSeconds, 5, 30), Math.min(everySeconds, MAX_STALE_SECONDS)) * second;
  // The server rounds its seconds down, so one is added.
  const age = ageSeconds ?? 0;
  const left = freshSeconds === null ? reuseSeconds - age : Math.min(freshSeconds, reuseSeconds) + 1;
  return Math.max(left * second, (everySeconds - age) * second, MIN_DELAY_MS);
}

/**
 * Returns whether to read again. Also true after this machine's clock was set back, because the age is then unknown.
 *
 * @internal Exported for its test.
 */
export function isDue(query: QueryState, policy: RefreshPolicy, now: number): boolean {
  return toDueTime(query, policy) <= now || isFromFuture(query, now);
}

function isFromFuture({ data, errorUpdatedAt }: QueryState, now: number): boolean {
  return Math.max(data?.receivedAt ?? 0, errorUpdatedAt) > now + MIN_DELAY_MS;
}

/**
 * Returns when to read again, in epoch milliseconds; Infinity means only on demand.
 *
 * @internal Exported for its test.
 */
export function toDueTime({ data, error, errorUpdatedAt }: QueryState, policy: RefreshPolicy): number {
  if (error === null) return data === undefined ? 0 : data.receivedAt + toFreshMillis(data, policy);
  const isRefusedNow =
    data !== undefined && error instanceof ProblemError && error.type !== null && TRANSIENT_REJECTIONS.has(error.type);
  return isRefusedNow ? errorUpdatedAt + MAX_STALE_SECONDS * second : toRetryTime(error, errorUpdatedAt);
}

/** Returns when to retry, in epoch milliseconds; Infinity means only on demand. */
export function toRetryTime(error: Error, failedAt: number): number {
  return failedAt + toRetryDelay(error, failedAt);
}

/** Failures that would only repeat themselves if the request were sent again. */
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

/**
 * Temporary rejections of a request that succeeded before: an exchange may reject known requests while it is
 * redeployed.
 */
const TRANSIENT_REJECTIONS: ReadonlySet<ProblemType> = new Set(['bad-parameter', 'not-found'] as const);

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

/**
 * Returns the milliseconds until the next automatic read, or false for none.
 *
 * @internal Exported for its test.
 */
export function toRefetchInterval(query: QueryState, policy: RefreshPolicy, now: number): number | false {
  if (query.data === undefined && query.error === null) return false;
  const due = toDueTime(query, policy);
  if (due === Number.POSITIVE_INFINITY) return false;
  return isFromFuture(query, now) ? MIN_DELAY_MS : Math.max(due - now, MIN_DELAY_MS);
}

/** A push this late may never come: the reader of the stream may have died without notice. */
const PUSH_LATE_MS = 60_000;

/** Returns the milliseconds to wait before polling a query whose responses are pushed; 0 means poll now. */
function toPushPatience(data: QueryState['data'], pushedAt: number, now: number): number {
  if (pushedAt > now + MIN_DELAY_MS) return 0;
  return Math.max(pushedAt + 2 * (data?.cadence?.everySeconds ?? 0) * second + PUSH_LATE_MS - now, 0);
}

type FreshnessMark = 'live' | 'ageing' | 'stale' | 'settled';

export interface Freshness {
  readonly mark: FreshnessMark;
  /** Measured by the server's clock; the browser's clock only adds the time since receipt. */
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

/**
 * Sets when a query is read again: once its response is due and the page is visible, unless its responses are pushed in
 * time.
 */
export function refetchOptions<Data extends ApiResponse<unknown>, Key extends QueryKey>(
  policy: RefreshPolicy,
  now: () => number,
  pushedAt: () => number,
) {
  type State = Pick<Query<Data, Error, Data, Key>, 'state'>;
  const patience = ({ state }: State): number => toPushPatience(state.data, pushedAt(), now());
  const isDueNow = (query: State): boolean => patience(query) === 0 && isDue(query.state, policy, now());
  return {
    staleTime: (query: State): number => {
      const { data } = query.state;
      if (data === undefined) return 0;
      return patience(query) > 0 ? Infinity : toFreshMillis(data, policy);
    },
    refetchInterval: (query: State): number | false => patience(query) || toRefetchInterval(query.state, policy, now()),
    refetchOnMount: isDueNow,
    refetchOnWindowFocus: isDueNow,
    refetchOnReconnect: isDueNow,
    retryOnMount: isDueNow,
  };
}

/** For pages of a list: each costs a request, so they are read again only when the user asks. */
export const NO_REFETCH = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: false,
  refetchOnMount: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

/** For Perpdesk's own data that is read once. A failed read is retried, as screens promise. */
export const READ_ONCE = { ...NO_REFETCH, refetchInterval: toRetryInterval } as const;

function toRetryInterval({
  state: { error, errorUpdatedAt },
}: {
  readonly state: Pick<QueryState, 'error' | 'errorUpdatedAt'>;
}): number | false {
  if (error === null) return false;
  const delay = toRetryTime(error, errorUpdatedAt) - errorUpdatedAt;
  return Number.isFinite(delay) && delay;
}

/**
 * Returns when newer data are expected, in epoch milliseconds. Pushed data follow the server's reading interval, which
 * panels show.
 */
export function toExpectedTime(query: QueryState, policy: RefreshPolicy): number {
  const { data, error } = query;
  if (error !== null || data?.cadence === undefined) return toDueTime(query, policy);
  return data.receivedAt + (data.cadence.everySeconds - (data.ageSeconds ?? 0)) * 1_000;
}
