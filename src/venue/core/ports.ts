import type { FundingInterval, Micros, Order, PremiumSample, Product, Session, Trade } from './model.ts';

/** The changes of one step of the market. They are on disk before they are published. */
export interface Changes {
  /** Orders accepted, filled or closed, as they are after the change, in the order of the changes. */
  readonly orders?: readonly Order[];
  readonly trades?: readonly Trade[];
  /** Sessions settled, or whose open interest was published: replace what is stored for the product and date. */
  readonly sessions?: readonly Session[];
  readonly funding?: readonly FundingInterval[];
  readonly samples?: readonly PremiumSample[];
  /** Values by name: seed, version, the time reached. */
  readonly facts?: Readonly<Record<string, string>>;
}

/** Everything that the market needs to resume after a restart. */
export interface SavedState {
  readonly facts: Readonly<Record<string, string>>;
  readonly working: readonly Order[];
  /** Trades since the requested instant, oldest first. */
  readonly trades: readonly Trade[];
  /** Samples of the intervals that have not ended. */
  readonly samples: readonly PremiumSample[];
}

export interface OrderFilter {
  readonly productId?: number;
  readonly symbol?: string;
  readonly productType?: 'Future' | 'Spread' | 'Option';
  readonly firm?: string;
  readonly accountId?: string;
  readonly connectionId?: string;
  /** Only these accounts; absent: all. */
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
  /** The rows as JSON, in ASCII, joined by commas; empty without rows. */
  readonly rows: string;
  readonly count: number;
  /** Position of the last row; null without rows. */
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
 * Order changes are durable when `commit` returns and become visible in `ordersPage` once `project` reaches their time:
 * on the real venue, too, the order history lags behind the book.
 */
export interface Store {
  /** Null where the store is empty. Durable changes that are not yet projected are projected first. */
  readonly load: (tradesSince: Micros) => Promise<SavedState | null>;
  /** Atomic. `projected`: the order changes are visible at once, as for generated history. */
  readonly commit: (changes: Changes, options?: { readonly projected?: boolean }) => Promise<void>;
  /** Makes order changes up to this instant visible and returns them, in order. */
  readonly project: (untilNs: bigint) => Promise<readonly Order[]>;
  readonly ordersPage: (query: OrdersQuery) => Promise<OrdersPage>;
  /** Ordered by settlement, then product. Absent `productIds`: all. */
  readonly sessions: (range: {
    readonly productIds?: readonly number[];
    readonly from: Micros;
    readonly until: Micros;
  }) => Promise<readonly Session[]>;
  /** Ordered by end, then product. */
  readonly funding: (query: FundingQuery) => Promise<readonly FundingInterval[]>;
  /** The last settled interval of each product that has one. */
  readonly latestFunding: (productIds: readonly number[]) => Promise<readonly FundingInterval[]>;
  /** Deletes trades and samples older than these instants. */
  readonly prune: (before: { readonly trades: Micros; readonly samples: Micros }) => Promise<void>;
  /** Copies the store while the market trades, to a file that does not exist yet. */
  readonly copyTo: (path: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What the HTTP interface reads from the exchange. All times are of the exchange's clock. */
export interface Exchange {
  readonly now: () => Micros;
  /** All products ever listed or announced, by id. */
  readonly products: () => ReadonlyMap<number, Product>;
  readonly sessions: Store['sessions'];
  readonly funding: Store['funding'];
  readonly latestFunding: Store['latestFunding'];
  /** Null where the product has no current interval: not listed, or not a perpetual. */
  readonly estimate: (
    productId: number,
  ) => { readonly rate: number; readonly start: Micros; readonly end: Micros } | null;
  readonly ordersPage: Store['ordersPage'];
  /** All orders that rest in the book now, as JSON, newest first. */
  readonly workingOrders: (filter: OrderFilter) => readonly string[];
  /** Totals of the last 24 hours; null where nothing traded. */
  readonly trailing: (productId: number) => { readonly volume: number; readonly cents: number } | null;
  /** The session in progress: its last trade and its totals so far. */
  readonly today: (productId: number) => Today;
}

export interface Today {
  readonly lastTrade: { readonly time: Micros; readonly price: number } | null;
  readonly ohlc: Session['ohlc'];
  readonly volume: number | null;
  readonly cents: number | null;
}
