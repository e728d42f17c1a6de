import type { OrderId } from '#contract/exchange/ids.ts';
import type { OrderMark, TrackedOrders } from '#model/orders/tracked-orders.ts';
import type { GridMark, GridMarks } from '#page/kit/grid/grid-props.ts';

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

/** Of thousands of marks, those in sight are translated. */
export function toGridMarks({ marks, unread }: TrackedOrders): GridMarks {
  const unreadIds = new Set<string>(unread.map(({ order }) => order.id));
  const known = new Map<string, GridMark | undefined>();
  const get = (id: string): GridMark | undefined => {
    if (!known.has(id)) known.set(id, unreadIds.has(id) ? 'unread' : toGridMark(marks.get(id as OrderId)));
    return known.get(id);
  };
  return { get, size: marks.size + unread.length };
}

/** The columns that a mark is of. */
export function toGridMark(mark: OrderMark | undefined): GridMark | undefined {
  return mark?.kind === 'changed' ? new Set([...mark.fields].flatMap((field) => COLUMNS[field] ?? [])) : mark?.kind;
}
