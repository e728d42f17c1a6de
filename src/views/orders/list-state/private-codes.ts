import { useMemo, useState } from 'react';
import type { Order } from '#contract/order.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';

type NamedOrder = Pick<Order, 'account_id' | 'clearing_firm_code' | 'connection_id'>;

/** The known codes with those of the orders’ accounts, firms and connections; the same set if none is new. */
export function addCodes(known: ReadonlySet<string>, orders: readonly NamedOrder[]): ReadonlySet<string> {
  return addAll(known, orders, (order) => order);
}

function addAll<Item>(known: ReadonlySet<string>, items: readonly Item[], orderOf: (item: Item) => NamedOrder): ReadonlySet<string> {
  let added: Set<string> | null = null;
  for (const item of items) {
    const { account_id: account, clearing_firm_code: firm, connection_id: connection } = orderOf(item);
    // With each reading, of thousands of orders: the usual one adds nothing.
    if (known.has(account) && known.has(firm) && known.has(connection)) continue;
    added ??= new Set(known);
    added.add(account).add(firm).add(connection);
  }
  return added ?? known;
}

const NONE: ReadonlySet<string> = new Set();

/** All codes seen since the screen opened: a code stays private after its last order is gone. */
export function usePrivateCodes(rows: readonly OrderRow[]): ReadonlySet<string> {
  const [known, setKnown] = useState(NONE);
  const codes = useMemo(() => addAll(known, rows, ({ order }) => order), [known, rows]);
  if (codes !== known) setKnown(codes);
  return codes;
}
