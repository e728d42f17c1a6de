import type { OrderFilter, OrdersPage } from '../../core/ports.ts';
import type { ApiRequest, HandlerContext } from '../handler.ts';
import { WORKING_ORDERS_LIMIT } from '#contract/exchange/order.ts';
import { TOO_MANY_WORKING_ORDERS } from '#contract/exchange/rejections.ts';
import { type JsonBody, Rejection } from '../response.ts';
import { readPaging } from '../paging.ts';
import { type Range, toNanosRange, toTradingDay } from '../range.ts';

type Query = ApiRequest<'ordersWorking'>['query'];

/**
 * Returns a filter for the orders that the credential may see; null: none. A filter for an account that is out of scope
 * matches nothing, just like one for an account that does not exist, so that a response does not reveal which accounts
 * exist.
 */
function toOrderFilter({
  query,
  identity,
}: Pick<ApiRequest<'ordersWorking'>, 'query' | 'identity'>): OrderFilter | null {
  if (identity === null) return null;
  const { accounts } = identity;
  if (accounts === null) return toQueryFilter(query);
  const accountId = query.account_id?.[0];
  if (accounts.length === 0 || (accountId !== undefined && !accounts.includes(accountId))) return null;
  return { ...toQueryFilter(query), accounts };
}

function toQueryFilter(query: Query): OrderFilter {
  const productId = query.product_id?.[0];
  const filter = {
    symbol: query.symbol?.[0],
    productId: productId === undefined ? undefined : Number(productId),
    productType: toProductType(query.product_type?.[0]),
    firm: query.clearing_member_code?.[0],
    accountId: query.account_id?.[0],
    connectionId: query.connection_id?.[0]?.toLowerCase(),
  } satisfies { readonly [Name in keyof OrderFilter]: OrderFilter[Name] | undefined };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

function toProductType(text: string | undefined): OrderFilter['productType'] {
  return text === 'Future' || text === 'Spread' || text === 'Option' ? text : undefined;
}

/** Lists the newest order first. Too many orders are rejected, because a truncated response would look complete. */
export function handleOrdersWorking(
  request: ApiRequest<'ordersWorking'>,
  { exchange, writeList }: HandlerContext,
): JsonBody {
  const filter = toOrderFilter(request);
  const rows = filter === null ? [] : exchange.workingOrders(filter);
  if (rows.length > WORKING_ORDERS_LIMIT) throw new Rejection(400, TOO_MANY_WORKING_ORDERS);
  return writeList(rows);
}

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
