import type { OrderFilter } from '../../core/ports.ts';
import type { ApiRequest } from '../handler.ts';

type Query = ApiRequest<'ordersWorking'>['query'];

/**
 * The orders that the credential may see; null: none. A filter for somebody else's account matches nothing, like one for
 * an account that does not exist, so that a response does not reveal which accounts exist.
 */
export function toOrderFilter({
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
