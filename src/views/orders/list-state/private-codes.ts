import { useMemo, useState } from 'react';
import type { Order } from '#contract/order.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';

type NamedOrder = Pick<Order, 'account_id' | 'clearing_firm_code' | 'connection_id'>;

/** The known codes with those of the orders’ accounts, firms and connections; the same set if none is new. */
export function addCodes(known: ReadonlySet<string>, orders: readonly NamedOrder[]): ReadonlySet<string> {
  const codes = new Set(known);
  for (const { account_id: account, clearing_firm_code: firm, connection_id: connection } of orders) {
    for (const code of [account, firm, connection]) codes.add(code);
  }
  return codes.size === known.size ? known : codes;
}

const NONE: ReadonlySet<string> = new Set();

/** All codes seen since the screen opened: a code stays private after its last order is gone. */
export function usePrivateCodes(rows: readonly OrderRow[]): ReadonlySet<string> {
  const [known, setKnown] = useState(NONE);
  const codes = useMemo(() => addCodes(known, rows.map(({ order }) => order)), [known, rows]);
  if (codes !== known) setKnown(codes);
  return codes;
}
