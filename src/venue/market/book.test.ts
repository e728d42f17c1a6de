import { describe, expect, it } from 'vitest';
import { createBook, type Book, type Entry } from './book.ts';

type Given = Partial<Entry> & Pick<Entry, 'id' | 'side' | 'price' | 'quantity'>;

const entry = (given: Given): Entry => ({ owner: `owner ${String(given.id)}`, timeInForce: 'GTC', ...given });

function bookOf(...entries: readonly Given[]): Book {
  const book = createBook();
  for (const given of entries) book.place(entry(given));
  return book;
}

const idsOf = (book: Book, side: 'Bid' | 'Ask') => book.entries(side).map(({ id }) => id);

describe('resting', () => {
  it('orders a side by price, then by time', () => {
    const book = bookOf(
      { id: 1n, side: 'Bid', price: 10, quantity: 1 },
      { id: 2n, side: 'Bid', price: 12, quantity: 1 },
      { id: 3n, side: 'Bid', price: 10, quantity: 1 },
      { id: 4n, side: 'Ask', price: 15, quantity: 1 },
      { id: 5n, side: 'Ask', price: 13, quantity: 1 },
    );
    expect(idsOf(book, 'Bid')).toEqual([2n, 1n, 3n]);
    expect(idsOf(book, 'Ask')).toEqual([5n, 4n]);
  });

  it('adds up the contracts of a price', () => {
    const book = bookOf(
      { id: 1n, side: 'Ask', price: 10, quantity: 3 },
      { id: 2n, side: 'Ask', price: 11, quantity: 5 },
      { id: 3n, side: 'Ask', price: 10, quantity: 4 },
    );
    expect(book.levels('Ask')).toEqual([
      { price: 10, quantity: 7 },
      { price: 11, quantity: 5 },
    ]);
    expect(book.levels('Ask', 1)).toEqual([{ price: 10, quantity: 7 }]);
    expect(book.best('Ask')).toEqual({ price: 10, quantity: 7 });
    expect(book.best('Bid')).toBeNull();
  });

  it('rests at zero and at negative prices, as spreads do', () => {
    const book = bookOf(
      { id: 1n, side: 'Bid', price: -3, quantity: 2 },
      { id: 2n, side: 'Ask', price: 0, quantity: 2 },
    );
    expect(book.place(entry({ id: 3n, side: 'Ask', price: -4, quantity: 1 })).fills).toEqual([
      { restingId: 1n, price: -3, quantity: 1 },
    ]);
  });
});

describe('trading', () => {
  it('trades at the resting price, best price first, oldest first, and rests what is left', () => {
    const book = bookOf(
      { id: 1n, side: 'Ask', price: 11, quantity: 2 },
      { id: 2n, side: 'Ask', price: 10, quantity: 2 },
      { id: 3n, side: 'Ask', price: 10, quantity: 2 },
    );
    expect(book.place(entry({ id: 9n, side: 'Bid', price: 11, quantity: 7 }))).toEqual({
      fills: [
        { restingId: 2n, price: 10, quantity: 2 },
        { restingId: 3n, price: 10, quantity: 2 },
        { restingId: 1n, price: 11, quantity: 2 },
      ],
      rested: 1,
      cancelled: 0,
    });
    expect(book.best('Ask')).toBeNull();
    expect(book.best('Bid')).toEqual({ price: 11, quantity: 1 });
  });

  it('leaves a partly filled entry first in its queue', () => {
    const book = bookOf(
      { id: 1n, side: 'Bid', price: 10, quantity: 5 },
      { id: 2n, side: 'Bid', price: 10, quantity: 5 },
    );
    book.place(entry({ id: 3n, side: 'Ask', price: 10, quantity: 3 }));
    expect(book.get(1n)?.quantity).toBe(2);
    expect(idsOf(book, 'Bid')).toEqual([1n, 2n]);
  });

  it('does not trade beyond the limit', () => {
    const book = bookOf({ id: 1n, side: 'Ask', price: 11, quantity: 2 });
    expect(book.place(entry({ id: 2n, side: 'Bid', price: 10, quantity: 2 })).fills).toEqual([]);
  });

  it('cancels what an IOC could not trade', () => {
    const book = bookOf({ id: 1n, side: 'Ask', price: 10, quantity: 2 });
    const placement = book.place(entry({ id: 2n, side: 'Bid', price: 10, quantity: 5, timeInForce: 'IOC' }));
    expect(placement).toMatchObject({ rested: 0, cancelled: 3 });
    expect(book.size()).toBe(0);
  });
});

