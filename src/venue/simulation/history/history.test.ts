import { beforeAll, describe, expect, it } from 'vitest';
import { micros } from '#testing/simulation/open-test-simulation.ts';
import type { Order, Product, Session, Trade } from '../../core/model.ts';
import { createMarketSetup, isListed, type MarketSetup } from '../market-setup.ts';
import { toTradeRetentionStart, makeHistory, type HistoryTask } from './history.ts';
import { isDormant } from '../products/dated-products.ts';
import { NEW_LAUNCH_ID } from '../products/perpetuals.ts';

/** A Thursday, in the middle of a session. */
const NOW = micros('2026-08-20T15:00:00Z');
const DAY = 86_400_000_000;
const DAYS = 60;

function taskOf(setup: MarketSetup, change: Partial<HistoryTask> = {}): HistoryTask {
  return {
    ...{ seed: 7, genesis: NOW, from: NOW - DAYS * DAY, until: NOW, orders: 3_000, working: 500, fills: [] },
    ...{ products: setup.products, accounts: setup.accounts, prices: setup.prices },
    ...{ tradeRetentionStart: toTradeRetentionStart(NOW), interest: new Map<number, number>(), tradedBefore: () => [] },
    ...change,
  };
}

function newSetup(): MarketSetup {
  const settings = { seed: 7, genesis: NOW, historyDays: DAYS, orders: 0, working: 0, cursorKey: '' };
  const setup = createMarketSetup(new Map<number, Product>(), settings);
  setup.universe.extend(NOW);
  return setup;
}

