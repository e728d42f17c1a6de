import type { DeskStatus } from '#contract/desk/status.ts';
import type { OtherRate } from '#model/funding/funding-rate.ts';
import type { Sourced } from '#model/response.ts';
import type { ProblemType } from '#contract/desk/problems.ts';
import { isExchangeAway, isFailing as isRecordFailing, type ReadRecord } from '#model/exchange-outage.ts';
import { toRetryTime } from './freshness.ts';
import { NetworkError, ProblemError, UnexpectedResponseError } from './errors.ts';

export type ReceivedStatus = Pick<Sourced<DeskStatus>, 'value' | 'receivedAt'> &
  Partial<Pick<Sourced<DeskStatus>, 'ageSeconds'>>;

/**
 * Converts a browser time to the exchange's time by the server's clock offset. Before the first status, returns the
 * browser time.
 */
export function toVenueTime(status: ReceivedStatus | undefined, browserNow: number): number {
  if (status === undefined) return browserNow;
  return toDeskTime(status) + offsetOf(status) + Math.max(0, browserNow - status.receivedAt);
}

/**
 * Returns the server's time when the browser received its status. A pushed status can be a few seconds old on arrival.
 */
function toDeskTime({ value, ageSeconds }: ReceivedStatus): number {
  return Date.parse(value.now) + (ageSeconds ?? 0) * 1_000;
}

/**
 * Returns how far the exchange's clock is ahead of the server's, in milliseconds, rounded to a second as ages are
 * displayed.
 */
export function toRoundedOffset(status: ReceivedStatus): number {
  return Math.round(offsetOf(status) / 1_000) * 1_000;
}

export function toOtherRates({ value: { funding } }: ReceivedStatus): readonly OtherRate[] {
  const rows = funding ?? [];
  return rows.flatMap(({ product_id, revised }) =>
    revised ? { product_id, interval_end: revised.interval_end, funding_rate: revised.before } : [],
  );
}

function offsetOf({ value: { venue } }: ReceivedStatus): number {
  return venue.clock_offset_ms ?? 0;
}

/** Why no screen can show current data. A single failing endpoint is not an outage: its own panel reports it. */
export type OutageKind = DeskOutage | ExchangeOutage;
type DeskOutage = 'desk-unreachable' | 'desk-failing';
type ExchangeOutage = 'unreachable' | 'not-responding' | 'failing' | 'rate-limited';

/** The title of each outage, and the announcement when it ends. */
export const OUTAGES: Readonly<Record<OutageKind, { readonly title: string; readonly over: string }>> = {
  'desk-unreachable': { title: 'Perpdesk unreachable', over: 'Perpdesk connection restored.' },
  'desk-failing': { title: 'Perpdesk returns errors', over: 'Perpdesk responding normally.' },
  'unreachable': { title: 'Exchange unreachable', over: 'Exchange connection restored.' },
  'not-responding': { title: 'Exchange not responding', over: 'Exchange connection restored.' },
  'failing': { title: 'Exchange returns only errors', over: 'Exchange responding normally.' },
  'rate-limited': { title: 'Request budget exhausted', over: 'Requests to the exchange resumed.' },
};

/** Classifies an outage of Perpdesk itself, by the error of a status read, which never involves the exchange. */
export function toDeskOutage(error: Error): DeskOutage {
  return error instanceof NetworkError ? 'desk-unreachable' : 'desk-failing';
}

/** Returns the outage of the exchange as Perpdesk sees it; null if reads succeed or only some of them fail. */
export function toExchangeOutage(status: ReceivedStatus): ExchangeOutage | null {
  const { venue, budget } = status.value;
  if (isExchangeAway(toRecord(status), Date.parse(status.value.now))) return toKind(venue.last_failure?.type);
  const isRefused = venue.last_refusal?.type === 'budget-spent' && isSinceLastResponse(status, venue.last_refusal.at);
  return isRefused || (budget.limit !== null && budget.used >= budget.limit.requests) ? 'rate-limited' : null;
}

