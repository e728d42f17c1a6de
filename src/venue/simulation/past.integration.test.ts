import { beforeAll, describe, expect, it } from 'vitest';
import { isMeanWithin, PAST_RULES, type Past } from '#testing/simulation/past-rules.ts';
import { openRecords, openTestSimulation, type TestSimulation } from '#testing/simulation/open-test-simulation.ts';
import { createPrices } from './prices.ts';

async function readPast({ exchange, products }: TestSimulation, seed: number): Promise<Past> {
  const all = { from: 0, until: exchange.now() + 1 };
  const perpetuals = [...products.values()].filter(({ kind }) => kind === 'perpetual').map(({ id }) => id);
  return {
    products,
    prices: createPrices({ seed, products, coarse: true }),
    sessions: await exchange.sessions(all),
    funding: await exchange.funding({ ...all, productIds: perpetuals, direction: 'asc', limit: 1_000_000 }),
  };
}

const DAY = 86_400_000_000;

interface Case {
  readonly what: string;
  readonly seed: number;
  readonly start: string;
  readonly historyDays: number;
  /** The exchange stops at each of these instants except the last, and starts again at the next one. */
  readonly live: readonly string[];
}

const CASES: readonly Case[] = [
  { what: 'two years', seed: 7, start: '2026-11-25T06:32:00Z', historyDays: 730, live: [] },
  {
    what: 'from midnight, when funding settles',
    seed: 1,
    start: '2026-08-20T00:00:00Z',
    historyDays: 30,
    live: ['2026-08-20T21:00:01Z'],
  },
  {
    what: 'from a settlement',
    seed: 2,
    start: '2026-08-19T21:00:00Z',
    historyDays: 30,
    live: ['2026-08-20T21:00:00Z'],
  },
  {
    what: 'from a minute before a settlement',
    seed: 3,
    start: '2026-08-19T20:59:00Z',
    historyDays: 30,
    live: ['2026-08-19T21:00:00Z'],
  },
  {
    what: 'when clocks go back',
    seed: 4,
    start: '2026-10-31T20:59:00Z',
    historyDays: 30,
    live: ['2026-11-01T22:00:00Z'],
  },
  {
    what: 'when clocks go forward',
    seed: 5,
    start: '2026-03-07T21:59:00Z',
    historyDays: 30,
    live: ['2026-03-08T21:00:00Z'],
  },
  { what: 'at an expiry', seed: 6, start: '2026-08-28T15:30:00Z', historyDays: 30, live: ['2026-08-28T21:00:00Z'] },
  {
    what: 'over downtimes',
    seed: 8,
    start: '2026-08-18T20:50:00Z',
    historyDays: 30,
    live: [
      '2026-08-18T23:50:00Z',
      '2026-08-19T00:20:00Z',
      '2026-08-19T02:00:00Z',
      '2026-08-24T15:00:00Z',
      '2026-08-24T20:59:59.999Z',
      '2026-08-24T21:05:00Z',
    ],
  },
];

async function liveThrough({ start, seed, historyDays, live }: Case): Promise<TestSimulation> {
  const records = await openRecords();
  const options = { records, seed, historyDays, orders: 4_000, working: 400, frozen: live.length === 0 };
  let world = await openTestSimulation({ ...options, start });
  for (const [at, instant] of live.entries()) {
    if (at % 2 === 0) await world.advanceTo(instant);
    else world = await openTestSimulation({ ...options, start: instant });
  }
  return world;
}

describe.each(CASES)('the past agrees with itself, $what (seed $seed)', (given) => {
  let world: TestSimulation;
  let past: Past;

  beforeAll(async () => {
    world = await liveThrough(given);
    past = await readPast(world, given.seed);
  }, 60_000);

  it.each(Object.entries(PAST_RULES))(
    '%s',
    (_, judge) => {
      const { looked, broken } = judge(past);
      expect(looked).toBeGreaterThan(500);
      expect(broken.slice(0, 5)).toEqual([]);
    },
    30_000,
  );

  it('the mean price of the last 24 hours is between the lows and the highs of the sessions that they touch', () => {
    const settled = past.sessions.filter(({ settledAt }) => settledAt > world.exchange.now() - DAY);
    const traded = [...world.products.values()].filter(({ id }) => world.exchange.trailing(id) !== null);
    expect(traded.length).toBeGreaterThan(15);
    for (const product of traded) {
      const own = settled.filter(({ productId }) => productId === product.id);
      const touched = [...own, world.exchange.today(product.id)].flatMap(({ ohlc }) => ohlc ?? []);
      const prices = {
        low: Math.min(...touched.map(({ low }) => low)),
        high: Math.max(...touched.map(({ high }) => high)),
      };
      const turnover = world.exchange.trailing(product.id) ?? { volume: 0, cents: 0 };
      expect(isMeanWithin(product, prices, turnover), product.symbol).toBe(true);
    }
  });
});
