import type { OrderRow } from './order-row.ts';
import { toOrderTotals, type OrderTotals } from './order-totals.ts';

/** What a list of orders can be put together by. */
export const GROUPINGS = ['none', 'account', 'product', 'firm', 'connection', 'side'] as const;
export type Grouping = (typeof GROUPINGS)[number];

const KEYS: Readonly<Record<Exclude<Grouping, 'none'>, (row: OrderRow) => string>> = {
  account: ({ order }) => order.account_id,
  product: ({ order }) => order.symbol,
  firm: ({ order }) => order.clearing_firm_code,
  connection: ({ order }) => order.connection_id,
  side: ({ order }) => order.side,
};

export interface OrderGroup {
  readonly key: string;
  readonly rows: readonly OrderRow[];
  readonly totals: OrderTotals;
}

/** Groups by their name; the rows of each in the order they came. */
export function groupOrders(rows: readonly OrderRow[], grouping: Exclude<Grouping, 'none'>): readonly OrderGroup[] {
  const groups = Map.groupBy(rows, KEYS[grouping]);
  return [...groups]
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([key, members]) => ({ key, rows: members, totals: toOrderTotals(members) }));
}