/** Returns whether something on screen is read less often than it should be, because few requests are left. */
export function isSlowed({ value: { budget, live } }: ReceivedStatus): boolean {
  const isStretched = live.topics.some(
    ({ followers, every_seconds: every, least_seconds: least }) => followers > 0 && every > least,
  );
  return isStretched || isReserveOnly(budget);
}

/** Returns whether all requests that are left are kept for what a person waits for. */
export function isReserveOnly({ limit, used }: DeskStatus['budget']): boolean {
  return limit !== null && limit.requests - used <= limit.reserve;
}

/** Names the exchange on screen. The embedded one says that its market is not real. */
export function nameExchange({ name, env }: DeskStatus['venue']): string {
  return env === 'simulated' ? 'Simulated exchange' : name;
}

/** Returns whether the last read of the exchange failed, on any endpoint. */
export function isFailing(status: ReceivedStatus): boolean {
  return isRecordFailing(toRecord(status));
}

function toRecord({ value: { venue, started_at: startedAt } }: ReceivedStatus): ReadRecord {
  const { circuit, last_answer_at: respondedAt, last_failure: failure } = venue;
  return {
    circuit,
    lastResponseAt: respondedAt === null ? null : Date.parse(respondedAt),
    lastFailure: failure && { at: Date.parse(failure.at), type: failure.type },
    startedAt: Date.parse(startedAt),
  };
}

function isSinceLastResponse({ value: { venue } }: ReceivedStatus, at: string): boolean {
  return venue.last_answer_at === null || Date.parse(at) > Date.parse(venue.last_answer_at);
}

function toKind(type: string | undefined): ExchangeOutage {
  if (type === 'venue-timeout') return 'not-responding';
  return type === 'venue-fault' || type === 'venue-answer-unreadable' ? 'failing' : 'unreachable';
}

/** The query of Perpdesk's status. */
export interface StatusReading {
  readonly data: ReceivedStatus | undefined;
  readonly error: Error | null;
  readonly errorUpdatedAt: number;
}

/** Returns when the last response arrived, in epoch milliseconds of this browser; null if none has. */
export function toLastResponse(kind: OutageKind, { data }: StatusReading): number | null {
  if (data === undefined) return null;
  return isOfDesk(kind) ? data.receivedAt : toBrowserTime(data, data.value.venue.last_answer_at);
}

/** Returns when reads are retried, in epoch milliseconds of this browser; null if unknown. */
export function toNextRetry(kind: OutageKind, { data, error, errorUpdatedAt }: StatusReading): number | null {
  if (error !== null) return toRetryTime(error, errorUpdatedAt);
  if (data === undefined) return null;
  return toBrowserTime(data, kind === 'rate-limited' ? data.value.budget.next_back_at : data.value.venue.retry_at);
}

function toBrowserTime(status: ReceivedStatus, at: string | null): number | null {
  return at === null ? null : status.receivedAt + Date.parse(at) - toDeskTime(status);
}

/** Returns whether Perpdesk itself is away, not only the exchange. */
export function isOfDesk(kind: OutageKind): kind is DeskOutage {
  return kind === 'desk-unreachable' || kind === 'desk-failing';
}

const EXCHANGE_PROBLEMS: ReadonlySet<string> = new Set<ProblemType>([
  'venue-unreachable',
  'venue-timeout',
  'venue-fault',
  'venue-answer-unreadable',
  'budget-spent',
]);
const DESK_PROBLEM: ProblemType = 'desk-fault';

/**
 * Returns whether an outage explains an error or the reason why a response is stale. Without a kind, returns whether
 * any outage would.
 */
export function explains(kind: OutageKind | null, cause: Error | string | null): boolean {
  const type = toProblemName(cause);
  if (type === null) return false;
  return EXCHANGE_PROBLEMS.has(type) || (type === DESK_PROBLEM && (kind === null || isOfDesk(kind)));
}

function toProblemName(cause: Error | string | null): string | null {
  if (cause instanceof ProblemError) return cause.type;
  if (cause instanceof Error)
    return cause instanceof NetworkError || cause instanceof UnexpectedResponseError ? DESK_PROBLEM : null;
  return cause;
}
