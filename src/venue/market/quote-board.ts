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
  const standing = new Map<Book, Map<string, readonly bigint[]>>();
  // Below zero: never an order's.
  let lastId = 0n;

  const makersOf = (book: Book): Map<string, readonly bigint[]> => {
    const makers = standing.get(book) ?? new Map<string, readonly bigint[]>();
    standing.set(book, makers);
    return makers;
  };

  return {
    replace: (owner, productId, quotes) => {
      const book = bookOf(productId);
      const makers = makersOf(book);
      const kept = keepQuotes(book, makers.get(owner) ?? [], quotes);
      const ids = [...kept.values()];
      const fills: Fill[] = [];
      // Old ones have left before new ones come: nobody's new bid is stopped by his own old ask.
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

/** Keeps the entries that can serve a new quote from where they stand, and cancels the others. */
function keepQuotes(book: Book, standing: readonly bigint[], quotes: readonly Quote[]): ReadonlyMap<Quote, bigint> {
  const kept = new Map<Quote, bigint>();
  for (const id of standing) {
    const entry = book.get(id);
    const quote = entry && quotes.find((one) => isServedBy(entry, one) && !kept.has(one));
    if (quote) {
      book.reduce(id, quote.quantity);
      kept.set(quote, id);
    } else {
      book.cancel(id);
    }
  }
  return kept;
}

function isServedBy({ side, price, quantity }: Entry, quote: Quote): boolean {
  return side === quote.side && price === quote.price && quantity >= quote.quantity;
}
