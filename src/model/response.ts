import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { CountedDeviation, DeviatingRow, RejectedRow } from '#contract/parse/parse.ts';
import type { ListChange } from '#contract/parse/row-diff.ts';

/**
 * How Perpdesk produced a response. `computed`: composed by Perpdesk itself; `unknown`: without a `Cache-Status`
 * header.
 */
export type CacheOutcome = 'hit' | 'disk-hit' | 'coalesced' | 'miss' | 'stale' | 'computed' | 'unknown';

/** The response that a number was read from, and how old it was. Every number on the screen has one. */
export interface Source {
  /** Name in the endpoint table, or `desk/…` for Perpdesk's own endpoints. */
  readonly endpoint: string;
  /** Path and query as requested. */
  readonly target: string;
  /** When the exchange responded; null if the server does not say. */
  readonly respondedAt: Instant | null;
  /** When the browser received it, in epoch milliseconds of the browser's clock. */
  readonly receivedAt: number;
  /** Age of the response when the server sent it, by the server's clock. */
  readonly ageSeconds: number | null;
  readonly cache: CacheOutcome;
  /** ID of the request in Perpdesk's log. */
  readonly requestId: string | null;
}

/** A value with its source. */
export type Sourced<T> = Source & { readonly value: T };

/** The day or instant that a figure refers to. */
export type DataTime = Day | Instant;

/** How often the server reads a topic, and for how many streams at once. */
export interface Cadence {
  readonly everySeconds: number;
  readonly sharedBy: number;
}

/** A parsed response: its value, its deviations from the interface, and its provenance. */
export interface ApiResponse<T> extends Source {
  /** The valid rows, or the one object. */
  readonly value: T;
  /** Invalid rows as received: shown and counted, never used in a calculation. */
  readonly setAside: readonly RejectedRow[];
  readonly deviations: readonly CountedDeviation[];
  /** All deviating rows, where each row deviates by itself. */
  readonly deviatingRows?: readonly DeviatingRow[] | undefined;
  /** For how many seconds after receipt the server returns the same response; null if it does not say. */
  readonly freshSeconds: number | null;
  /** Type of the problem because of which the response is stale; null if it is not stale. */
  readonly staleBecause: string | null;
  readonly tag: string | null;
  /** Whether it is Perpdesk’s own record, which is current even while the exchange is away. */
  readonly isOwn?: boolean | undefined;
  /** How often it is pushed; undefined for a response to a request. */
  readonly cadence?: Cadence | undefined;
  /** How its rows changed; undefined if the response was read as a whole. */
  readonly change?: ListChange<object> | undefined;
}
