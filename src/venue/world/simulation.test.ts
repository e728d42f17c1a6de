import { describe, expect, it } from 'vitest';
import { micros } from '#testing/world/open-world.ts';
import type { Micros, Order, Product } from '../model.ts';
import type { Changes } from '../ports.ts';
import { createFloor, isListed } from './floor.ts';
import { isDormant } from './options.ts';
import { createRandom } from './random.ts';
import { createSimulation } from './simulation.ts';

const MINUTE = 60_000_000;
/** A Thursday: its session ends at 21:00 UTC. */
const START = micros('2026-08-20T19:30:00Z');

function newMarket(seed = 7) {
  const story = { seed, genesis: START, historyDays: 5, orders: 0, working: 400, cursorKey: '' };
  const floor = createFloor(new Map<number, Product>(), story);
  floor.universe.extend(START);
  const standing = { reached: START, trades: [], samples: [], unpublished: [], interest: new Map<number, number>() };
  return { floor, simulation: createSimulation(floor, standing) };
}

/** All that happens, sliced at these instants. */
function run(instants: Iterable<Micros>, seed?: number) {
  const { floor, simulation } = newMarket(seed);
  const all: Changes[] = [];
  for (const until of instants) {
    for (;;) {
      const { changes, reached } = simulation.step(until);
      all.push(changes);
      if (reached >= until) break;
    }
  }
  return {
    floor,
    orders: all.flatMap(({ orders = [] }) => orders),
    trades: all.flatMap(({ trades = [] }) => trades),
    sessions: all.flatMap(({ sessions = [] }) => sessions),
    funding: all.flatMap(({ funding = [] }) => funding),
    samples: all.flatMap(({ samples = [] }) => samples),
  };
}

const hours = (count: number): Micros => START + count * 60 * MINUTE;
const lasting = (orders: readonly Order[]): Map<bigint, Order> => new Map(orders.map((order) => [order.id, order]));

describe('createSimulation', () => {
  it('does the same however its time is sliced', () => {
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

  it('does something else with another seed', () => {
    expect(run([hours(0.5)], 8).trades).not.toEqual(run([hours(0.5)], 7).trades);
  });

  it('never crosses a book, and never has a Day order outlive its session', () => {
    const { floor, simulation } = newMarket();
    for (let minute = 1; minute <= 200; minute++) {
      simulation.step(START + minute * MINUTE);
      for (const product of floor.products.values()) {
        const book = floor.matching.book(product.id);
        const [bid, ask] = [book.best('Bid'), book.best('Ask')];
        if (bid && ask) expect(bid.price).toBeLessThan(ask.price);
      }
    }
    const settled = micros('2026-08-20T21:00:00Z');
    const old = [...floor.matching.orders()].filter(({ timeNs }) => timeNs < BigInt(settled) * 1000n);
    expect(old.length).toBeGreaterThan(10);
    expect(old.map(({ timeInForce }) => timeInForce)).not.toContain('Day');
  });

  it('quotes both sides of every product that is open, but the one that nobody trades', () => {
    const { floor } = run([hours(1)]);
    for (const product of floor.products.values()) {
      if (!isListed(product, hours(1))) continue;
      const book = floor.matching.book(product.id);
      if (isDormant(product)) expect(book.best('Ask')).toBeNull();
      else expect(book.best('Ask')).not.toBeNull();
    }
  });

  it('tells every contract of an order: what is filled was traded, and nothing beyond the request', () => {
    const { orders, trades } = run([hours(4)]);
    const traded = trades.reduce((sum, { quantity }) => sum + quantity, 0);
    const filled = [...lasting(orders).values()].reduce((sum, order) => sum + order.filled, 0);
    expect(filled).toBeGreaterThan(100);
    expect(filled).toBeLessThan(2 * traded);
    for (const order of orders) {
      expect(order.filled).toBeLessThanOrEqual(order.requested);
      expect(order.lastModifiedNs).toBeGreaterThanOrEqual(order.timeNs);
      if (order.timeInForce === 'IOC') expect(order.status).toBe('Closed');
      // Better than its limit, or at it.
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
