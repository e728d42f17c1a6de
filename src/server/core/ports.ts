import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint, EndpointName } from '#contract/exchange/endpoints.ts';
import type { Body } from './body.ts';
import type { Problem } from './venue-failure.ts';

/**
 * The server’s nouns, and the interfaces between its modules: web → proxy (cache → upstream, which takes permits from
 * the budget).
 */

/** One request to the exchange, already checked against the endpoint table: only a checked request can be sent. */
export interface VenueRequest {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Decoded, in the order in which they are sent. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** From base_url on, including the mount, as sent. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly rawQuery: string;
  /** Path and query as sent. Equal requests have equal targets. */
  readonly target: string;
  /** Changes with what the response is about: as long as it does not, a response is read again only now and then. */
  readonly state?: string;
}

/** What a read is for, the most urgent first: it decides the order when requests are scarce. */
export const PURPOSES = ['interactive', 'working', 'trailing', 'estimates', 'history', 'prefetch'] as const;
export type Purpose = (typeof PURPOSES)[number];

export function isMoreUrgent(one: Purpose, other: Purpose): boolean {
  return PURPOSES.indexOf(one) < PURPOSES.indexOf(other);
}

/** A sound response of the exchange: complete by its length, JSON by its type and by its first and last bytes. */
export interface VenueResponse {
  readonly body: Body;
  readonly contentType: string;
  /**
   * When the exchange generated it, in milliseconds since 1970 by this machine’s clock: earlier than its arrival if an
   * intermediate cache held it.
   */
  readonly respondedAt: number;
  /** How long an intermediate cache had held it when it arrived, in milliseconds. */
  readonly heldMs?: number;
  /** Strong: equal tags mean equal bytes. */
  readonly tag: string;
}

/**
 * Reads from the exchange itself: signs, sends, receives the whole response, and retries if that may help. Rejects with
 * `VenueFailure`.
 */
export interface Venue {
  readonly read: (request: VenueRequest, options: ReadOptions) => Promise<VenueResponse>;
  readonly state: () => VenueState;
  readonly close: () => Promise<void>;
}

/**
 * Who pays for a read: a person, or one of the shares that the server keeps for its own fixed work. Reads without a
 * known person, such as those of programs without a name, count as those of one person.
 */
export type Payer = `person ${string}` | 'desk' | 'journal';

/** Stands for everyone without a name. */
export const ANYBODY: Payer = 'person ';
/**
 * For the self-test, the health probe, predicted rates, and reads that a response of the exchange makes
 * necessary: a few, independent of people.
 */
export const DESK_ITSELF: readonly [Payer] = ['desk'];

export function toPayer(person: string): Payer {
  return `person ${person}`;
}

export function isPerson(payer: Payer): boolean {
  return payer.startsWith('person ');
}

/** Those for whom something is read. Several share the cost. */
export type Payers = readonly [Payer, ...(readonly Payer[])];

export function isSamePayers(some: Payers, others: Payers): boolean {
  return some.length === others.length && some.every((payer) => others.includes(payer));
}

/** What decides when a read may be sent. */
export interface ReadCause {
  readonly purpose: Purpose;
  readonly payers: Payers;
}

export interface ReadOptions extends ReadCause {
  /** Aborted when every caller has gone: the read is dropped. */
  readonly signal: AbortSignal;
}

/**
 * Called once for each response of the exchange. `offsetMs` is how far the exchange’s clock is ahead of ours, if known.
 */
type ResponseListener = (request: VenueRequest, response: VenueResponse, offsetMs: number) => void;

/** Listeners by endpoint; each gets all responses, for any purpose. */
export type ResponseListeners = Readonly<Partial<Record<EndpointName, ResponseListener>>>;

export interface VenueState {
  readonly baseUrl: string;
  /** How far the exchange’s clock is ahead of ours; null before its first response with a usable `Date`. */
  readonly clockOffsetMs: number | null;
  /** The last `Date` of the exchange, if it cannot be the time and was therefore ignored. */
  readonly ignoredDate: string | null;
  readonly circuit: 'closed' | 'open' | 'half-open';
  /**
   * The time until a read is let through again; null while reads are not paused, or while a health probe is in flight.
   */
  readonly retryMs: number | null;
  readonly lastResponseAt: number | null;
  /** The last successful read of each endpoint. */
  readonly lastReads: ReadonlyMap<EndpointName, PastRead>;
  readonly lastFailure: PastFailure | null;
  /**
   * The meaning of the last 401, 403 or 429. Separate from `lastFailure`, so that later failures of other kinds do not
   * replace it.
   */
  readonly lastRejection: PastFailure | null;
}

interface PastRead {
  readonly at: number;
  /** From the request to its response, including the time in the queue. */
  readonly tookMs: number;
}

interface PastFailure {
  readonly at: number;
  readonly problem: Problem;
}

/** The requests that the exchange allows within a window. */
export interface Budget {
  readonly requests: number;
  readonly seconds: number;
}

/**
 * The right to send one request. It counts against the budget from the moment it is acquired until a window after
 * `settle`, because the exchange counted the request at some moment between the two.
 */
export interface Permit {
  /** Called directly before the request is written: throws a `VoidPermit` if it must not be. */
  readonly begin: () => void;
  /** Called once the request has ended, however it did. */
  readonly settle: () => void;
}

