import type { TrackedOrders } from '#domain/orders/tracked-orders.ts';
import type { GridMark } from '#ui/grid/grid-props.ts';

/** A row has a value in one of them. */
const VALUES = ['notional', 'premium', 'difference'];

/** The columns that show a field or are computed from it. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  price: ['price', 'distance', 'distanceTicks', 'band', ...VALUES],
  avg_price: ['avgPrice', 'filledNotional'],
  quantity_requested: ['filled', 'remaining', ...VALUES, 'underlying', 'status'],
  quantity_filled: ['filled', 'remaining', ...VALUES, 'underlying', 'filledNotional', 'status'],
  status: ['status'],
  last_modified: ['lastModified'],
  time: ['time', 'age'],
  side: ['side'],
  symbol: ['product'],
  product_type: ['type'],
  time_in_force: ['tif'],
  account_id: ['account'],
  clearing_firm_code: ['firm'],
  connection_id: ['connection'],
  open_ack_id: ['ack'],
};

export function toGridMarks({ marks, unread }: TrackedOrders): ReadonlyMap<string, GridMark> {
  const known = new Map<string, GridMark>();
  for (const [id, mark] of marks) known.set(id, mark.kind === 'changed' ? new Set([...mark.fields].flatMap((field) => COLUMNS[field] ?? [])) : mark.kind);
  for (const { order } of unread) known.set(order.id, 'unread');
  return known;
}
