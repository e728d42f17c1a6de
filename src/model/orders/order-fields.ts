import type { Order } from '#contract/exchange/order.ts';
import { keepsDigits, wireText } from '#contract/exchange/row-notes.ts';

export type OrderField = keyof Order;

/** Lists the fields whose wire values differ. */
export function findChangedFields(before: Order, after: Order): readonly OrderField[] {
  if (before === after) return NONE;
  let changed: OrderField[] | null = null;
  for (const field in after) {
    if (isSame(before, after, field as OrderField)) continue;
    changed ??= [];
    changed.push(field as OrderField);
  }
  return changed ?? NONE;
}

const NONE: readonly OrderField[] = [];

/** Numbers that are equal as floats may still differ on the wire. */
function isSame(before: Order, after: Order, field: OrderField): boolean {
  const value: unknown = after[field];
  if (before[field] !== value) return false;
  return (
    typeof value !== 'number' ||
    !(keepsDigits(before) || keepsDigits(after)) ||
    wireText(before, field) === wireText(after, field)
  );
}

type NamedOrder = Pick<Order, 'account_id' | 'clearing_firm_code' | 'connection_id'>;

/**
 * Adds the codes of the orders' accounts, firms and connections to the known codes. Returns the same set if none is
 * new.
 */
export function addCodes(known: ReadonlySet<string>, orders: readonly NamedOrder[]): ReadonlySet<string> {
  let added: Set<string> | null = null;
  for (const { account_id: account, clearing_firm_code: firm, connection_id: connection } of orders) {
    // Runs for thousands of orders on every reading, which usually adds nothing.
    if (known.has(account) && known.has(firm) && known.has(connection)) continue;
    added ??= new Set(known);
    added.add(account).add(firm).add(connection);
  }
  return added ?? known;
}
