import type { ProblemType } from '#contract/desk/problems.ts';
import { isExchangeAway, isFailing as isRecordFailing, type ReadRecord } from '#model/exchange-outage.ts';
import { toRetryTime } from './freshness.ts';
import { NetworkError, ProblemError, UnexpectedResponseError } from './errors.ts';
import { toDeskTime, type ReceivedStatus } from './venue-time.ts';

/** Why nothing on any screen can be current. One failing endpoint is no outage: its panel says so. */
export type OutageKind = DeskOutage | ExchangeOutage;
type DeskOutage = 'desk-unreachable' | 'desk-failing';
type ExchangeOutage = 'unreachable' | 'not-responding' | 'failing' | 'rate-limited';

/** What is wrong, and what is announced once it is over. */
export const OUTAGES: Readonly<Record<OutageKind, { readonly title: string; readonly over: string }>> = {
  'desk-unreachable': { title: 'Perpdesk unreachable', over: 'Perpdesk connection restored.' },
  'desk-failing': { title: 'Perpdesk returns errors', over: 'Perpdesk responding normally.' },
  'unreachable': { title: 'Exchange unreachable', over: 'Exchange connection restored.' },
  'not-responding': { title: 'Exchange not responding', over: 'Exchange connection restored.' },
  'failing': { title: 'Exchange returns only errors', over: 'Exchange responding normally.' },
  'rate-limited': { title: 'Request budget exhausted', over: 'Requests to the exchange resumed.' },
};

/** The outage of Perpdesk itself, by the error of a read of its status, which needs no exchange. */
export function toDeskOutage(error: Error): DeskOutage {
  return error instanceof NetworkError ? 'desk-unreachable' : 'desk-failing';
}

/** The outage of the exchange, as Perpdesk sees it; null where reads succeed, or only some of them fail. */
export function toExchangeOutage(status: ReceivedStatus): ExchangeOutage | null {
  const { venue, budget } = status.value;
  if (isExchangeAway(toRecord(status), Date.parse(status.value.now))) return toKind(venue.last_failure?.type);
  const isRefused = venue.last_refusal?.type === 'budget-spent' && isSinceLastResponse(status, venue.last_refusal.at);
  return isRefused || (budget.limit !== null && budget.used >= budget.limit.requests) ? 'rate-limited' : null;
}

/** Whether the last read of the exchange failed, of whichever endpoint. */
export function isFailing(status: ReceivedStatus): boolean {
  return isRecordFailing(toRecord(status));
}

function toRecord({ value: { venue, started_at: startedAt } }: ReceivedStatus): ReadRecord {
  const { circuit, last_answer_at: answeredAt, last_failure: failure } = venue;
  return {
    circuit,
    lastAnswerAt: answeredAt === null ? null : Date.parse(answeredAt),
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

/** When the last response arrived, in epoch milliseconds of this browser; null if none has. */
export function toLastResponse(kind: OutageKind, { data }: StatusReading): number | null {
  if (data === undefined) return null;
  return isOfDesk(kind) ? data.receivedAt : toBrowserTime(data, data.value.venue.last_answer_at);
}

/** When reads are tried again, in epoch milliseconds of this browser; null: unknown. */
export function toNextRetry(kind: OutageKind, { data, error, errorUpdatedAt }: StatusReading): number | null {
  if (error !== null) return toRetryTime(error, errorUpdatedAt);
  if (data === undefined) return null;
  return toBrowserTime(data, kind === 'rate-limited' ? data.value.budget.next_back_at : data.value.venue.retry_at);
}

function toBrowserTime(status: ReceivedStatus, at: string | null): number | null {
  return at === null ? null : status.receivedAt + Date.parse(at) - toDeskTime(status);
}

function isOfDesk(kind: OutageKind): kind is DeskOutage {
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

/** Whether an outage explains an error, or the reason why a response is stale; without a kind, whether any would. */
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
