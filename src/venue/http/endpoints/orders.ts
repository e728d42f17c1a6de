import type { OrdersPage } from '../../core/ports.ts';
import type { JsonBody } from '../response.ts';
import type { ApiRequest, HandlerContext } from '../handler.ts';
import { toOrderFilter } from './order-filter.ts';
import { readPaging } from '../paging.ts';
import { toNanosRange, toTradingDay, type Range } from '../range.ts';

const NO_ORDERS: OrdersPage = { rows: '', count: 0, last: null };

export async function handleOrders(
  request: ApiRequest<'orders'>,
  { exchange, cursors }: HandlerContext,
): Promise<JsonBody> {
  const { limit, direction, after, toPagination } = readPaging('orders', request, cursors);
  const filter = toOrderFilter(request);
  const { from, until } = toOrderRange(request.query);
  const page =
    filter === null
      ? NO_ORDERS
      : await exchange.ordersPage({
          filter,
          direction,
          limit,
          ...(from !== null && { fromNs: from }),
          ...(until !== null && { untilNs: until }),
          ...(after && { after: { timeNs: after[0], id: after[1] } }),
        });
  const last = page.last && ([page.last.timeNs, page.last.id] as const);
  const text = `{"data":[${page.rows}],"pagination":${toPagination({ count: page.count, last })}}`;
  return { text, isAscii: true };
}

function toOrderRange(query: ApiRequest<'orders'>['query']): Range<bigint | null> {
  const day = query.day?.[0];
  if (day === undefined) return toNanosRange(query);
  const { from, until } = toTradingDay(day);
  return { from: BigInt(from) * 1_000n, until: BigInt(until) * 1_000n };
}
