/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A response exactly as received, byte for byte, regardless of its status. */
export interface Answer {
  /** Path and query as requested. */
  readonly target: string;
  readonly status: number;
  /** The relevant ones, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Epoch milliseconds of the browser's clock. */
  readonly receivedAt: number;
  readonly bytes: Uint8Array;
}

/** A column of the screen. */
interface EvidenceColumn {
  readonly id: string;
  readonly title: string;
  readonly unit: string | null;
}

export interface EvidenceRow {
  /** The cell texts that the screen shows, by column. */
  readonly shown: Readonly<Record<string, string>>;
  /** Raw and converted values, by heading of the CSV file. */
  readonly values: Readonly<Record<string, Json>>;
}

/** What a screen shows, computed from answers and subject alone, so that it can be computed again. */
export interface EvidenceContent {
  /** The filters, one sentence each. */
  readonly filters: readonly string[];
  readonly columns: readonly EvidenceColumn[];
  /** Each row as the JSON of an `EvidenceRow`: serialising all of them at once would block for too long. */
  readonly rows: readonly string[];
  readonly csv: string;
  /** Null where the screen has none. */
  readonly totals: Json;
  /** Shows that nothing is missing, or lists what is. */
  readonly proof: Json;
  /** The rule and factor of each conversion, and the origin of the factor. */
  readonly conversions: readonly Json[];
}

/** Everything on which the rows depend besides the answers: the screen, its filters and its arrangement. */
export interface EvidenceSubject {
  readonly screen: string;
}
