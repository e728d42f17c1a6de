import { toNumber } from '#contract/brand.ts';
import type { Order } from '#contract/order.ts';
import { toPrice } from './order-figures.ts';
import type { OrderRow } from './order-row.ts';
import { toStanding } from './order-status.ts';

/** All that a row says, in small letters, to be searched. Worked out once for each order, at the first search. */
export function createSearchText(): (row: OrderRow) => string {
  const known = new WeakMap<Order, string>();
  return (row) => {
    const found = known.get(row.order);
    if (found !== undefined) return found;
    const text = toSearchText(row);
    known.set(row.order, text);
    return text;
  };
}

function toSearchText(row: OrderRow): string {
  const { order, terms } = row;
  const price = terms.conversion === null ? '' : (toPrice(row).value?.toFixed(terms.digits) ?? '');
  const fields = [
    ...[order.side, order.symbol, terms.product?.product_name ?? '', order.product_type, price, String(toNumber(order.price))],
    ...[order.time_in_force, order.account_id, order.clearing_firm_code, order.connection_id, toStanding(order).word],
    ...[order.id, order.open_ack_id, order.time, order.last_modified, String(toNumber(order.product_id))],
  ];
  return fields.join('\n').toLowerCase();
}

/** Words that all have to occur. */
export function toWords(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter((word) => word !== '');
}
