import type { OrderFilter } from '../ports.ts';
import type { Ask } from './ask.ts';

type Query = Ask<'ordersWorking'>['query'];

/**
 * What of the orders may be shown; null where that is nothing. A filter on an account of somebody else finds nothing,
 * as one on an account that does not exist: an answer does not tell which of the two it is.
 */
export function toOrderFilter({
  query,
  identity,
}: Pick<Ask<'ordersWorking'>, 'query' | 'identity'>): OrderFilter | null {
  if (identity === null) return null;
  const { accounts } = identity;
  if (accounts === null) return toAskedFilter(query);
  const accountId = query.account_id?.[0];
  if (accounts.length === 0 || (accountId !== undefined && !accounts.includes(accountId))) return null;
  return { ...toAskedFilter(query), accounts };
}

function toAskedFilter(query: Query): OrderFilter {
  return {
    ...present('symbol', query.symbol?.[0]),
    ...present('productId', map(query.product_id?.[0], Number)),
    ...present('productType', toProductType(query.product_type?.[0])),
    ...present('firm', query.clearing_member_code?.[0]),
    ...present('accountId', query.account_id?.[0]),
    ...present(
      'connectionId',
      map(query.connection_id?.[0], (id) => id.toLowerCase()),
    ),
  };
}

function present<Name extends keyof OrderFilter>(
  name: Name,
  value: OrderFilter[Name] | undefined,
): Pick<OrderFilter, Name> | object {
  return value === undefined ? {} : { [name]: value };
}

function map<To>(text: string | undefined, to: (text: string) => To): To | undefined {
  return text === undefined ? undefined : to(text);
}

function toProductType(text: string | undefined): OrderFilter['productType'] {
  return text === 'Future' || text === 'Spread' || text === 'Option' ? text : undefined;
}
