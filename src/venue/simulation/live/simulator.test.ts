import { describe, expect, it } from 'vitest';
import { micros } from '#testing/simulation/open-test-simulation.ts';
import type { Micros, Order, Product } from '../../core/model.ts';
import type { Changes } from '../../core/ports.ts';
import { createMarketSetup, isListed } from '../market-setup.ts';
import { isDormant } from '../products/dated-products.ts';
import { createRandom } from '../../core/random.ts';
import { createSimulator } from './simulator.ts';

const MINUTE = 60_000_000;
/** A Thursday: its session ends at 21:00 UTC. */
const START = micros('2026-08-20T19:30:00Z');

function newMarket(seed = 7, activity = 1) {
  const settings = { seed, genesis: START, historyDays: 5, orders: 0, working: 400, cursorKey: '' };
  const setup = createMarketSetup(new Map<number, Product>(), settings);
  setup.universe.extend(START);
  const resumeState = { reached: START, trades: [], samples: [], unpublished: [], interest: new Map<number, number>() };
  return { setup, simulation: createSimulator(setup, resumeState, activity) };
}

/** Returns all changes, in steps that end at these instants. */
function run(instants: Iterable<Micros>, seed?: number, activity?: number) {
  const { setup, simulation } = newMarket(seed, activity);
  const all: Changes[] = [];
  for (const until of instants) {
    for (;;) {
      const { changes, reached } = simulation.step(until);
      all.push(changes);
      if (reached >= until) break;
    }
  }
  return {
    setup,
    orders: all.flatMap(({ orders = [] }) => orders),
    trades: all.flatMap(({ trades = [] }) => trades),
    sessions: all.flatMap(({ sessions = [] }) => sessions),
    funding: all.flatMap(({ funding = [] }) => funding),
    samples: all.flatMap(({ samples = [] }) => samples),
  };
}

const hours = (count: number): Micros => START + count * 60 * MINUTE;
const lasting = (orders: readonly Order[]): Map<bigint, Order> => new Map(orders.map((order) => [order.id, order]));

