import type { Order } from '#contract/order.ts';

type NamedOrder = Pick<Order, 'account_id' | 'clearing_firm_code' | 'connection_id'>;

/** Those known and the codes of accounts, firms and connections that the orders name; the same set where none is new. */
export function withCodesOf(known: ReadonlySet<string>, orders: readonly NamedOrder[]): ReadonlySet<string> {
  const codes = new Set(known);
  for (const { account_id: account, clearing_firm_code: firm, connection_id: connection } of orders) {
    for (const code of [account, firm, connection]) codes.add(code);
  }
  return codes.size === known.size ? known : codes;
}
