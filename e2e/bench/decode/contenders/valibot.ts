import { array, nullable, number, object, picklist, safeParse, string } from 'valibot';
import { ORDER_STATUSES, PRODUCT_TYPES, SIDES, TIMES_IN_FORCE } from '../../../../src/contract/exchange/order.ts';
import type { Read } from '../read.ts';

const orders = array(
  object({
    symbol: string(),
    time: string(),
    last_modified: string(),
    product_id: number(),
    product_type: picklist(PRODUCT_TYPES),
    id: string(),
    connection_id: string(),
    clearing_firm_code: string(),
    account_id: string(),
    open_ack_id: string(),
    side: picklist(SIDES),
    price: number(),
    avg_price: nullable(number()),
    quantity_requested: number(),
    quantity_filled: number(),
    status: picklist(ORDER_STATUSES),
    time_in_force: picklist(TIMES_IN_FORCE),
  }),
);

export const read: Read = (text) => {
  const result = safeParse(orders, JSON.parse(text));
  return result.success ? result.output : null;
};
