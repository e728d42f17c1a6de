/** A name and what is said under it, for a list of facts. */
export interface Fact<Value = string> {
  readonly name: string;
  readonly value: Value;
  /** Raw text of the exchange, in a monospaced font. */
  readonly code?: boolean;
}
