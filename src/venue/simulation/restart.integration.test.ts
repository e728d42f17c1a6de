import { describe, expect, it } from 'vitest';
import {
  micros,
  openRecords,
  openTestSimulation,
  type TestSimulation,
} from '#testing/simulation/open-test-simulation.ts';
import type { Store } from '../core/ports.ts';
import { settleRate, addSample, NO_SAMPLES } from '../market/funding.ts';
import type { Order } from '#contract/exchange/order.ts';

const HOUR = 3_600_000_000;
const START = '2026-08-19T17:00:00Z';
const LATER = '2026-08-19T18:00:05Z';

async function stopped(): Promise<TestSimulation> {
  const world = await openTestSimulation({ start: START, historyDays: 8 });
  await world.advanceTo(LATER);
  return world;
}

const resting = ({ exchange }: TestSimulation): Map<string, Order> =>
  new Map(
    exchange
      .workingOrders({})
      .map((text) => JSON.parse(text) as Order)
      .map((order) => [String(order.id), order]),
  );

const liveFigures = ({ exchange }: TestSimulation): readonly unknown[] => [
  exchange.trailing(5614),
  exchange.today(5614),
  exchange.estimate(5614),
];

/** Checks that no bid is at or above another account's ask. */
function expectUncrossed(world: TestSimulation): void {
  const orders = [...resting(world).values()];
  for (const [, own] of Map.groupBy(orders, ({ product_id }) => product_id)) {
    const prices = (side: string): number[] =>
      own.filter((order) => order.side === side).map(({ price }) => Number(price));
    expect(Math.max(-Infinity, ...prices('Bid'))).toBeLessThan(Math.min(Infinity, ...prices('Ask')));
  }
}

