/** What rows must satisfy, beyond their schema, to match a request. */

/** How a row proves that it satisfies a parameter of the request. */
export type ParameterRule =
  /** The rows have one of these fields, and its value is one of those requested. */
  | { readonly kind: 'equal'; readonly fields: readonly string[]; readonly ignoresCase?: true }
  /** Rows do not contain the requested value, but all of them have the same value in this field. */
  | { readonly kind: 'alike'; readonly field: string }
  /** The row's time is within the range or day, or the rows are sorted by it. */
  | { readonly kind: 'begin' | 'end' | 'day' | 'order' };

/** What the rows of an endpoint prove by themselves, for any request. */
export interface RowRules {
  /** The field with a row's time, an instant or a day, for ranges and sort orders; null if rows have none. */
  readonly timeField: string | null;
  /**
   * How far outside the range the time may be: sessions and intervals are long, and the interface does not say which of
   * their instants decides.
   */
  readonly rangeSlackSeconds: number;
  /** Fields whose time cannot be in the future by the exchange's clock. */
  readonly pastFields: readonly string[];
  /** How far in the future they may still be: a session has its date and its settlement time before it ends. */
  readonly pastSlackSeconds: number;
  /** Together, these fields identify a row. */
  readonly keyFields: readonly string[];
  /** Values that no row may have. */
  readonly impossible: Readonly<Record<string, string>>;
  readonly maxRows: number;
}

/** Tolerance for the measured time of the exchange's clock. */
export const CLOCK_TOLERANCE_MS = 60_000;

const hour = 3_600;

/** Rows without a time. */
export const untimedRows: RowRules = {
  timeField: null,
  rangeSlackSeconds: 0,
  pastFields: [],
  pastSlackSeconds: 0,
  keyFields: [],
  impossible: {},
  maxRows: Infinity,
};

/** One row per session. */
export const sessionRows: RowRules = { ...untimedRows, rangeSlackSeconds: 24 * hour, pastSlackSeconds: 24 * hour };
