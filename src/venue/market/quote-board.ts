import type { Side } from '../model.ts';
import type { Book, Entry, Fill } from './book.ts';

/** What a market maker offers to trade at a price. */
export interface Quote {
  readonly side: Side;
  /** Ticks. */
  readonly price: number;
  readonly quantity: number;
}

/** The makers' quotes in the books. They rest and trade like orders, and end with the session. */
export interface QuoteBoard {
  /** Gives what the new quotes traded. */
  readonly replace: (maker: string, productId: number, quotes: readonly Quote[]) => readonly Fill[];
}

export function createQuoteBoard(bookOf: (productId: number) => Book): QuoteBoard {
  const ids = new Map<string, readonly bigint[]>();
  // Below zero: never an order's.
  let lastId = 0n;

  const place = (book: Book, owner: string, quote: Quote): { readonly id: bigint; readonly fills: readonly Fill[] } => {
    lastId -= 1n;
    return { id: lastId, fills: book.place({ id: lastId, owner, timeInForce: 'Day', ...quote }).fills };
  };

  return {
    replace: (maker, productId, quotes) => {
      const key = `${productId} ${maker}`;
      const book = bookOf(productId);
      const standing = (ids.get(key) ?? []).map((id) => book.get(id)).filter((entry) => entry !== null);
      const kept = keepQuotes(book, standing, quotes);
      // Old ones leave before new ones come: nobody's new bid is stopped by his own old ask.
      const placed = quotes.filter((quote) => !kept.has(quote)).map((quote) => place(book, maker, quote));
      ids.set(key, [...kept.values(), ...placed.map(({ id }) => id)]);
      return placed.flatMap(({ fills }) => fills);
    },
  };
}

/** Keeps the entries that can serve a new quote from where they stand, and cancels the others. */
function keepQuotes(book: Book, standing: readonly Entry[], quotes: readonly Quote[]): ReadonlyMap<Quote, bigint> {
  const kept = new Map<Quote, bigint>();
  for (const { id, side, price, quantity } of standing) {
    const isServed = (one: Quote) => one.side === side && one.price === price && one.quantity <= quantity;
    const quote = quotes.find((one) => isServed(one) && !kept.has(one));
    if (quote) {
      book.reduce(id, quote.quantity);
      kept.set(quote, id);
    } else {
      book.cancel(id);
    }
  }
  return kept;
}
