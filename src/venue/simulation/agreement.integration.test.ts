import { beforeAll, describe, expect, it } from 'vitest';
import type { Order } from '#contract/exchange/order.ts';
import { micros, openTestSimulation, type TestSimulation } from '#testing/simulation/open-test-simulation.ts';
import { toNotionalCents } from '../market/money.ts';
import type { Session, Trade } from '../core/model.ts';
import { isListed } from './market-setup.ts';

const DAY = 86_400_000_000;
/**
 * A Wednesday noon. The market is live from Tuesday noon, so the last 24 hours are live and the session before is half
 * generated.
 */
const START = '2026-08-18T17:00:00Z';
const END = '2026-08-19T17:30:00Z';

describe('the figures of the exchange agree', () => {
  let world: TestSimulation;
  let trades: readonly Trade[];
  let sessions: readonly Session[];

  beforeAll(async () => {
    world = await openTestSimulation({ start: START, historyDays: 10, orders: 2_000, working: 300 });
    await world.advanceTo(END);
    trades = (await world.store.load(0))?.trades ?? [];
    sessions = await world.exchange.sessions({ from: micros(START) - 2 * DAY, until: micros(END) });
  }, 60_000);

  const sum = (own: readonly Trade[], pick: (trade: Trade) => number): number =>
    own.reduce((all, trade) => all + pick(trade), 0);

  it('trailing statistics are the trades of the last 24 hours', () => {
    const now = micros(END);
    let quiet = 0;
    for (const product of world.products.values()) {
      if (!isListed(product, now)) continue;
      const own = trades.filter(({ productId, time }) => productId === product.id && time > now - DAY && time <= now);
      const expected = { volume: sum(own, ({ quantity }) => quantity), cents: sum(own, ({ cents }) => cents) };
      expect(world.exchange.trailing(product.id)).toEqual(own.length === 0 ? null : expected);
      if (own.length === 0) quiet += 1;
    }
    expect(quiet).toBeGreaterThan(0);
    expect(quiet).toBeLessThan(20);
  });

  it('a session is the sum of its trades, also the one that began before the market went live', () => {
    const settled = micros('2026-08-18T21:00:00Z');
    const own = sessions.filter(({ settledAt }) => settledAt === settled);
    expect(own.length).toBeGreaterThan(65);
    for (const { productId, volume, cents, ohlc } of own) {
      const inside = trades.filter(
        (trade) => trade.productId === productId && trade.time >= settled - DAY && trade.time < settled,
      );
      expect(volume).toBe(inside.length === 0 ? null : sum(inside, ({ quantity }) => quantity));
      expect(cents).toBe(inside.length === 0 ? null : sum(inside, (trade) => trade.cents));
      expect(ohlc?.high ?? null).toBe(inside.length === 0 ? null : Math.max(...inside.map(({ price }) => price)));
      expect(ohlc?.close ?? null).toBe(inside.at(-1)?.price ?? null);
    }
  });

  it('the session in progress is what traded since the last settlement', () => {
    const since = micros('2026-08-18T21:00:00Z');
    for (const id of [5599, 5608, 5614]) {
      const inside = trades.filter(({ productId, time }) => productId === id && time >= since);
      const today = world.exchange.today(id);
      expect(today.volume).toBe(sum(inside, ({ quantity }) => quantity));
      expect(today.cents).toBe(sum(inside, ({ cents }) => cents));
      expect(today.lastTrade).toEqual({ time: inside.at(-1)?.time, price: inside.at(-1)?.price });
    }
  });

  it('the value of each trade is price x size, to the cent', () => {
    for (const { productId, price, quantity, cents } of trades) {
      const product = world.products.get(productId);
      expect(product && toNotionalCents(product, price, quantity)).toBe(cents);
    }
  });

  it('open interest is published on the morning after, valued at the settlement price', () => {
    const yesterday = sessions.filter(({ date }) => date === '2026-08-18');
    const published = yesterday.filter(({ openInterest }) => openInterest !== null);
    expect(published.length).toBeGreaterThan(60);
    for (const { productId, openInterest, openInterestCents, settlement } of published) {
      const product = world.products.get(productId);
      expect(product && toNotionalCents(product, settlement, openInterest ?? -1)).toBe(openInterestCents);
    }
  });

  it('the mark of funding is near the settlement of the session around it', async () => {
    const perpetuals = [...world.products.values()].filter(({ kind }) => kind === 'perpetual');
    const latest = await world.exchange.latestFunding(perpetuals.map(({ id }) => id));
    expect(latest).toHaveLength(17);
    for (const { productId, mark, index } of latest) {
      const settlement = sessions.findLast((session) => session.productId === productId)?.settlement ?? Number.NaN;
      expect(Math.abs(mark / settlement - 1)).toBeLessThan(0.25);
      expect(Math.abs(mark / index - 1)).toBeLessThan(0.01);
    }
  });

  it('orders in the book are those that are working in /orders, once persisted', async () => {
    const page = await world.exchange.ordersPage({ filter: {}, direction: 'desc', limit: 1000 });
    const rows = JSON.parse(`[${page.rows}]`) as { readonly id: string; readonly status: string }[];
    const working = rows.filter(({ status }) => status === 'Working').map(({ id }) => id);
    const resting = world.exchange.workingOrders({}).map((text) => (JSON.parse(text) as { readonly id: string }).id);
    const oldest = rows.at(-1)?.id ?? '';
    expect(working.length).toBeGreaterThan(50);
    // Orders closed in the last half second have left the book, but not yet the list.
    expect(resting.filter((id) => id >= oldest && !working.includes(id))).toEqual([]);
    expect(working.filter((id) => !resting.includes(id)).length).toBeLessThan(3);
  });

  it('the new perpetual has rates for whole intervals since its launch, and no others', async () => {
    const launched = world.products.get(6246)?.listedAt ?? 0;
    const query = { productIds: [6246], from: 0, until: micros(END), direction: 'asc', limit: 100 } as const;
    const [first] = await world.exchange.funding(query);
    expect(first?.start).toBeGreaterThanOrEqual(launched);
    expect((first?.start ?? 0) - launched).toBeLessThan(DAY / 3);
  });

  it('fills of orders are among the trades: same product, same instant, at least the same quantity', async () => {
    const from = BigInt(micros(END) - DAY) * 1000n;
    const page = await world.exchange.ordersPage({ filter: {}, direction: 'desc', limit: 1000, fromNs: from });
    const rows = JSON.parse(`[${page.rows}]`) as Order[];
    const taken = rows.filter(
      ({ time_in_force, quantity_filled }) => time_in_force === 'IOC' && Number(quantity_filled) > 0,
    );
    expect(taken.length).toBeGreaterThan(100);
    for (const { product_id, time, quantity_filled, avg_price } of taken) {
      const at = Math.floor(Date.parse(time.slice(0, 19) + 'Z') * 1000 + Number(time.slice(20, 26)));
      const own = trades.filter((trade) => trade.productId === Number(product_id) && trade.time === at);
      expect(sum(own, ({ quantity }) => quantity)).toBeGreaterThanOrEqual(Number(quantity_filled));
      const prices = own.map(({ price }) => price);
      expect(Number(avg_price)).toBeGreaterThanOrEqual(Math.min(...prices));
      expect(Number(avg_price)).toBeLessThanOrEqual(Math.max(...prices));
    }
  });
});

/** The weight of an interval's last sample, times more than premiums change within an interval. */
const LARGEST_LAST_CHANGE = (1920 / 1_844_160) * 0.005;

describe('predicted rates', () => {
  it('end at the settled rate, but for the last sample', async () => {
    const world = await openTestSimulation({ start: '2026-08-19T15:30:00Z' });
    const perpetuals = [...world.products.values()].filter(({ kind }) => kind === 'perpetual').map(({ id }) => id);
    await world.advanceTo('2026-08-19T15:59:59.900Z');
    const predicted = new Map(perpetuals.map((id) => [id, world.exchange.estimate(id)]));
    await world.advanceTo('2026-08-19T16:00:00Z');
    const settled = await world.exchange.latestFunding(perpetuals);
    expect(settled).toHaveLength(17);
    for (const { productId, start, end, rate } of settled) {
      const last = predicted.get(productId);
      expect(last).toMatchObject({ start, end });
      expect(Math.abs(rate - (last?.rate ?? Number.NaN))).toBeLessThan(LARGEST_LAST_CHANGE);
    }
  });
});
