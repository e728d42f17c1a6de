import { describe, expect, it } from 'vitest';
import { micros, openTestSimulation, type TestSimulation } from '#testing/simulation/open-test-simulation.ts';
import { createRandom } from '../core/random.ts';

const START = '2026-08-19T15:00:00Z';
/** An instant past the end of a funding interval, a session, and the next session's opening. */
const END = '2026-08-20T00:30:00Z';

/** Reads everything that can be read. */
async function readAll({ exchange }: TestSimulation): Promise<object> {
  const ids = [...exchange.products().keys()];
  const since = { from: micros('2026-08-16T00:00:00Z'), until: micros(END) };
  return {
    working: exchange.workingOrders({}),
    orders: await exchange.ordersPage({ filter: {}, direction: 'desc', limit: 1000 }),
    sessions: await exchange.sessions(since),
    funding: await exchange.funding({ ...since, productIds: ids, direction: 'asc', limit: 1000 }),
    live: ids.map((id) => [id, exchange.trailing(id), exchange.today(id), exchange.estimate(id)]),
  };
}

describe('two exchanges of one seed and one clock', () => {
  it('are equal, however often they were read and written on the way', async () => {
    const [one, other] = [await openTestSimulation({ start: START }), await openTestSimulation({ start: START })];
    const random = createRandom(7, 'looks');
    for (let at = micros(START); at < micros(END); at += random.between(1, 240) * 1_000_000) {
      await one.advanceTo(new Date(at / 1000).toISOString());
    }
    await one.advanceTo(END);
    await other.advanceTo(END);
    expect(await readAll(one)).toEqual(await readAll(other));
  });

  it('differ with another seed', async () => {
    const [one, other] = [
      await openTestSimulation({ start: START }),
      await openTestSimulation({ start: START, seed: 8 }),
    ];
    expect(one.exchange.workingOrders({})).not.toEqual(other.exchange.workingOrders({}));
  });
});
