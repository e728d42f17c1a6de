import { describe, expect, it } from 'vitest';
import { makeOrder, near, perpetual, products, spread, theirs } from '#testing/http/small-universe.ts';
import type { Order } from '../core/model.ts';
import { createMatching, type Matching } from './matching.ts';

const byId = new Map(products.map((product) => [product.id, product]));
const NOW = makeOrder(0).timeNs + 3_600_000_000_000n;

const bid = (n: number, change: Partial<Order> = {}) => makeOrder(n, { side: 'Bid', price: 100, ...change });
const ask = (n: number, change: Partial<Order> = {}) =>
  makeOrder(n, { side: 'Ask', price: 100, account: theirs, ...change });

function matchingOf(...orders: readonly Order[]): Matching {
  const matching = createMatching(byId);
  for (const order of orders) matching.submit(order);
  return matching;
}

const restingOrder = (matching: Matching, id: bigint) => [...matching.orders()].find((order) => order.id === id);

describe('submitting an order', () => {
  it('rests where nothing matches', () => {
    const matching = createMatching(byId);
    expect(matching.submit(bid(1))).toEqual({ orders: [bid(1)], trades: [] });
    expect(restingOrder(matching, bid(1).id)).toEqual(bid(1));
    expect([...matching.orders()]).toEqual([bid(1)]);
    expect(matching.book(perpetual.id).best('Bid')).toEqual({ price: 100, quantity: 10 });
  });

  it('returns the order first, then those it traded with, and every trade', () => {
    const matching = matchingOf(ask(5, { requested: 4, price: 99 }), ask(4, { requested: 10 }));
    const { timeNs } = bid(1);
    expect(matching.submit(bid(1, { requested: 6 }))).toEqual({
      orders: [
        bid(1, { requested: 6, filled: 6, filledTicks: 4 * 99 + 2 * 100, status: 'Closed', lastModifiedNs: timeNs }),
        ask(5, { requested: 4, price: 99, filled: 4, filledTicks: 4 * 99, status: 'Closed', lastModifiedNs: timeNs }),
        ask(4, { requested: 10, filled: 2, filledTicks: 2 * 100, status: 'Working', lastModifiedNs: timeNs }),
      ],
      trades: [
        { productId: perpetual.id, time: Number(timeNs / 1000n), price: 99, quantity: 4, cents: 4 * 99 * 500 },
        { productId: perpetual.id, time: Number(timeNs / 1000n), price: 100, quantity: 2, cents: 2 * 100 * 500 },
      ],
    });
    expect(restingOrder(matching, ask(4).id)?.filled).toBe(2);
    expect(restingOrder(matching, bid(1).id)).toBeUndefined();
  });

  it('closes an IOC that traded nothing or a part', () => {
    const matching = matchingOf(ask(5, { requested: 4 }));
    expect(matching.submit(bid(2, { timeInForce: 'IOC', price: 99 })).orders).toMatchObject([
      { filled: 0, status: 'Closed' },
    ]);
    expect(matching.submit(bid(1, { timeInForce: 'IOC' })).orders[0]).toMatchObject({ filled: 4, status: 'Closed' });
    expect([...matching.orders()]).toEqual([]);
  });

  it('closes an order that meets its own account', () => {
    const own = ask(5, { account: bid(1).account });
    const matching = matchingOf(own);
    expect(matching.submit(bid(1))).toEqual({ orders: [{ ...bid(1), status: 'Closed' }], trades: [] });
    expect(restingOrder(matching, own.id)).toEqual(own);
  });

  it('counts a spread at a negative price like one at a positive price', () => {
    const given = { productId: spread.id, price: -3, requested: 2 };
    const matching = matchingOf(ask(5, given));
    const { orders, trades } = matching.submit(bid(1, given));
    expect(orders[0]).toMatchObject({ filledTicks: -6 });
    expect(trades).toMatchObject([{ price: -3, quantity: 2, cents: 3_000 }]);
  });

  it('keeps the products apart', () => {
    const matching = matchingOf(ask(5, { productId: near.id }));
    expect(matching.submit(bid(1)).trades).toEqual([]);
  });

  it('refuses an order of a product that does not exist', () => {
    const matching = matchingOf();
    expect(() => matching.submit(bid(1, { productId: 1 }))).toThrow('no product 1');
    expect([...matching.orders()]).toEqual([]);
  });

  it('refuses what the book refuses, without a trace', () => {
    const matching = matchingOf();
    expect(() => matching.submit(bid(1, { price: 0.5 }))).toThrow(RangeError);
    expect([...matching.orders()]).toEqual([]);
  });
});

describe('cancelling, ending and delisting', () => {
  it('closes an order once', () => {
    const matching = matchingOf(bid(1));
    expect(matching.cancel(bid(1).id, NOW)).toEqual({
      orders: [bid(1, { status: 'Closed', lastModifiedNs: NOW })],
      trades: [],
    });
    expect(matching.cancel(bid(1).id, NOW)).toEqual({ orders: [], trades: [] });
    expect(matching.book(perpetual.id).size()).toBe(0);
  });

  it('closes Day orders and removes quotes at the end of the session, of that product only', () => {
    const day = bid(1, { timeInForce: 'Day', filled: 0 });
    const other = bid(2, { timeInForce: 'Day', productId: near.id });
    const matching = matchingOf(day, bid(3), other);
    matching.quote('maker', perpetual.id, [{ side: 'Ask', price: 105, quantity: 3 }], NOW);
    expect(matching.endSession(perpetual.id, NOW)).toEqual({
      orders: [{ ...day, status: 'Closed', lastModifiedNs: NOW }],
      trades: [],
    });
    expect([...matching.orders()]).toEqual([bid(3), other]);
    expect(matching.book(perpetual.id).best('Ask')).toBeNull();
  });

  it('closes everything at delisting', () => {
    const matching = matchingOf(
      bid(1, { timeInForce: 'Day' }),
      bid(2),
      ask(3, { price: 101 }),
      bid(4, { productId: near.id }),
    );
    expect(matching.delist(perpetual.id, NOW).orders.map(({ id, status }) => [id, status])).toEqual(
      [bid(1), bid(2), ask(3)].map(({ id }) => [id, 'Closed']),
    );
    expect([...matching.orders()]).toHaveLength(1);
  });
});