describe('createSimulator', () => {
  it('has the same result for any size of steps', () => {
    const whole = run([hours(3)]);
    const random = createRandom(1, 'slices');
    const instants: Micros[] = [];
    for (let at = START; at < hours(3); at += random.between(1, 7 * MINUTE)) instants.push(at);
    const sliced = run([...instants, hours(3)]);
    expect(whole.trades.length).toBeGreaterThan(300);
    expect(whole.orders.length).toBeGreaterThan(300);
    for (const key of ['orders', 'trades', 'sessions', 'funding', 'samples'] as const)
      expect(sliced[key]).toEqual(whole[key]);
  });

  it('has as many times the orders as the activity says', () => {
    const countPlaced = (activity: number): number => {
      const { orders } = run([hours(1)], undefined, activity);
      return orders.filter(({ timeNs, lastModifiedNs }) => timeNs === lastModifiedNs).length;
    };
    const [usual, tenfold] = [countPlaced(1), countPlaced(10)];
    expect(usual).toBeGreaterThan(100);
    expect(tenfold / usual).toBeGreaterThan(8);
    expect(tenfold / usual).toBeLessThan(12);
  });

  it('has another result with another seed', () => {
    expect(run([hours(0.5)], 8).trades).not.toEqual(run([hours(0.5)], 7).trades);
  });

  it('never crosses a book, and never keeps a Day order beyond its session', () => {
    const { setup, simulation } = newMarket();
    for (let minute = 1; minute <= 200; minute++) {
      simulation.step(START + minute * MINUTE);
      for (const product of setup.products.values()) {
        const book = setup.matching.book(product.id);
        const [bid, ask] = [book.best('Bid'), book.best('Ask')];
        if (bid && ask) expect(bid.price).toBeLessThan(ask.price);
      }
    }
    const settled = micros('2026-08-20T21:00:00Z');
    const old = [...setup.matching.orders()].filter(({ timeNs }) => timeNs < BigInt(settled) * 1000n);
    expect(old.length).toBeGreaterThan(10);
    expect(old.map(({ timeInForce }) => timeInForce)).not.toContain('Day');
  });

  it('quotes both sides of every open product, apart from the one that nobody trades', () => {
    const { setup } = run([hours(1)]);
    for (const product of setup.products.values()) {
      if (!isListed(product, hours(1))) continue;
      const book = setup.matching.book(product.id);
      if (isDormant(product)) expect(book.best('Ask')).toBeNull();
      else expect([book.best('Bid'), book.best('Ask')]).not.toContain(null);
    }
  });

  it('quotes every product from the first instant of its session', () => {
    const opening = micros('2026-08-21T00:00:00Z');
    const { setup } = run([opening]);
    const dated = [...setup.products.values()].filter(
      (product) => product.kind !== 'perpetual' && isListed(product, opening) && !isDormant(product),
    );
    expect(dated.length).toBeGreaterThan(40);
    for (const { id } of dated)
      expect(
        setup.matching
          .book(id)
          .entries('Ask')
          .some(({ owner }) => owner.startsWith('maker')),
      ).toBe(true);
  });

  it('accounts for every contract of an order: fills were traded, and none exceed the requested quantity', () => {
    const { orders, trades } = run([hours(4)]);
    const traded = trades.reduce((sum, { quantity }) => sum + quantity, 0);
    const filled = [...lasting(orders).values()].reduce((sum, order) => sum + order.filled, 0);
    expect(filled).toBeGreaterThan(100);
    expect(filled).toBeLessThan(2 * traded);
    for (const order of orders) {
      expect(order.filled).toBeLessThanOrEqual(order.requested);
      expect(order.lastModifiedNs).toBeGreaterThanOrEqual(order.timeNs);
      if (order.timeInForce === 'IOC') expect(order.status).toBe('Closed');
      // The order trades at its limit or better.
      const worst = order.price * order.filled;
      if (order.side === 'Bid') expect(order.filledTicks).toBeLessThanOrEqual(worst);
      else expect(order.filledTicks).toBeGreaterThanOrEqual(worst);
    }
  });

  it('gives orders ids that grow with their time', () => {
    const { orders } = run([hours(4)]);
    const accepted = [...lasting(orders).values()].sort((a, b) => (a.timeNs < b.timeNs ? -1 : 1));
    for (const [at, order] of accepted.slice(1).entries()) {
      const before = accepted[at];
      if (before) expect(order.id).toBeGreaterThan(before.openAckId);
    }
    expect(String(accepted[0]?.id)).toMatch(/^76\d{17}$/);
  });

  it('settles a session as the sum of its trades', () => {
    const { sessions, trades } = run([hours(26)]);
    const settled = micros('2026-08-21T21:00:00Z');
    const whole = sessions.filter(({ settledAt, openInterest }) => settledAt === settled && openInterest === null);
    expect(whole.length).toBeGreaterThan(65);
    for (const session of whole) {
      const own = trades.filter(
        ({ productId, time }) =>
          productId === session.productId && time >= micros('2026-08-20T21:00:00Z') && time < settled,
      );
      const sum = (pick: (trade: (typeof own)[number]) => number) => own.reduce((all, trade) => all + pick(trade), 0);
      expect(session.volume).toBe(own.length === 0 ? null : sum(({ quantity }) => quantity));
      expect(session.cents).toBe(own.length === 0 ? null : sum(({ cents }) => cents));
      expect(session.ohlc).toEqual(
        own.length === 0
          ? null
          : {
              open: own[0]?.price,
              high: Math.max(...own.map(({ price }) => price)),
              low: Math.min(...own.map(({ price }) => price)),
              close: own.at(-1)?.price,
            },
      );
    }
  });
});
