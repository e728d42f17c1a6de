import { fieldOf } from '#contract/parse/row-texts.ts';

/** The text of an order as the exchange wrote it, an object of JSON. */
export type RowText = string;

/**
 * What a reading of the working set showed of one order that the reading before it had not shown. It happened at some
 * moment between the two: more cannot be known.
 */
export interface Change {
  /**
   * `seen`: the first time. `ended`: the order history says how an order that is gone was closed. `returned`: it is listed
   * again, so it had not gone, and readings without it had been incomplete. What was recorded stays as it is; counts take
   * it back where it was counted.
   */
  readonly kind: 'seen' | 'changed' | 'gone' | 'ended' | 'returned';
  /** The id of the order, digits. */
  readonly id: string;
  /** The last reading before it that covered the order, in epoch milliseconds; null: there was none. Of one that ended or returned, it is that of when it was gone. */
  readonly from: number | null;
  /** The reading that showed it. */
  readonly to: number;
  /** The order from then on; of an order that is gone, as it was last. */
  readonly row: RowText;
}

const ID_FIELD = 'id';

/** The id of an order as its row has it: a text of JSON. */
export function idTextOf(row: RowText): string {
  return fieldOf(row, ID_FIELD) ?? '';
}

/** Digits, also where the row has them as a number, which JavaScript could not hold. */
export function toId(idText: string): string {
  return idText.startsWith('"') ? (JSON.parse(idText) as string) : idText;
}
