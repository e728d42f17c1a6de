/** What a row must be, beyond its schema, to be the answer to a request. */

/** How a row proves that it obeys a parameter of the request. */
export type ParameterRule =
  /** Of these fields, the one that the rows have is one of the requested values. */
  | { readonly kind: 'equal'; readonly fields: readonly string[]; readonly ignoresCase?: true }
  /** Rows do not have the requested value, but all of them have the same value in this field. */
  | { readonly kind: 'alike'; readonly field: string }
  /** The row's time is within the range or the day, or the rows are sorted by it. */
  | { readonly kind: 'begin' | 'end' | 'day' | 'order' };

/** What the rows of an endpoint prove by themselves, whatever was requested. */
export interface RowRules {
  /** The field with a row's time, an instant or a day, which ranges and sort orders are about; null: rows have none. */
  readonly timeField: string | null;
  /**
   * How far outside the range that time may be. A session or an interval is long, and the interface does not say which of
   * its instants decides.
   */
  readonly rangeSlackSeconds: number;
  /** Fields with a time that the exchange's clock must have reached. */
  readonly pastFields: readonly string[];
  /** How far ahead of the clock they may be: a session has its date and its time of settlement before it ends. */
  readonly pastSlackSeconds: number;
  /** No two rows have equal values in all of these fields. */
  readonly keyFields: readonly string[];
  /** Values that no row may have. */
  readonly impossible: Readonly<Record<string, string>>;
  readonly maxRows: number;
}

/** How far the measured time of the exchange's clock may be off. */
export const CLOCK_TOLERANCE_MS = 60_000;

const hour = 3_600;

/** Rows that say nothing about time. */
export const untimedRows: RowRules = {
  timeField: null,
  rangeSlackSeconds: 0,
  pastFields: [],
  pastSlackSeconds: 0,
  keyFields: [],
  impossible: {},
  maxRows: Infinity,
};

/** One row a session. */
export const sessionRows: RowRules = { ...untimedRows, rangeSlackSeconds: 24 * hour, pastSlackSeconds: 24 * hour };
