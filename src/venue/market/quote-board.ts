import type { Side } from '../core/model.ts';
import type { Book, Entry, Fill } from './book.ts';

export interface Quote {
  readonly side: Side;
  /** Ticks. */
  readonly price: number;
  readonly quantity: number;
}

/** Market makers' quotes. They rest and trade like orders, and end with the session. */
export interface QuoteBoard {
  /** Returns the fills of the new quotes. */
  readonly replace: (maker: string, productId: number, quotes: readonly Quote[]) => readonly Fill[];
}

export function createQuoteBoard(bookOf: (productId: number) => Book): QuoteBoard {
  const quotesByBook = new Map<Book, Map<string, readonly bigint[]>>();
  // Negative ids are never those of orders.
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
      // Old quotes are gone by now: a maker's new bid cannot meet his own old ask.
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

/** Keeps the entries that match a new quote, with their places in the queue, and cancels the others. */
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