describe('an exchange that restarts', () => {
  it('is unchanged when no time has passed', async () => {
    const before = await stopped();
    const after = await openTestSimulation({ start: LATER, records: before });
    expect(resting(after)).toEqual(resting(before));
    for (const id of [5599, 5614, 6246]) {
      expect(after.exchange.trailing(id)).toEqual(before.exchange.trailing(id));
      expect(after.exchange.today(id)).toEqual(before.exchange.today(id));
      expect(after.exchange.estimate(id)).toEqual(before.exchange.estimate(id));
    }
  });

  it('keeps its settings, whatever it is given at the restart', async () => {
    const before = await stopped();
    const after = await openTestSimulation({
      start: LATER,
      records: before,
      seed: 99,
      orders: 5,
      working: 5,
      historyDays: 2,
    });
    expect(resting(after).size).toBe(resting(before).size);
    await after.advanceTo('2026-08-19T18:30:00Z');
    expectUncrossed(after);
  });

  it('simulates a downtime of ten minutes: orders were sent, every sample was taken', async () => {
    const before = await stopped();
    const after = await openTestSimulation({ start: '2026-08-19T18:10:05Z', records: before });
    await after.advanceTo('2026-08-19T18:10:05Z');
    const sent = await after.exchange.ordersPage({
      filter: {},
      direction: 'asc',
      limit: 1000,
      fromNs: BigInt(micros(LATER)) * 1000n,
    });
    expect(sent.count).toBeGreaterThan(15);
    const { samples } = (await after.store.load(0)) ?? { samples: [] };
    const own = samples.filter(({ productId }) => productId === 5614);
    expect(own.at(-1)?.i).toBe((2 * HOUR + HOUR / 6) / 15_000_000);
    expect(own.slice(1).every(({ i }, at) => i === (own[at]?.i ?? 0) + 1)).toBe(true);
    expectUncrossed(after);
  });

  it('generates the history of a longer downtime: sessions, funding, trades; no new orders, and due ones have expired', async () => {
    const before = await stopped();
    const old = resting(before);
    const after = await openTestSimulation({ start: '2026-08-24T15:00:00Z', records: before });
    const sessions = await after.exchange.sessions({
      productIds: [5614],
      from: micros(LATER),
      until: after.exchange.now(),
    });
    expect(sessions.map(({ date }) => date)).toEqual([
      '2026-08-19',
      '2026-08-20',
      '2026-08-21',
      '2026-08-22',
      '2026-08-23',
    ]);
    expect(sessions.every(({ volume, openInterest }) => (volume ?? 0) > 0 && openInterest !== null)).toBe(true);
    const query = {
      productIds: [5614],
      from: micros(LATER),
      until: after.exchange.now(),
      direction: 'asc',
      limit: 100,
    } as const;
    expect(await after.exchange.funding(query)).toHaveLength(14);
    expect(after.exchange.trailing(5614)?.volume).toBeGreaterThan(100);

    const now = resting(after);
    expect(now.size).toBeGreaterThan(20);
    expect(now.size).toBeLessThan(old.size);
    expect([...now.keys()].every((id) => old.has(id))).toBe(true);
    expect([...now.values()].map(({ time_in_force }) => time_in_force)).not.toContain('Day');
    await after.advanceTo('2026-08-24T15:30:00Z');
    expectUncrossed(after);
  });

  it('completes the session in progress from its earlier trades', async () => {
    const before = await stopped();
    const traded = before.exchange.today(5614).volume ?? 0;
    const after = await openTestSimulation({ start: '2026-08-21T15:00:00Z', records: before });
    const [session] = await after.exchange.sessions({
      productIds: [5614],
      from: micros(LATER),
      until: after.exchange.now(),
    });
    expect(session?.date).toBe('2026-08-19');
    expect(session?.volume).toBeGreaterThan(traded);
    const { trades } = (await after.store.load(0)) ?? { trades: [] };
    const own = trades.filter(
      ({ productId, time }) =>
        productId === 5614 && time < (session?.settledAt ?? 0) && time >= (session?.settledAt ?? 0) - 24 * HOUR,
    );
    expect(own.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(session?.volume);
  });

  it('completes the current funding interval from its own samples', async () => {
    const before = await stopped();
    const { samples } = (await before.store.load(0)) ?? { samples: [] };
    const own = samples.filter(({ productId }) => productId === 5614);
    expect(own).toHaveLength(480);
    const after = await openTestSimulation({ start: '2026-08-20T03:00:00Z', records: before });
    const query = {
      productIds: [5614],
      from: micros('2026-08-20T00:00:00Z'),
      until: after.exchange.now(),
      direction: 'asc',
      limit: 10,
    } as const;
    const [interval] = await after.exchange.funding(query);
    const partial = own.reduce((sums, { i, premium }) => addSample(sums, i, premium), NO_SAMPLES);
    expect(interval?.start).toBe(micros('2026-08-19T16:00:00Z'));
    expect(Math.abs((interval?.rate ?? 1) - (settleRate(partial) ?? 0))).toBeLessThan(0.01);
  });

  it('generates its history again if it was interrupted, without duplicates', async () => {
    const whole = await openTestSimulation({ start: START, historyDays: 8, frozen: true });
    const records = await openRecords();
    const half = { ...records.store, commit: failAfter(3, records.store.commit) };
    const wishes = { start: START, historyDays: 8, frozen: true };
    await expect(openTestSimulation({ ...wishes, records: { ...records, store: half } })).rejects.toThrow(
      'the disk is full',
    );
    const again = await openTestSimulation({ ...wishes, records });
    expect(resting(again)).toEqual(resting(whole));
    for (const id of [5599, 5614, 6246]) expect(again.exchange.trailing(id)).toEqual(whole.exchange.trailing(id));
  });

  it('is frozen if configured so: only the clock changes', async () => {
    const before = await stopped();
    const frozen = await openTestSimulation({ start: LATER, records: before, frozen: true });
    const then = liveFigures(frozen);
    await frozen.advanceTo('2026-08-25T18:00:00Z');
    expect(frozen.exchange.now()).toBe(micros('2026-08-25T18:00:00Z'));
    expect(liveFigures(frozen)).toEqual(then);
    expect(resting(frozen)).toEqual(resting(before));
  });

  it('stops if a step could not be stored: only the clock changes', async () => {
    const records = await openRecords();
    let isFull = false;
    const commit: Store['commit'] = (...args) =>
      isFull ? Promise.reject(new Error('the disk is full')) : records.store.commit(...args);
    const failing = { ...records, store: { ...records.store, commit } };
    const halted = await openTestSimulation({ start: START, historyDays: 8, records: failing });
    await halted.advanceTo(LATER);
    const then = [...liveFigures(halted), resting(halted)];
    isFull = true;
    await expect(halted.advanceTo('2026-08-19T18:01:00Z')).rejects.toThrow('the disk is full');
    isFull = false;
    await expect(halted.advanceTo('2026-08-20T03:01:00Z')).rejects.toThrow('the disk is full');
    expect(halted.exchange.now()).toBe(micros('2026-08-20T03:01:00Z'));
    expect([...liveFigures(halted), resting(halted)]).toEqual(then);
  });
});

function failAfter<Args extends readonly unknown[]>(count: number, commit: (...args: Args) => Promise<void>) {
  let calls = 0;
  return (...args: Args): Promise<void> => {
    calls += 1;
    return calls > count ? Promise.reject(new Error('the disk is full')) : commit(...args);
  };
}
