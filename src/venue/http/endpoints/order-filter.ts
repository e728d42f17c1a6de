import type { OrderFilter } from '../../ports.ts';
import type { ApiRequest } from '../handler.ts';

type Query = ApiRequest<'ordersWorking'>['query'];

/**
 * What of the orders may be shown; null where that is nothing. A filter on an account of somebody else finds nothing,
 * as one on an account that does not exist: an answer does not tell which of the two it is.
 */
export function toOrderFilter({
  query,
  identity,
}: Pick<ApiRequest<'ordersWorking'>, 'query' | 'identity'>): OrderFilter | null {
  if (identity === null) return null;
  const { accounts } = identity;
  if (accounts === null) return toAskedFilter(query);
  const accountId = query.account_id?.[0];
  if (accounts.length === 0 || (accountId !== undefined && !accounts.includes(accountId))) return null;
  return { ...toAskedFilter(query), accounts };
}

function toAskedFilter(query: Query): OrderFilter {
  const productId = query.product_id?.[0];
  const asked = {
    symbol: query.symbol?.[0],
    productId: productId === undefined ? undefined : Number(productId),
    productType: toProductType(query.product_type?.[0]),
    firm: query.clearing_member_code?.[0],
    accountId: query.account_id?.[0],
    connectionId: query.connection_id?.[0]?.toLowerCase(),
  } satisfies { readonly [Name in keyof OrderFilter]: OrderFilter[Name] | undefined };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
}

function toProductType(text: string | undefined): OrderFilter['productType'] {
  return text === 'Future' || text === 'Spread' || text === 'Option' ? text : undefined;
}
