import type { FundingInterval, Micros, Order, PremiumSample, Product, Session, Trade } from './model.ts';

/** What a step of the market changed. It is on disk before anybody is told of it. */
export interface Changes {
  /** Orders accepted, filled or closed, as they are after the change, in the order of the changes. */
  readonly orders?: readonly Order[];
  readonly trades?: readonly Trade[];
  /** Sessions settled, or whose open interest was published: replace what is stored for the product and date. */
  readonly sessions?: readonly Session[];
  readonly funding?: readonly FundingInterval[];
  readonly samples?: readonly PremiumSample[];
  /** Small facts by name: seed, version, how far the clock came, reference prices. */
  readonly facts?: Readonly<Record<string, string>>;
}

/** Everything the market needs to go on after a restart. */
export interface SavedState {
  readonly facts: Readonly<Record<string, string>>;
  readonly working: readonly Order[];
  /** Trades since the instant asked for, oldest first. */
  readonly trades: readonly Trade[];
  /** Samples of the intervals that had not ended. */
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

/** A place between two orders: the one at the place is not part of what follows. */
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
  /** The rows as wire text, in ASCII, joined by commas; empty where there are none. */
  readonly rows: string;
  readonly count: number;
  /** Place of the last row; null where there are none. */
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
 * Where the exchange keeps its records. One port, two adapters; the same tests run on both.
 *
 * Order changes are durable when `commit` returns, and become visible in `ordersPage` when `project` has been told that
 * their time has come: that is how the real venue's persistence lags its book.
 */
export interface Store {
  /** Null where the store is empty. Changes that were durable and not yet projected are projected first. */
  readonly load: (tradesSince: Micros) => Promise<SavedState | null>;
  /** All of it or nothing. Bulk history goes through here too, in batches, already projected with `projected`. */
  readonly commit: (changes: Changes, options?: { readonly projected?: boolean }) => Promise<void>;
  /** Makes order changes up to this instant visible; gives those that became so, in order. */
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
  /** Forgets trades and samples older than these instants. */
  readonly prune: (before: { readonly trades: Micros; readonly samples: Micros }) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What the HTTP door asks of the exchange. Every time it tells is the exchange's own. */
export interface Exchange {
  readonly now: () => Micros;
  /** All products ever listed or announced, by id. */
  readonly products: () => ReadonlyMap<number, Product>;
  readonly sessions: Store['sessions'];
  readonly funding: Store['funding'];
  readonly latestFunding: Store['latestFunding'];
  /** Null where the product has no interval in progress (not listed, or not a perpetual). */
  readonly estimate: (productId: number) => { readonly rate: number; readonly start: Micros; readonly end: Micros } | null;
  readonly ordersPage: Store['ordersPage'];
  /** Wire texts of the orders that rest in the book now, newest first; nothing is cut. */
  readonly workingOrders: (filter: OrderFilter) => readonly string[];
  /** Totals of the last 24 hours; null where nothing traded. */
  readonly trailing: (productId: number) => { readonly volume: number; readonly cents: number } | null;
  /** The session in progress: last trade and what traded so far. */
  readonly today: (productId: number) => Today;
}

export interface Today {
  readonly lastTrade: { readonly time: Micros; readonly price: number } | null;
  readonly ohlc: Session['ohlc'];
  readonly volume: number | null;
  readonly cents: number | null;
}
