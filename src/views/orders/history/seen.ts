/** What the rows read so far say of all that follow: it only grows, so that nothing shifts while pages come and go. */
export interface Seen {
  readonly mostDigits: number;
  /** Codes of accounts, firms and connections. */
  readonly codes: ReadonlySet<string>;
}

export const NOTHING_SEEN: Seen = { mostDigits: 2, codes: new Set() };
