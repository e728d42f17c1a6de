import { type Order, type Product, requireProduct, type Side, type Trade } from '../core/model.ts';
import { type Book, createBook, type Entry, type Fill } from './book.ts';
import { toNotionalCents } from './money.ts';

export interface Quote {
  readonly side: Side;
  /** In ticks. */
  readonly price: number;
  readonly quantity: number;
}

/** Market makers' quotes. They rest and trade like orders, and expire at the end of the session. */
interface QuoteBoard {
  /** Replaces a maker's quotes and returns the fills of the new ones. */
  readonly replace: (maker: string, productId: number, quotes: readonly Quote[]) => readonly Fill[];
}

function createQuoteBoard(bookOf: (productId: number) => Book): QuoteBoard {
  const quotesByBook = new Map<Book, Map<string, readonly bigint[]>>();
  // Ids of quotes are negative, so they are never ids of orders.
  let lastId = 0n;

  const makersOf = (book: Book): Map<string, readonly bigint[]> => {
    const makers = quotesByBook.get(book) ?? new Map<string, readonly bigint[]>();
    quotesByBook.set(book, makers);
    return makers;
  };

  return {
    replace: (owner, productId, quotes) => {
      const book = bookOf(productId);
      const makers = makersOf(book);
      const kept = keepQuotes(book, makers.get(owner) ?? [], quotes);
      const ids = [...kept.values()];
      const fills: Fill[] = [];
      // The old quotes are already gone, so a maker's new bid cannot meet its own old ask.
      for (const quote of quotes) {
        if (kept.has(quote)) continue;
        const { side, price, quantity } = quote;
        lastId -= 1n;
        ids.push(lastId);
        fills.push(...book.place({ id: lastId, owner, side, price, timeInForce: 'Day', quantity }).fills);
      }
      makers.set(owner, ids);
      return fills;
    },
  };
}

/** Keeps the entries that match a new quote, at their places in the queue, and cancels the others. */
function keepQuotes(book: Book, ids: readonly bigint[], quotes: readonly Quote[]): ReadonlyMap<Quote, bigint> {
  const kept = new Map<Quote, bigint>();
  for (const id of ids) {
    const entry = book.get(id);
    const quote = entry && quotes.find((one) => matchesQuote(entry, one) && !kept.has(one));
    if (quote) {
      book.reduce(id, quote.quantity);
      kept.set(quote, id);
    } else {
      book.cancel(id);
    }
  }
  return kept;
}

function matchesQuote({ side, price, quantity }: Entry, quote: Quote): boolean {
  return side === quote.side && price === quote.price && quantity >= quote.quantity;
}

export interface MatchResult {
  /** Orders in their state after the step. */
  readonly orders: readonly Order[];
  /** Trades in the order in which they happened. */
  readonly trades: readonly Trade[];
}

/** The books of all products, and the orders that rest in them. */
export interface Matching {
  /** Submits a new, unfilled order: it trades, then rests or is closed. It is the first order of the result. */
  readonly submit: (order: Order) => MatchResult;
  /**
   * Replaces a maker's quotes in a product. A quote at the same price that is no larger keeps its place in the queue.
   */
  readonly quote: (maker: string, productId: number, quotes: readonly Quote[], timeNs: bigint) => MatchResult;
  /** Cancels an order. Does nothing if it does not rest. */
  readonly cancel: (id: bigint, timeNs: bigint) => MatchResult;
  /** Closes Day orders and removes quotes, at the end of the session. */
  readonly endSession: (productId: number, timeNs: bigint) => MatchResult;
  /** Closes all orders and removes quotes. */
  readonly delist: (productId: number, timeNs: bigint) => MatchResult;
  /** Restores saved working orders, sorted by time, then id. */
  readonly restore: (orders: readonly Order[]) => void;
  /** Returns the working orders. */
  readonly orders: () => Iterable<Order>;
  readonly book: (productId: number) => BookView;
}

/** A read-only view of a book. */
type BookView = Pick<Book, 'best' | 'levels' | 'entries' | 'meanPrice' | 'size'>;

const NOTHING: MatchResult = { orders: [], trades: [] };

/** Creates the books. Products may be added to the map later. */
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

  /** Returns the trades and the resting orders that were filled. Quotes are not orders. */
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

/** Returns the order after fills. It is closed if it is fully filled. */
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
