/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A response as it was received, to the byte, whatever its status. */
export interface Answer {
  /** Path and query as requested. */
  readonly target: string;
  readonly status: number;
  /** Those that matter, by lower-case name. */
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
  /** As the screen shows it, by column. */
  readonly shown: Readonly<Record<string, string>>;
  /** The raw and the converted values, by the heading of the CSV file. */
  readonly values: Readonly<Record<string, Json>>;
}

/** What a screen shows, computed from answers and the subject alone, so that the same answers always give the same. */
export interface EvidenceContent {
  /** The filters, a sentence each. */
  readonly filters: readonly string[];
  readonly columns: readonly EvidenceColumn[];
  /** Each as JSON of an `EvidenceRow`: to write all of them at once would take too long. */
  readonly rows: readonly string[];
  readonly csv: string;
  /** Null where the screen has none. */
  readonly totals: Json;
  /** What shows that nothing is missing, or what is. */
  readonly proof: Json;
  /** By which rule and factor values were converted, and where the factor is from. */
  readonly conversions: readonly Json[];
}

/** What the rows depend on besides the answers: the screen and how it was arranged. */
export interface EvidenceSubject {
  readonly screen: string;
}