/** Grants permits so that the exchange’s budget is never exceeded, even across restarts. */
export interface RateLimiter {
  /**
   * Queues by purpose, and people in turn within a purpose; rejects with a `budget-spent` failure if the wait would
   * exceed the purpose’s deadline.
   */
  readonly acquire: (cause: ReadCause, signal: AbortSignal) => Promise<Permit>;
  /** What a payer may use within a window at present, and has used; null without a limit. */
  readonly shareOf: (payer: Payer) => Share | null;
  /** The exchange reported too many requests: nothing is sent for this long. */
  readonly pauseFor: (seconds: number) => void;
  readonly state: () => RateLimiterState;
  readonly close: () => void;
}

export interface Share {
  readonly requests: number;
  readonly used: number;
  /** The length of the window. */
  readonly seconds: number;
}

export interface RateLimiterState {
  /** Null: no limit. */
  readonly limit: (Budget & { readonly reserve: number }) | null;
  readonly used: number;
  /**
   * The time until the next used permit is free again; null if unknown or without a limit. `allFreeMs` is the time
   * until all are.
   */
  readonly nextFreeMs: number | null;
  readonly allFreeMs: number | null;
  readonly waiting: number;
  readonly byPurpose: Readonly<Record<Purpose, number>>;
}

/**
 * How a request was served: from memory, from disk, by a read already in progress, by a read of its own, or by an
 * expired response because the exchange failed.
 */
export type CacheOutcome = 'hit' | 'disk-hit' | 'coalesced' | 'miss' | 'stale';

/**
 * Reads through the cache, with as few reads of the exchange as the endpoint table allows. Rejects with `VenueFailure`.
 */
export interface Reader {
  readonly read: (request: VenueRequest, options: CachedReadOptions) => Promise<Served>;
  /** Returns the last response in memory, at any age; null if there is none. */
  readonly kept: (request: VenueRequest) => Served | null;
  /** Caches a response that another desk has read, unless it has a newer one. */
  readonly offer: (request: VenueRequest, response: VenueResponse) => void;
  readonly state: () => ReaderState;
  readonly close: () => Promise<void>;
}

interface CachedReadOptions extends ReadOptions {
  /** Bypasses cached responses and rejections, which are too old for what the caller has to prove. */
  readonly refresh?: boolean;
}

export interface Served {
  readonly response: VenueResponse;
  readonly outcome: CacheOutcome;
  /** When a later response has shown that nothing has changed since; absent if none has. */
  readonly confirmedAt?: number;
  /** Seconds for which it is still fresh; negative when stale. */
  readonly freshSeconds: number;
  /** Why a stale response is served instead of a new one. */
  readonly staleBecause: Problem | null;
}

export interface ReaderState {
  readonly responses: number;
  readonly bytes: number;
  readonly onDisk: { readonly responses: number; readonly bytes: number };
  readonly outcomes: Readonly<Record<CacheOutcome, number>>;
  readonly failed: number;
  readonly causes: Readonly<Record<FailureCause, FailureCount>>;
}

/** Why there was no new response: the exchange failed or rejected the request, or the request budget allowed none. */
export type FailureCause = 'venue' | 'budget';

export interface FailureCount {
  /** Served from the cache although no longer fresh. */
  readonly stale: number;
  readonly failed: number;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
}

/** Handles one HTTP request. If it rejects, the server responds with 500 and reports why. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Calls back after so many milliseconds; returns a function that cancels it. */
export type Schedule = (milliseconds: number, call: () => void) => () => void;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type LogFields = Readonly<Record<string, unknown>>;

/** Fields passed as a function are computed only if the line is written. */
export type Log = (level: LogLevel, event: string, fields?: LogFields | (() => LogFields)) => void;

/** The outside world, to which only entry files have access. */
export interface ServerPorts {
  readonly now: () => number;
  /** Monotonic milliseconds since the machine started: unaffected by clock changes, but may stop while it sleeps. */
  readonly elapsed: () => number;
  readonly schedule: Schedule;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** Returns the metrics of the process itself, in the text format of Prometheus. */
  readonly processMetrics: () => Promise<string>;
  readonly log: Log;
  /** Stops the process, which cannot go on, with exit code 1. The reason is a sentence for those who run it. */
  readonly end: (reason: string) => void;
}

/** The source and time of the data in a composed response. */
export interface Provenance extends Pick<Served, 'outcome' | 'freshSeconds' | 'staleBecause'> {
  readonly respondedAt: number;
}

export function provenanceOf({ outcome, freshSeconds, staleBecause, confirmedAt, response }: Served): Provenance {
  return { outcome, freshSeconds, staleBecause, respondedAt: confirmedAt ?? response.respondedAt };
}

/** Combines sources: as old as the oldest, and stale if one of them is. */
export function provenanceOfAll(all: readonly Provenance[], freshSeconds: number): Provenance {
  const { outcome, staleBecause, ...stale } = all.find((one) => one.staleBecause !== null) ?? {
    outcome: 'hit' as const,
    freshSeconds,
    staleBecause: null,
  };
  return {
    outcome,
    staleBecause,
    freshSeconds: stale.freshSeconds,
    respondedAt: Math.min(...all.map(({ respondedAt }) => respondedAt)),
  };
}
