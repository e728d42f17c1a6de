import { WORKING_ORDERS_LIMIT } from '#contract/exchange/order.ts';
import { TOO_MANY_WORKING_ORDERS } from '#contract/exchange/refusals.ts';
import type { JsonBody } from '../response.ts';
import type { ApiRequest, HandlerContext } from '../handler.ts';
import { toOrderFilter } from './order-filter.ts';
import { Refusal } from '../refusal.ts';

/** Newest first. Too many orders are refused: a truncated response would look complete. */
export function handleOrdersWorking(
  request: ApiRequest<'ordersWorking'>,
  { exchange, writeList }: HandlerContext,
): JsonBody {
  const filter = toOrderFilter(request);
  const rows = filter === null ? [] : exchange.workingOrders(filter);
  if (rows.length > WORKING_ORDERS_LIMIT) throw new Refusal(400, TOO_MANY_WORKING_ORDERS);
  return writeList(rows);
}
