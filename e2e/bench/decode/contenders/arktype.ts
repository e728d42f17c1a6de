import { type } from 'arktype';
import { ORDER_STATUSES, PRODUCT_TYPES, SIDES, TIMES_IN_FORCE } from '../../../../src/contract/exchange/order.ts';
import type { Read } from '../read.ts';

const orders = type({
  symbol: 'string',
  time: 'string',
  last_modified: 'string',
  product_id: 'number',
  product_type: type.enumerated(...PRODUCT_TYPES),
  id: 'string',
  connection_id: 'string',
  clearing_firm_code: 'string',
  account_id: 'string',
  open_ack_id: 'string',
  side: type.enumerated(...SIDES),
  price: 'number',
  avg_price: 'number | null',
  quantity_requested: 'number',
  quantity_filled: 'number',
  status: type.enumerated(...ORDER_STATUSES),
  time_in_force: type.enumerated(...TIMES_IN_FORCE),
}).array();

export const read: Read = (text) => {
  const rows: unknown = JSON.parse(text);
  return orders.allows(rows) ? rows : null;
};
