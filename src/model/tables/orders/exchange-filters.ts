import type { Order } from '#contract/exchange/order.ts';
import { orderFilters } from '#contract/exchange/parameter-sets.ts';
import type { GridState } from '../grid-state.ts';
import { isLocal, QUERY_COLUMNS, toColumnQuery } from './history-query.ts';

type FilterName = (typeof QUERY_COLUMNS)[keyof typeof QUERY_COLUMNS];

/** What the exchange filters working orders by. */
export type WorkingQuery = Readonly<Partial<Record<FilterName, string>>>;

type Filter = Pick<GridState, 'filters' | 'quick'>;

interface DividedFilter {
  readonly query: WorkingQuery;
  /** The filters of columns that the query stands for. */
  readonly asked: GridState['filters'];
  /** What is left to the page: orders that only it leaves out are in the answer. */
  readonly left: Filter;
}

/** Divides the filter of a list into what the exchange can apply, and what only the page can. */
export function divideFilters({ filters, quick }: Filter): DividedFilter {
  const texts = toColumnQuery(filters);
  const names = Object.values(QUERY_COLUMNS).filter((name) => orderFilters[name].grammar.accepts(texts[name]));
  const isAskedFor = (id: string, filter: GridState['filters'][string]): boolean =>
    !isLocal(id, filter) && names.some((name) => (QUERY_COLUMNS as Readonly<Record<string, FilterName>>)[id] === name);
  const pick = (wanted: boolean): GridState['filters'] =>
    Object.fromEntries(Object.entries(filters).filter(([id, filter]) => isAskedFor(id, filter) === wanted));
  return {
    query: Object.fromEntries(names.map((name) => [name, texts[name]])),
    asked: pick(true),
    left: { filters: pick(false), quick: quick.trim() },
  };
}

const FIELDS = {
  symbol: 'symbol',
  product_type: 'product_type',
  clearing_member_code: 'clearing_firm_code',
  account_id: 'account_id',
  connection_id: 'connection_id',
} as const satisfies Record<FilterName, keyof Order>;

/** Whether an order is in the answer to a query. */
export function isAsked(query: WorkingQuery, order: Order): boolean {
  return (Object.entries(query) as readonly (readonly [FilterName, string])[]).every(
    ([name, text]) => order[FIELDS[name]] === text,
  );
}
