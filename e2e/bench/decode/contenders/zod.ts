import { array, enum as words, nullable, number, object, string } from 'zod';
import { ORDER_STATUSES, PRODUCT_TYPES, SIDES, TIMES_IN_FORCE } from '../../../../src/contract/exchange/order.ts';
import type { Read } from '../read.ts';

const orders = array(
  object({
    symbol: string(),
    time: string(),
    last_modified: string(),
    product_id: number(),
    product_type: words(PRODUCT_TYPES),
    id: string(),
    connection_id: string(),
    clearing_firm_code: string(),
    account_id: string(),
    open_ack_id: string(),
    side: words(SIDES),
    price: number(),
    avg_price: nullable(number()),
    quantity_requested: number(),
    quantity_filled: number(),
    status: words(ORDER_STATUSES),
    time_in_force: words(TIMES_IN_FORCE),
  }),
);

export const read: Read = (text) => orders.safeParse(JSON.parse(text)).data ?? null;
