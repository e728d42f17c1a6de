import type { Day } from '#contract/day.ts';
import type { Instant } from '#contract/instant.ts';

/** Where the gateway had an answer from. `settled`: kept for good, it never changes again; `unknown`: it did not say. */
export type CacheUse = 'venue' | 'shared' | 'memory' | 'settled' | 'stale' | 'desk' | 'unknown';

/** Which answer a number was read from, and how old that answer was. Every number on the screen leads back to one. */
export interface Source {
  /** Name in the table of endpoints, or `desk/…` for the desk's own answers. */
  readonly endpoint: string;
  /** Path and query as they were asked. */
  readonly target: string;
  /** When the venue had answered; null where the gateway does not say. */
  readonly answeredAt: Instant | null;
  /** When the browser had it, in epoch milliseconds of the browser's clock. */
  readonly receivedAt: number;
  /** How old the answer was when the gateway sent it, by the gateway's clock. */
  readonly ageSeconds: number | null;
  readonly cache: CacheUse;
  /** Name of the request in the desk's log. */
  readonly requestId: string | null;
}

/** What was read, with where it came from. */
export type Sourced<T> = Source & { readonly value: T };

/** The day or moment that a figure is of. */
export type DataTime = Day | Instant;
