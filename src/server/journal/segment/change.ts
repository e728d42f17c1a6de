import { fieldOf } from '#contract/parse/row-texts.ts';

/** An order as the exchange wrote it: the text of a JSON object. */
export type RowText = string;

/**
 * A difference of one order between two successive readings of the working set. It happened at an unknown moment
 * between the two.
 */
export interface Change {
  /**
   * `seen`: first listed. `ended`: the order history shows how an order that is gone was closed. `returned`: listed
   * again, so it was not gone, and the readings that lacked it were incomplete. Earlier records stay as they are;
   * counts are corrected where the order was counted as gone. `passed`: no reading listed it, but the order history
   * shows it as closed.
   */
  readonly kind: 'seen' | 'changed' | 'gone' | 'ended' | 'returned' | 'passed';
  /** The order’s ID, digits only. */
  readonly id: string;
  /**
   * The last earlier reading that covered the order, in epoch milliseconds; null if there was none. For `ended` and
   * `returned`, that of the change to `gone`; for `passed`, the last reading before it was accepted.
   */
  readonly from: number | null;
  /** The reading that showed it, or with which it was recorded, in epoch milliseconds. */
  readonly to: number;
  /** The order after the change; for `gone`, its last row. */
  readonly row: RowText;
}

const ID_FIELD = 'id';

/** Returns the ID of an order as its row has it: JSON text. */
export function idTextOf(row: RowText): string {
  return fieldOf(row, ID_FIELD) ?? '';
}

/** Returns the digits, also if the row has a number, which JavaScript could not hold exactly. */
export function toId(idText: string): string {
  return idText.startsWith('"') ? (JSON.parse(idText) as string) : idText;
}

/** Orders by id. */
export type Orders = Map<string, RowText>;

/** Applies changes, which must be in the order in which they were read. */
export function fold(orders: Orders, changes: Iterable<Change>): Orders {
  for (const { kind, id, row } of changes) {
    if (kind === 'gone') orders.delete(id);
    else if (kind !== 'ended' && kind !== 'passed') orders.set(id, row);
  }
  return orders;
}