describe('quotes of a market maker', () => {
  const quotes = (...prices: readonly number[]) =>
    prices.map((price) => ({ side: price < 100 ? 'Bid' : 'Ask', price, quantity: 5 }) as const);

  it('rest in the book and are not orders', () => {
    const matching = matchingOf();
    expect(matching.quote('maker', perpetual.id, quotes(99, 101), NOW)).toEqual({ orders: [], trades: [] });
    expect(matching.book(perpetual.id).size()).toBe(2);
    expect([...matching.orders()]).toEqual([]);
  });

  it('replace the earlier ones of that maker in that product', () => {
    const matching = matchingOf();
    matching.quote('maker', perpetual.id, quotes(98, 99, 101), NOW);
    matching.quote('other', perpetual.id, quotes(97), NOW);
    matching.quote('maker', near.id, quotes(90), NOW);
    matching.quote('maker', perpetual.id, quotes(96), NOW);
    expect(
      matching
        .book(perpetual.id)
        .levels('Bid')
        .map(({ price }) => price),
    ).toEqual([97, 96]);
    expect(matching.book(perpetual.id).best('Ask')).toBeNull();
    expect(matching.book(near.id).size()).toBe(1);
  });

  it('keep their place if they do not grow, and lose it if they do', () => {
    const matching = matchingOf();
    const owners = () =>
      matching
        .book(perpetual.id)
        .entries('Bid')
        .map(({ owner, quantity }) => `${owner} ${quantity}`);
    matching.quote('maker', perpetual.id, [{ side: 'Bid', price: 99, quantity: 5 }], NOW);
    matching.quote('other', perpetual.id, [{ side: 'Bid', price: 99, quantity: 7 }], NOW);
    matching.quote('maker', perpetual.id, [{ side: 'Bid', price: 99, quantity: 4 }], NOW);
    expect(owners()).toEqual(['maker 4', 'other 7']);
    matching.quote('maker', perpetual.id, [{ side: 'Bid', price: 99, quantity: 5 }], NOW);
    expect(owners()).toEqual(['other 7', 'maker 5']);
  });

  it('may cross the earlier price of the maker’s other side', () => {
    const matching = matchingOf();
    matching.quote('maker', perpetual.id, [{ side: 'Ask', price: 101, quantity: 5 }], NOW);
    matching.quote(
      'maker',
      perpetual.id,
      [
        { side: 'Bid', price: 102, quantity: 5 },
        { side: 'Ask', price: 104, quantity: 5 },
      ],
      NOW,
    );
    expect(matching.book(perpetual.id).best('Bid')).toEqual({ price: 102, quantity: 5 });
  });

  it('trade with orders, as resting or as incoming side', () => {
    const matching = matchingOf(bid(5, { requested: 4 }));
    const { orders, trades } = matching.quote('maker', perpetual.id, [{ side: 'Ask', price: 98, quantity: 6 }], NOW);
    expect(orders).toEqual([
      bid(5, { requested: 4, filled: 4, filledTicks: 400, status: 'Closed', lastModifiedNs: NOW }),
    ]);
    expect(trades).toMatchObject([{ time: Number(NOW / 1000n), price: 100, quantity: 4 }]);
    expect(matching.submit(bid(1, { price: 98, requested: 1 })).orders).toHaveLength(1);
    expect(matching.book(perpetual.id).best('Ask')).toEqual({ price: 98, quantity: 1 });
  });

  it('may be twice at a price, as separate entries', () => {
    const matching = matchingOf();
    const twice = quotes(99, 99);
    matching.quote('maker', perpetual.id, twice, NOW);
    const standing = matching.book(perpetual.id).entries('Bid');
    matching.quote('maker', perpetual.id, twice, NOW);
    expect(matching.book(perpetual.id).entries('Bid')).toEqual(standing);
    matching.quote('maker', perpetual.id, [], NOW);
    expect(matching.book(perpetual.id).size()).toBe(0);
  });

  it('are replaced in full after they were filled', () => {
    const matching = matchingOf();
    matching.quote('maker', perpetual.id, quotes(101), NOW);
    matching.submit(bid(1, { price: 101, requested: 3 }));
    matching.quote('maker', perpetual.id, quotes(101), NOW);
    expect(matching.book(perpetual.id).best('Ask')).toEqual({ price: 101, quantity: 5 });
  });
});

describe('restoring', () => {
  it('puts saved orders back by time, then id, without trading', () => {
    const orders = [bid(1), bid(2, { filled: 3, filledTicks: 300 }), bid(3), { ...bid(9), timeNs: bid(2).timeNs }];
    const matching = createMatching(byId);
    matching.restore(orders);
    const [first, second, third, twin] = orders;
    expect(
      matching
        .book(perpetual.id)
        .entries('Bid')
        .map(({ id, quantity }) => [id, quantity]),
    ).toEqual([
      [third?.id, 10],
      [second?.id, 7],
      [twin?.id, 10],
      [first?.id, 10],
    ]);
    expect(restingOrder(matching, bid(2).id)?.filled).toBe(3);
  });
});