describe('makeHistory', () => {
  const setup = newSetup();
  let orders: Order[];
  let sessions: Session[];
  let trades: Trade[];

  beforeAll(() => {
    const days = [...makeHistory(taskOf(setup))];
    orders = days.flatMap((day) => day.orders ?? []);
    sessions = days.flatMap((day) => day.sessions ?? []);
    trades = days.flatMap((day) => day.trades ?? []);
  });

  const working = (): Order[] => orders.filter(({ status }) => status === 'Working');

  it('generates exactly the requested number of orders', () => {
    expect(orders.length - working().length).toBe(3_000);
    expect(working()).toHaveLength(500);
    expect(new Set(orders.map(({ id }) => id)).size).toBe(3_500);
  });

  it('generates the same from the same seed', () => {
    const again = [...makeHistory(taskOf(newSetup()))];
    expect(again.flatMap((day) => day.orders ?? [])).toEqual(orders);
    expect(again.flatMap((day) => day.sessions ?? [])).toEqual(sessions);
  });

  it('has orders of every time in force and every outcome, some in the same nanosecond', () => {
    const fates = new Set(
      orders.map(({ status, timeInForce, filled, requested }) => {
        const share = filled === 0 ? 'none' : filled < requested ? 'part' : 'all';
        return `${status} ${timeInForce} ${share}`;
      }),
    );
    for (const fate of ['Closed IOC none', 'Closed IOC part', 'Closed IOC all', 'Closed Day none', 'Closed Day part']) {
      expect(fates).toContain(fate);
    }
    for (const fate of [
      'Closed GTC none',
      'Closed GTC part',
      'Closed GTC all',
      'Working Day none',
      'Working GTC part',
    ]) {
      expect(fates).toContain(fate);
    }
    expect(fates).not.toContain('Working IOC none');
    const micro = orders.map(({ timeNs }) => timeNs / 1000n);
    expect(new Set(micro).size).toBeLessThan(micro.length);
  });

  it('leaves orders resting that are days old, and Day orders only in the session in progress', () => {
    const age = ({ timeNs }: Order): number => NOW - Number(timeNs / 1000n);
    expect(working().filter((order) => age(order) > 3 * DAY).length).toBeGreaterThan(50);
    expect(working().filter((order) => age(order) < DAY).length).toBeGreaterThan(50);
    for (const order of working()) if (order.timeInForce === 'Day') expect(age(order)).toBeLessThan(DAY);
  });

  it('leaves no two working orders that would trade, and none beyond the fair price', () => {
    setup.matching.restore(working());
    for (const product of setup.products.values()) {
      const book = setup.matching.book(product.id);
      const [bid, ask] = [book.best('Bid'), book.best('Ask')];
      const fair = isListed(product, NOW) ? setup.prices.exact.fair(product, NOW) : 0;
      if (bid) expect(bid.price).toBeLessThan(fair);
      if (ask) expect(ask.price).toBeGreaterThan(fair);
    }
  });

  it('settles a session of every product on each of its trading days', () => {
    const dates = (id: number): string[] =>
      sessions.filter(({ productId }) => productId === id).map(({ date }) => date);
    expect(dates(5614)).toHaveLength(DAYS);
    const future = [...setup.products.values()].find(({ symbol }) => symbol === 'BUSZ26');
    const weekdays = dates(future?.id ?? 0);
    expect(weekdays.length).toBeGreaterThan(40);
    for (const date of weekdays) expect(new Date(date).getUTCDay() % 6).not.toBe(0);
    expect(dates(NEW_LAUNCH_ID).length).toBeLessThan(7);
  });

  it('has each fill of an order within the prices and the volume of its session', () => {
    const known = new Map(sessions.map((session) => [`${session.productId} ${session.settledAt}`, session]));
    let looked = 0;
    for (const order of orders) {
      if (order.filled === 0 || order.lastModifiedNs - order.timeNs > 3_600_000_000_000n) continue;
      const time = Number(order.timeNs / 1000n);
      const next = sessions.filter((one) => one.productId === order.productId && one.settledAt > time);
      const session = next[0] && known.get(`${order.productId} ${next[0].settledAt}`);
      if (session === undefined) continue;
      looked += 1;
      expect(session.volume).toBeGreaterThanOrEqual(order.filled);
      expect(order.filledTicks).toBeGreaterThanOrEqual(order.filled * (session.ohlc?.low ?? Infinity));
      expect(order.filledTicks).toBeLessThanOrEqual(order.filled * (session.ohlc?.high ?? -Infinity));
    }
    expect(looked).toBeGreaterThan(1_000);
  });

  it('has the trades of the last days, which add up to their sessions, to the cent', () => {
    let looked = 0;
    for (const session of sessions) {
      if (session.settledAt < NOW - 2 * DAY) continue;
      const from = session.settledAt - DAY;
      const own = trades.filter(
        ({ productId, time }) => productId === session.productId && time >= from && time < session.settledAt,
      );
      looked += own.length;
      expect(session.volume ?? 0).toBe(own.reduce((sum, { quantity }) => sum + quantity, 0));
      expect(session.cents ?? 0).toBe(own.reduce((sum, { cents }) => sum + cents, 0));
    }
    expect(looked).toBeGreaterThan(2_000);
  });

  it('has a product that never traded, a day without open interest, and no open interest yet for the last session', () => {
    const dormant = [...setup.products.values()].filter(isDormant).map(({ id }) => id);
    const silent = sessions.filter(({ productId }) => dormant.includes(productId));
    expect(silent.length).toBeGreaterThan(20);
    for (const { volume, cents, ohlc, openInterest } of silent) {
      expect([volume, cents, ohlc, openInterest]).toEqual([null, null, null, null]);
    }
    const btc = sessions.filter(({ productId }) => productId === 5614);
    expect(btc.filter(({ openInterest }) => openInterest === null).map(({ date }) => date)).toEqual(['2026-08-07']);
    const before = [...makeHistory(taskOf(newSetup(), { until: micros('2026-08-20T12:00:00Z') }))];
    const last = before.flatMap((day) => day.sessions ?? []).findLast(({ productId }) => productId === 5614);
    expect(last?.date).toBe('2026-08-19');
    expect(last?.openInterest).toBeNull();
  });

  it('never opens or closes more contracts in a day than traded in it', () => {
    for (const [id, own] of Map.groupBy(sessions, ({ productId }) => productId)) {
      let before = 0;
      for (const { openInterest, volume, settledAt } of own) {
        const product = setup.products.get(id);
        if (openInterest === null || settledAt === product?.expiresAt) continue;
        if (!own.some((other) => other.openInterest === null)) {
          expect(Math.abs(openInterest - before)).toBeLessThanOrEqual(volume ?? 0);
        }
        before = openInterest;
      }
    }
  });

  it('generates a history at any hour of any day', () => {
    for (let hours = 0; hours < 7 * 24; hours += 5) {
      const until = NOW + hours * 3_600_000_000;
      const days = [
        ...makeHistory(taskOf(newSetup(), { genesis: until, from: until - 2 * DAY, until, orders: 20, working: 20 })),
      ];
      expect(days.flatMap((day) => day.orders ?? [])).toHaveLength(40);
      expect(days.flatMap((day) => day.sessions ?? []).filter(({ productId }) => productId === 5614)).toHaveLength(2);
    }
  });
});
