import type { Order } from '#contract/exchange/order.ts';

type NamedOrder = Pick<Order, 'account_id' | 'clearing_firm_code' | 'connection_id'>;

/** The known codes with those of the orders’ accounts, firms and connections; the same set if none is new. */
export function addCodes(known: ReadonlySet<string>, orders: readonly NamedOrder[]): ReadonlySet<string> {
  let added: Set<string> | null = null;
  for (const { account_id: account, clearing_firm_code: firm, connection_id: connection } of orders) {
    // With each reading, of thousands of orders: the usual one adds nothing.
    if (known.has(account) && known.has(firm) && known.has(connection)) continue;
    added ??= new Set(known);
    added.add(account).add(firm).add(connection);
  }
  return added ?? known;
}
