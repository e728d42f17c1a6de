import type { OrderId } from '#contract/ids.ts';
import type { OrderMark } from '#domain/orders/merge-snapshot.ts';
import type { GridMark } from '#ui/grid/grid-props.ts';

/** Which columns show a field, or are computed from it. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  price: ['price', 'notional'],
  avg_price: ['avgPrice', 'filledNotional'],
  quantity_requested: ['filled', 'remaining', 'notional', 'status'],
  quantity_filled: ['filled', 'remaining', 'notional', 'filledNotional', 'status'],
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

export function toGridMarks(marks: ReadonlyMap<OrderId, OrderMark>): ReadonlyMap<string, GridMark> {
  return new Map([...marks].map(([id, mark]) => [id, mark.kind === 'changed' ? new Set([...mark.fields].flatMap((field) => COLUMNS[field] ?? [])) : mark.kind]));
}
