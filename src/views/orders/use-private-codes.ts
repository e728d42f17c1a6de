import { useMemo } from 'react';
import type { OrderRow } from '#domain/orders/order-row.ts';

/** The codes of accounts, firms and connections that the orders name. */
export function usePrivateCodes(rows: readonly OrderRow[]): ReadonlySet<string> {
  return useMemo(() => {
    const codes = new Set<string>();
    for (const { order } of rows) {
      codes.add(order.account_id);
      codes.add(order.clearing_firm_code);
      codes.add(order.connection_id);
    }
    return codes;
  }, [rows]);
}
