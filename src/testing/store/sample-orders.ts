import type { Account, Order, ProductKind } from '#venue/core/model.ts';
import type { OrderFilter, OrderPosition, OrdersPage, OrdersQuery, Store } from '#venue/core/ports.ts';
import type { StoreCallbacks } from '#venue/store/open-store.ts';

export const products: readonly { readonly id: number; readonly symbol: string; readonly kind: ProductKind }[] = [
  { id: 1, symbol: 'ALFA', kind: 'perpetual' },
  { id: 2, symbol: 'BRAVO-Z6', kind: 'future' },
  { id: 3, symbol: 'BRAVO-Z6H7', kind: 'spread' },
  { id: 4, symbol: 'BRAVO-Z6-C100', kind: 'option' },
];

export const accounts: readonly Account[] = [
  { id: 'A-1', firm: 'NORTH', connectionId: 'a1' },
  { id: 'A-2', firm: 'NORTH', connectionId: 'b2' },
  { id: 'A-3', firm: 'SOUTH', connectionId: 'b2' },
];

const TYPES = { perpetual: 'Future', future: 'Future', spread: 'Spread', option: 'Option' } as const;

/** Ids have the size of real ones, so that neighbouring ids would be equal as numbers. */
export const FIRST_ID = 7_670_000_000_000_000_000n;
export const FIRST_NS = 1_795_000_000_000_000_001n;

export const callbacks: StoreCallbacks = {
  toText: (order) => JSON.stringify(stateOf(order)),
  productOf: (id) => productOf(id),
};

/** The fields that tests compare. */
export interface OrderState {
  readonly id: string;
  readonly status: string;
  readonly filled: number;
}

export function stateOf({ id, status, filled }: Order): OrderState {
  return { id: String(id), status, filled };
}

/** Creates the n-th order, `after` nanoseconds after the first. */
export function makeOrder(n: number, change: Partial<Order> & { readonly after?: number } = {}): Order {
  const { after = n, ...fields } = change;
  const timeNs = FIRST_NS + BigInt(after);
  const account = accounts[n % accounts.length] ?? { id: 'none', firm: 'none', connectionId: '0' };
  return {
    id: FIRST_ID + BigInt(n),
    openAckId: FIRST_ID + BigInt(n) - 1n,
    timeNs,
    productId: 1 + (n % products.length),
    account,
    side: n % 2 === 0 ? 'Bid' : 'Ask',
    price: 1_000 + n,
    requested: 10,
    timeInForce: n % 2 === 0 ? 'GTC' : 'Day',
    filled: 0,
    filledTicks: 0,
    status: 'Working',
    lastModifiedNs: timeNs,
    ...fields,
  };
}

export async function readPage(
  store: Store,
  query: Partial<OrdersQuery> = {},
): Promise<Omit<OrdersPage, 'rows'> & { readonly rows: readonly OrderState[] }> {
  const page = await store.ordersPage({ filter: {}, direction: 'desc', limit: 1_000, ...query });
  return { ...page, rows: JSON.parse(`[${page.rows}]`) as readonly OrderState[] };
}

/** Reads all pages of a query and calls `meanwhile` between two of them. */
export async function readAllPages(
  store: Store,
  query: Partial<OrdersQuery>,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<readonly string[]> {
  const ids: string[] = [];
  let after: OrderPosition | undefined;
  for (;;) {
    const page = await readPage(store, { ...query, ...(after && { after }) });
    ids.push(...page.rows.map(({ id }) => id));
    if (page.last === null) return ids;
    after = page.last;
    await meanwhile();
  }
}

/** Runs the same query on a list, as simply as possible. */
export function expectedIds(
  orders: readonly Order[],
  { filter = {}, fromNs, untilNs, direction = 'desc' }: Partial<OrdersQuery>,
): readonly string[] {
  const sign = direction === 'asc' ? 1 : -1;
  return orders
    .filter((order) => passes(order, filter))
    .filter(({ timeNs }) => (fromNs === undefined || timeNs >= fromNs) && (untilNs === undefined || timeNs < untilNs))
    .toSorted((a, b) => sign * (Number(a.timeNs - b.timeNs) || Number(a.id - b.id)))
    .map(({ id }) => String(id));
}

function passes({ productId, account }: Order, filter: OrderFilter): boolean {
  const { symbol, kind } = productOf(productId);
  const facts = {
    productId,
    symbol,
    productType: TYPES[kind],
    firm: account.firm,
    accountId: account.id,
    connectionId: account.connectionId,
  };
  const { accounts: only, ...wanted } = filter;
  const expected = Object.entries({ ...facts, ...wanted });
  return (
    expected.every(([name, value]) => facts[name as keyof typeof facts] === value) &&
    only?.includes(account.id) !== false
  );
}

function productOf(id: number): (typeof products)[number] {
  const product = products.find((each) => each.id === id);
  if (!product) throw new Error(`There is no product ${String(id)}.`);
  return product;
}
