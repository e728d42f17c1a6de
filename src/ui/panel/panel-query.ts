/** One way in which an answer is not what it should be; equal ones of many rows are told once. */
export interface Deviation {
  readonly kind: string;
  readonly place: string;
  readonly expected: string;
  readonly found: string;
  readonly count: number;
}

/** What was asked, and how the answer differs from what it should be. */
export interface Judged {
  readonly endpoint: string;
  readonly deviations: readonly Deviation[];
}

/** How old what is on the screen is, as the answer it was read from tells. */
export interface Stamp extends Partial<Judged> {
  /** When the browser had it, in epoch milliseconds. */
  readonly receivedAt: number;
  /** How old it was already when it was sent, by the gateway's clock; null where that is not told. */
  readonly ageSeconds: number | null;
  /** For how long it was not worth asking again; null where that is not told. */
  readonly freshSeconds: number | null;
  /** Where the gateway had it from. */
  readonly cache: 'venue' | 'shared' | 'memory' | 'settled' | 'stale' | 'desk' | 'unknown';
  /** Why it is older than it should be; null where it is not. */
  readonly staleBecause: string | null;
}

/** Of a query what a panel needs: what it last read, and what went wrong since. */
export interface PanelQuery<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly errorUpdatedAt: number;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}
