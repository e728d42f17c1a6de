import { describe, expect, it } from 'vitest';
import { openVenueApi, seesAll } from '#testing/http/open-venue-api.ts';
import { micros, openTestSimulation, type TestSimulation } from '#testing/simulation/open-test-simulation.ts';
import type { Order } from '#contract/exchange/order.ts';

const HOUR = 3_600_000_000;
const BTC = 5614;

async function live(start: string, end: string): Promise<TestSimulation> {
  const world = await openTestSimulation({ start, historyDays: 3, orders: 50, working: 150 });
  await world.advanceTo(end);
  return world;
}

const settlements = async ({ exchange }: TestSimulation, id: number, from: string): Promise<readonly string[]> => {
  const sessions = await exchange.sessions({ productIds: [id], from: micros(from), until: exchange.now() + 1 });
  return sessions.map(({ date, settledAt }) => `${date} ${new Date(settledAt / 1000).toISOString().slice(0, 16)}`);
};

const productNamed = ({ products }: TestSimulation, symbol: string): number =>
  [...products.values()].find((product) => product.symbol === symbol)?.id ?? 0;

/** Returns the intervals since then, each of eight hours and without a gap. */
async function checkFunding({ exchange }: TestSimulation, from: string, count: number): Promise<void> {
  const query = {
    productIds: [BTC],
    from: micros(from) + 1,
    until: exchange.now() + 1,
    direction: 'asc',
    limit: 100,
  } as const;
  const intervals = await exchange.funding(query);
  expect(intervals).toHaveLength(count);
  for (const [at, { start, end }] of intervals.entries()) {
    expect(end - start).toBe(8 * HOUR);
    expect(start % (8 * HOUR)).toBe(0);
    expect(start).toBe(micros(from) + at * 8 * HOUR);
  }
}

describe('the calendar, simulated', () => {
  it('settles an hour later in UTC when clocks go back in Chicago; funding follows UTC', async () => {
    const world = await live('2026-10-31T12:00:00Z', '2026-11-02T23:00:00Z');
    expect(await settlements(world, BTC, '2026-10-31T12:00:00Z')).toEqual([
      '2026-10-31 2026-10-31T21:00',
      '2026-11-01 2026-11-01T22:00',
      '2026-11-02 2026-11-02T22:00',
    ]);
    await checkFunding(world, '2026-10-31T08:00:00Z', 7);
  });

  it('settles an hour earlier in UTC when Chicago sets its clocks forward', async () => {
    const world = await live('2026-03-07T12:00:00Z', '2026-03-09T22:00:00Z');
    expect(await settlements(world, BTC, '2026-03-07T12:00:00Z')).toEqual([
      '2026-03-07 2026-03-07T22:00',
      '2026-03-08 2026-03-08T21:00',
      '2026-03-09 2026-03-09T21:00',
    ]);
    await checkFunding(world, '2026-03-07T08:00:00Z', 7);
    // Monday's session of dated futures opens on Sunday at 19:00 in Chicago: an hour earlier in UTC than the week before.
    const future = productNamed(world, 'BUSM26');
    expect(await settlements(world, future, '2026-03-07T12:00:00Z')).toEqual(['2026-03-09 2026-03-09T21:00']);
    const { trades } = (await world.store.load(micros('2026-03-07T12:00:00Z'))) ?? { trades: [] };
    const own = trades.filter(({ productId }) => productId === future);
    expect(own.length).toBeGreaterThan(3);
    expect(own[0]?.time).toBeGreaterThan(micros('2026-03-09T00:00:00Z'));
  });

  it('selects with day the orders of a trading day: 25 hours when clocks go back, whatever midnight UTC', async () => {
    const world = await live('2026-10-31T18:00:00Z', '2026-11-02T01:00:00Z');
    const door = await openVenueApi(world.exchange);
    const ordersOf = async (day: string): Promise<Order[]> => {
      const reply = await door.getSigned(`/v1/prod/orders?day=${day}&limit=1000&order=asc&symbol=PBTCUCZ50`, seesAll);
      expect(reply.status).toBe(200);
      return (JSON.parse(reply.text) as { data: Order[] }).data;
    };
    const day = await ordersOf('2026-11-01');
    const next = await ordersOf('2026-11-02');
    await door.close();
    const times = day.map(({ time }) => String(time));
    expect(times.length).toBeGreaterThan(10);
    expect(times[0]?.slice(0, 13) ?? '').toMatch(/^2026-10-31T2[123]$/);
    expect(times.every((time) => time >= '2026-10-31T21:00' && time < '2026-11-01T22:00')).toBe(true);
    expect(times.some((time) => time >= '2026-11-01T00:00')).toBe(true);
    expect(times.some((time) => time >= '2026-11-01T21:00' || time < '2026-10-31T22:00')).toBe(true);
    expect(next.every(({ time }) => String(time) >= '2026-11-01T22:00')).toBe(true);
  });

  it('settles funding of an interval that ends at midnight UTC and crosses the end of a session', async () => {
    const world = await live('2026-08-19T15:59:00Z', '2026-08-20T00:00:30Z');
    const { samples } = (await world.store.load(0)) ?? { samples: [] };
    // The loaded interval is the current one: two of its samples are due.
    expect(samples.filter(({ productId }) => productId === BTC).map(({ i }) => i)).toEqual([1, 2]);
    const query = { productIds: [BTC], from: micros('2026-08-20T00:00:00Z'), until: micros('2026-08-20T00:00:01Z') };
    const [interval] = await world.exchange.funding({ ...query, direction: 'asc', limit: 10 });
    expect(interval).toMatchObject({ start: micros('2026-08-19T16:00:00Z'), end: micros('2026-08-20T00:00:00Z') });
    expect(world.exchange.estimate(BTC)).toMatchObject({ start: micros('2026-08-20T00:00:00Z') });
  });

  it('delists a contract at its expiry, closes its GTC orders, and lists the one that follows', async () => {
    const world = await live('2026-08-28T19:00:00Z', '2026-08-28T21:30:00Z');
    const expired = productNamed(world, 'BUSQ26');
    expect(world.exchange.workingOrders({ productId: expired })).toEqual([]);
    const page = await world.exchange.ordersPage({ filter: { productId: expired }, direction: 'desc', limit: 1000 });
    const rows = JSON.parse(`[${page.rows}]`) as Order[];
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ status }) => status)).not.toContain('Working');
    expect(rows.map(({ last_modified }) => String(last_modified).slice(0, 16))).toContain('2026-08-28T21:00');
    expect(world.products.get(productNamed(world, 'BUSF27'))?.listedAt).toBe(micros('2026-08-28T21:00:00Z'));
  });
});
