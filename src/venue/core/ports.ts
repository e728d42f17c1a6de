import type { FundingInterval, Micros, Order, PremiumSample, Product, Session, Trade } from './model.ts';

/** The changes of one step of the market. They are written to disk before they are published. */
export interface Changes {
  /** Orders that were accepted, filled or closed, in their state after the change and in the order of the changes. */
  readonly orders?: readonly Order[];
  readonly trades?: readonly Trade[];
  /**
   * Sessions that settled or whose open interest was published. Each replaces what is stored for its product and date.
   */
  readonly sessions?: readonly Session[];
  readonly funding?: readonly FundingInterval[];
  readonly samples?: readonly PremiumSample[];
  /** Values by name, such as the seed, the version and the time reached. */
  readonly facts?: Readonly<Record<string, string>>;
}

/** Everything that the market needs to resume after a restart. */
export interface SavedState {
  readonly facts: Readonly<Record<string, string>>;
  readonly working: readonly Order[];
  /** Trades since the requested instant, oldest first. */
  readonly trades: readonly Trade[];
  /** Samples of the intervals in progress. */
  readonly samples: readonly PremiumSample[];
}

export interface OrderFilter {
  readonly productId?: number;
  readonly symbol?: string;
  readonly productType?: 'Future' | 'Spread' | 'Option';
  readonly firm?: string;
  readonly accountId?: string;
  readonly connectionId?: string;
  /** The accounts to which the orders are limited; absent: all accounts. */
  readonly accounts?: readonly string[];
}

/** A position in the list of orders. A page starts after it. */
export interface OrderPosition {
  readonly timeNs: bigint;
  readonly id: bigint;
}

export interface OrdersQuery {
  readonly filter: OrderFilter;
  readonly fromNs?: bigint;
  readonly untilNs?: bigint;
  readonly direction: 'asc' | 'desc';
  readonly after?: OrderPosition;
  readonly limit: number;
}

export interface OrdersPage {
  /** The rows as JSON, in ASCII, joined by commas; empty if there are no rows. */
  readonly rows: string;
  readonly count: number;
  /** The position of the last row; null if there are no rows. */
  readonly last: OrderPosition | null;
}

export interface FundingQuery {
  readonly productIds: readonly number[];
  readonly from: Micros;
  readonly until: Micros;
  readonly direction: 'asc' | 'desc';
  readonly after?: { readonly end: Micros; readonly productId: number };
  readonly limit: number;
}

/**
 * The exchange's storage.
 *
 * Order changes are durable when `commit` returns, and become visible in `ordersPage` once `project` reaches their
 * time. On the real exchange, too, the order history lags behind the book.
 */
export interface Store {
  /** Returns null if the store is empty. Durable changes that are not projected yet are projected first. */
  readonly load: (tradesSince: Micros) => Promise<SavedState | null>;
  /** Commits the changes atomically. `projected` makes the order changes visible at once, as for generated history. */
  readonly commit: (changes: Changes, options?: { readonly projected?: boolean }) => Promise<void>;
  /** Makes order changes up to this instant visible and returns them, in order. */
  readonly project: (untilNs: bigint) => Promise<readonly Order[]>;
  readonly ordersPage: (query: OrdersQuery) => Promise<OrdersPage>;
  /** Returns sessions ordered by settlement, then product. Absent `productIds`: all products. */
  readonly sessions: (range: {
    readonly productIds?: readonly number[];
    readonly from: Micros;
    readonly until: Micros;
  }) => Promise<readonly Session[]>;
  /** Returns intervals ordered by end, then product. */
  readonly funding: (query: FundingQuery) => Promise<readonly FundingInterval[]>;
  /** Returns the last settled interval of each product that has one. */
  readonly latestFunding: (productIds: readonly number[]) => Promise<readonly FundingInterval[]>;
  /** Deletes trades and samples older than these instants. */
  readonly prune: (before: { readonly trades: Micros; readonly samples: Micros }) => Promise<void>;
  /** Copies the store, even while the market trades, to a file that does not exist yet. */
  readonly copyTo: (path: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The part of the exchange that the HTTP interface reads. All times are by the exchange's clock. */
export interface Exchange {
  readonly now: () => Micros;
  /** Returns all products that were ever listed or announced, by id. */
  readonly products: () => ReadonlyMap<number, Product>;
  readonly sessions: Store['sessions'];
  readonly funding: Store['funding'];
  readonly latestFunding: Store['latestFunding'];
  /**
   * Returns the predicted rate and its interval. Null if the product has no current interval, because it is not listed
   * or not a perpetual.
   */
  readonly estimate: (
    productId: number,
  ) => { readonly rate: number; readonly start: Micros; readonly end: Micros } | null;
  readonly ordersPage: Store['ordersPage'];
  /** Returns all orders that now rest in the book, as JSON, newest first. */
  readonly workingOrders: (filter: OrderFilter) => readonly string[];
  /** Returns the totals of the last 24 hours; null if nothing traded. */
  readonly trailing: (productId: number) => { readonly volume: number; readonly cents: number } | null;
  /** Returns the last trade and the totals so far of the session in progress. */
  readonly today: (productId: number) => Today;
}

export interface Today {
  readonly lastTrade: { readonly time: Micros; readonly price: number } | null;
  readonly ohlc: Session['ohlc'];
  readonly volume: number | null;
  readonly cents: number | null;
}
