import type { Day } from '#contract/exchange/day.ts';
import type { Instant } from '#contract/exchange/instant.ts';

/** How the gateway served a response. `computed`: composed by Perpdesk itself; `unknown`: without a `Cache-Status` header. */
export type CacheOutcome = 'hit' | 'disk-hit' | 'coalesced' | 'miss' | 'stale' | 'computed' | 'unknown';

/** The response that a number was read from, and how old it was. Every number on the screen leads back to one. */
export interface Source {
  /** Name in the endpoint table, or `desk/…` for Perpdesk's own endpoints. */
  readonly endpoint: string;
  /** Path and query as requested. */
  readonly target: string;
  /** When the exchange responded; null if the gateway does not say. */
  readonly answeredAt: Instant | null;
  /** When the browser received it, in epoch milliseconds of the browser's clock. */
  readonly receivedAt: number;
  /** How old the response was when the gateway sent it, by the gateway's clock. */
  readonly ageSeconds: number | null;
  readonly cache: CacheOutcome;
  /** The request's id in Perpdesk's log. */
  readonly requestId: string | null;
}

/** A value with its source. */
export type Sourced<T> = Source & { readonly value: T };

/** The day or instant that a figure refers to. */
export type DataTime = Day | Instant;