describe('self-trade prevention', () => {
  it('stops an incoming entry where it meets one of its owner, and cancels the remainder', () => {
    const book = bookOf(
      { id: 1n, side: 'Ask', price: 10, quantity: 1, owner: 'other' },
      { id: 2n, side: 'Ask', price: 10, quantity: 1, owner: 'me' },
      { id: 3n, side: 'Ask', price: 10, quantity: 1, owner: 'other' },
    );
    expect(book.place(entry({ id: 4n, side: 'Bid', price: 10, quantity: 3, owner: 'me' }))).toEqual({
      fills: [{ restingId: 1n, price: 10, quantity: 1 }],
      rested: 0,
      cancelled: 2,
    });
    expect(idsOf(book, 'Ask')).toEqual([2n, 3n]);
  });

  it('lets an owner quote both sides where the prices do not cross', () => {
    const book = bookOf({ id: 1n, side: 'Ask', price: 10, quantity: 1, owner: 'me' });
    expect(book.place(entry({ id: 2n, side: 'Bid', price: 9, quantity: 1, owner: 'me' })).rested).toBe(1);
  });

  it('does not stop an entry that is filled before it would meet its owner', () => {
    const book = bookOf(
      { id: 1n, side: 'Ask', price: 10, quantity: 1, owner: 'other' },
      { id: 2n, side: 'Ask', price: 10, quantity: 1, owner: 'me' },
    );
    expect(book.place(entry({ id: 3n, side: 'Bid', price: 10, quantity: 1, owner: 'me' })).cancelled).toBe(0);
  });
});

describe('leaving', () => {
  it('cancels an entry once, wherever it stands in its queue', () => {
    for (const id of [1n, 2n, 3n]) {
      const book = bookOf(
        { id: 1n, side: 'Bid', price: 10, quantity: 1 },
        { id: 2n, side: 'Bid', price: 10, quantity: 2 },
        { id: 3n, side: 'Bid', price: 10, quantity: 3 },
      );
      expect(book.cancel(id)).toEqual(entry({ id, side: 'Bid', price: 10, quantity: Number(id) }));
      expect(book.cancel(id)).toBeNull();
      expect(idsOf(book, 'Bid')).toEqual([1n, 2n, 3n].filter((other) => other !== id));
      expect(book.best('Bid')).toEqual({ price: 10, quantity: 6 - Number(id) });
    }
  });

  it('removes a price when its last entry leaves', () => {
    const book = bookOf(
      { id: 1n, side: 'Bid', price: 10, quantity: 1 },
      { id: 2n, side: 'Bid', price: 9, quantity: 1 },
    );
    book.cancel(1n);
    expect(book.levels('Bid')).toEqual([{ price: 9, quantity: 1 }]);
  });

  it('reduces an entry at its place, and never enlarges it', () => {
    const book = bookOf(
      { id: 1n, side: 'Bid', price: 10, quantity: 5 },
      { id: 2n, side: 'Bid', price: 10, quantity: 5 },
    );
    expect(book.reduce(1n, 2)?.quantity).toBe(2);
    expect(book.reduce(1n, 4)?.quantity).toBe(2);
    expect(book.reduce(7n, 4)).toBeNull();
    expect(idsOf(book, 'Bid')).toEqual([1n, 2n]);
    expect(book.best('Bid')).toEqual({ price: 10, quantity: 7 });
  });

  it('expires Day entries and leaves GTC ones', () => {
    const book = bookOf(
      { id: 1n, side: 'Bid', price: 10, quantity: 5, timeInForce: 'Day' },
      { id: 2n, side: 'Bid', price: 11, quantity: 5 },
      { id: 3n, side: 'Ask', price: 12, quantity: 5, timeInForce: 'Day' },
    );
    expect(book.expire('Day').map(({ id }) => id)).toEqual([1n, 3n]);
    expect(book.size()).toBe(1);
    expect(book.expire().map(({ id }) => id)).toEqual([2n]);
    expect(book.size()).toBe(0);
  });
});

describe('mean price', () => {
  it('weighs every level of a side by its contracts', () => {
    const book = bookOf(
      { id: 1n, side: 'Bid', price: 10, quantity: 1 },
      { id: 2n, side: 'Bid', price: 8, quantity: 2 },
      { id: 3n, side: 'Bid', price: 2, quantity: 1 },
    );
    expect(book.meanPrice('Bid')).toBe(28 / 4);
    expect(book.meanPrice('Bid', 2)).toBe(26 / 3);
    expect(book.meanPrice('Ask')).toBeNull();
    book.cancel(3n);
    expect(book.meanPrice('Bid')).toBe(26 / 3);
    book.expire();
    expect(book.meanPrice('Bid')).toBeNull();
  });
});

describe('refusals', () => {
  const book = bookOf({ id: 1n, side: 'Bid', price: 10, quantity: 5 });

  it.each([
    ['a fraction of a tick', { price: 10.5 }, /whole ticks/],
    ['no contracts', { quantity: 0 }, /whole contracts/],
    ['a fraction of a contract', { quantity: 1.5 }, /whole contracts/],
    ['an id that rests already', { id: 1n }, /rests already/],
  ])('refuses %s and stays as it was', (_, odd, reason) => {
    const given = entry({ id: 2n, side: 'Bid', price: 10, quantity: 5, ...odd });
    expect(() => book.place(given)).toThrow(reason);
    expect(() => {
      book.restore(given);
    }).toThrow(reason);
    expect(book.size()).toBe(1);
  });

  it('refuses to reduce to zero, which would be a cancellation', () => {
    expect(() => book.reduce(1n, 0)).toThrow(/whole contracts/);
  });
});
