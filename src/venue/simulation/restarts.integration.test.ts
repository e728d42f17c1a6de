import { describe, expect, it } from 'vitest';
import { openRecords, openTestSimulation, type TestSimulation } from '#testing/simulation/open-test-simulation.ts';
import { scheduleOf, sessionAt } from '../market/calendar.ts';
import { requireProduct } from '../core/model.ts';
import type { Order } from '#contract/exchange/order.ts';
import { toTradeRetentionStart } from './history/history.ts';
import { createRandom, type Random } from '../core/random.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY_MICROS = 24 * HOUR * 1000;
const BTC = 5614;

const iso = (millis: number): string => new Date(millis).toISOString();

/** Draws downtimes from zero to nine days: simulated, at the limit, and generated. */
function drawGap(random: Random): number {
  const longer = [random.between(0, 24 * HOUR), random.between(0, 9 * 24 * HOUR)] as const;
  return random.pick([0, 5 * MINUTE, 10 * MINUTE, 11 * MINUTE, ...longer]);
}

/** Runs, stops and restarts the exchange five times. */
async function liveInPieces(seed: number): Promise<TestSimulation> {
  const random = createRandom(seed, 'pieces');
  let at = Date.parse('2026-01-01T00:00:00Z') + random.between(0, 300 * 24 * HOUR);
  const records = await openRecords();
  let world = await openTestSimulation({ start: iso(at), records, seed, historyDays: 4, orders: 50, working: 100 });
  for (let piece = 0; piece < 5; piece++) {
    at += random.between(0, 3 * HOUR);
    await world.advanceTo(iso(at));
    at += drawGap(random);
    world = await openTestSimulation({ start: iso(at), records });
    await world.advanceTo(iso(at));
  }
  return world;
}

async function checkSessions({ exchange, store, products }: TestSimulation): Promise<void> {
  const now = exchange.now();
  const sessions = await exchange.sessions({ from: 0, until: now + 1 });
  expect(new Set(sessions.map(({ productId, date }) => `${productId} ${date}`)).size).toBe(sessions.length);
  const days = sessions.filter(({ productId }) => productId === BTC).map(({ date }) => Date.parse(date));
  for (const [at, day] of days.slice(1).entries()) expect(day - (days[at] ?? 0)).toBe(24 * HOUR);

  const { trades = [] } = (await store.load(0)) ?? {};
  const sums = new Map<string, number>();
  for (const { productId, time, quantity } of trades) {
    const key = `${productId} ${sessionAt(scheduleOf(requireProduct(products, productId).kind), time).settle}`;
    sums.set(key, (sums.get(key) ?? 0) + quantity);
  }
  const recent = sessions.filter(({ settledAt }) => settledAt > now - 2.5 * DAY_MICROS);
  expect(recent.length).toBeGreaterThan(30);
  for (const { productId, settledAt, volume } of recent)
    expect(sums.get(`${productId} ${settledAt}`) ?? null).toBe(volume);
}

async function checkFunding({ exchange, store }: TestSimulation): Promise<void> {
  const query = { productIds: [BTC], from: 0, until: exchange.now() + 1, direction: 'asc', limit: 1000 } as const;
  const intervals = await exchange.funding(query);
  expect(intervals.length).toBeGreaterThan(10);
  for (const [at, { start }] of intervals.slice(1).entries()) expect(start).toBe(intervals[at]?.end);
  const { samples = [] } = (await store.load(0)) ?? {};
  const numbers = samples.filter(({ productId }) => productId === BTC).map(({ i }) => i);
  for (const [at, i] of numbers.entries()) expect(i).toBe(at + 1);
}

function checkBook({ exchange, products }: TestSimulation): void {
  const orders = exchange.workingOrders({}).map((text) => JSON.parse(text) as Order);
  expect(orders.length).toBeGreaterThan(5);
  for (const [id, own] of Map.groupBy(orders, ({ product_id }) => Number(product_id))) {
    const { kind, expiresAt } = requireProduct(products, id);
    expect(expiresAt ?? Infinity).toBeGreaterThan(exchange.now());
    const prices = (side: string): number[] =>
      own.filter((order) => order.side === side).map(({ price }) => Number(price));
    expect(Math.max(-Infinity, ...prices('Bid'))).toBeLessThan(Math.min(Infinity, ...prices('Ask')));
    for (const { time, time_in_force } of own) {
      const settle = sessionAt(scheduleOf(kind), Date.parse(time) * 1000).settle;
      if (time_in_force === 'Day') expect(settle).toBeGreaterThan(exchange.now());
    }
  }
}

describe('an exchange that restarts again and again, at any hour and after any time', () => {
  it.each([1, 2, 3, 4])('has everything once (seed %i)', async (seed) => {
    const world = await liveInPieces(seed);
    await checkSessions(world);
    await checkFunding(world);
    checkBook(world);
    await world.store.close();
  });
});

describe('an exchange that runs for a few minutes each morning', () => {
  it('deletes old trades like one that never stops', async () => {
    const first = Date.parse('2026-08-19T17:00:00Z');
    const records = await openRecords();
    const liveOnDay = async (day: number): Promise<TestSimulation> => {
      const start = first + day * 24 * HOUR;
      const world = await openTestSimulation({ start: iso(start), records, orders: 50, working: 100 });
      await world.advanceTo(iso(start + 5 * MINUTE));
      return world;
    };
    let world = await liveOnDay(0);
    for (let day = 1; day <= 6; day++) world = await liveOnDay(day);

    const { trades = [] } = (await records.store.load(0)) ?? {};
    expect(trades[0]?.time).toBeGreaterThan(toTradeRetentionStart(world.exchange.now()) - DAY_MICROS);
    await records.store.close();
  });
});
