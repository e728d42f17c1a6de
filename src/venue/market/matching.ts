import type { Order, Product, Trade } from '../core/model.ts';
import { createBook, type Book, type Entry, type Fill } from './book.ts';
import { toNotionalCents } from './money.ts';
import { requireProduct } from './require-product.ts';
import { createQuoteBoard, type Quote } from './quote-board.ts';

export type { Quote };

export interface MatchResult {
  /** Orders as they are after the step. */
  readonly orders: readonly Order[];
  /** In the order in which they happened. */
  readonly trades: readonly Trade[];
}

/** The books of all products, and the orders that rest in them. */
export interface Matching {
  /** A new, unfilled order: it trades, then rests or is closed. It is the first order of the result. */
  readonly submit: (order: Order) => MatchResult;
  /** Replaces a maker's quotes in a product. A quote at the same price and not larger keeps its place in the queue. */
  readonly quote: (maker: string, productId: number, quotes: readonly Quote[], timeNs: bigint) => MatchResult;
  /** Does nothing where the order does not rest. */
  readonly cancel: (id: bigint, timeNs: bigint) => MatchResult;
  /** At the end of the session: closes Day orders and removes quotes. */
  readonly endSession: (productId: number, timeNs: bigint) => MatchResult;
  /** Closes all orders and removes quotes. */
  readonly delist: (productId: number, timeNs: bigint) => MatchResult;
  /** Restores saved working orders, by time, then id. */
  readonly restore: (orders: readonly Order[]) => void;
  /** The working orders. */
  readonly orders: () => Iterable<Order>;
  readonly book: (productId: number) => BookView;
}

/** A book, read only. */
type BookView = Pick<Book, 'best' | 'levels' | 'entries' | 'meanPrice' | 'size'>;

const NOTHING: MatchResult = { orders: [], trades: [] };

/** `products` may grow later. */
export function createMatching(products: ReadonlyMap<number, Product>): Matching {
  const books = new Map<number, Book>();
  const resting = new Map<bigint, Order>();

  const bookOf = (productId: number): Book => {
    const book = books.get(productId) ?? createBook();
    books.set(requireProduct(products, productId).id, book);
    return book;
  };

  const keep = (order: Order): Order => {
    if (order.status === 'Working') resting.set(order.id, order);
    else resting.delete(order.id);
    return order;
  };

  /** The resting orders that were filled (quotes are not orders), and the trades. */
  const settle = (productId: number, fills: readonly Fill[], timeNs: bigint): MatchResult => ({
    orders: fills.flatMap((fill) => {
      const order = resting.get(fill.restingId);
      return order ? keep(fillOrder(order, [fill], timeNs)) : [];
    }),
    trades: fills.map((fill) => toTrade(requireProduct(products, productId), fill, timeNs)),
  });

  const close = (order: Order, timeNs: bigint): Order => keep({ ...order, status: 'Closed', lastModifiedNs: timeNs });

  const closeAll = (entries: readonly Entry[], timeNs: bigint): MatchResult => {
    const orders = entries.map(({ id }) => resting.get(id)).filter((order) => order !== undefined);
    return { orders: orders.map((order) => close(order, timeNs)), trades: [] };
  };

  const quotes = createQuoteBoard(bookOf);

  return {
    submit: (order) => {
      const { fills, rested } = bookOf(order.productId).place(toEntry(order));
      const { orders, trades } = settle(order.productId, fills, order.timeNs);
      const filled = fillOrder(order, fills, order.timeNs);
      return { orders: [keep({ ...filled, status: rested > 0 ? 'Working' : 'Closed' }), ...orders], trades };
    },
    quote: (maker, productId, wanted, timeNs) => settle(productId, quotes.replace(maker, productId, wanted), timeNs),
    cancel: (id, timeNs) => {
      const order = resting.get(id);
      if (!order) return NOTHING;
      bookOf(order.productId).cancel(id);
      return { orders: [close(order, timeNs)], trades: [] };
    },
    endSession: (productId, timeNs) => closeAll(bookOf(productId).expire('Day'), timeNs),
    delist: (productId, timeNs) => closeAll(bookOf(productId).expire(), timeNs),
    restore: (orders) => {
      for (const order of orders.toSorted(byPriority)) {
        bookOf(order.productId).restore(toEntry(order));
        keep(order);
      }
    },
    orders: () => resting.values(),
    book: bookOf,
  };
}

function toEntry({ id, account, side, price, timeInForce, requested, filled }: Order): Entry {
  return { id, owner: account.id, side, price, timeInForce, quantity: requested - filled };
}

/** The order after fills; closed where it is fully filled. */
function fillOrder(order: Order, fills: readonly Fill[], timeNs: bigint): Order {
  const filled = fills.reduce((sum, { quantity }) => sum + quantity, order.filled);
  const filledTicks = fills.reduce((sum, { price, quantity }) => sum + price * quantity, order.filledTicks);
  const status = filled === order.requested ? 'Closed' : order.status;
  return { ...order, filled, filledTicks, status, lastModifiedNs: timeNs };
}

function toTrade(product: Product, { price, quantity }: Fill, timeNs: bigint): Trade {
  const cents = toNotionalCents(product, price, quantity);
  return { productId: product.id, time: Number(timeNs / 1000n), price, quantity, cents };
}

function byPriority(a: Order, b: Order): number {
  return compare(a.timeNs, b.timeNs) || compare(a.id, b.id);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
