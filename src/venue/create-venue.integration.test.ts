import { once } from 'node:events';
import { createServer } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { credential, sign } from '#testing/http/open-venue-api.ts';
import { createVenue, type VenueOptions, type VenuePorts } from './create-venue.ts';

const CLOCK = Date.parse('2026-08-19T15:00:00Z');

const OPTIONS: VenueOptions = {
  store: ':memory:',
  seed: 7,
  orders: 100,
  working: 80,
  historyDays: 3,
  credentials: [{ ...credential, accounts: null }],
  budget: null,
  live: true,
  clock: CLOCK * 1000,
  speed: 1,
  persistLagMs: 500,
  activity: 1,
  cursors: { end: 'same', encoding: 'percent' },
};

/** Creates ports whose clock a test advances. */
function createPorts() {
  let wall = 1_000;
  let timers: (() => void)[] = [];
  const faults: unknown[] = [];
  const ports: VenuePorts = {
    wall: () => wall,
    elapsed: () => wall,
    setTimer: (call) => {
      timers.push(call);
      return () => {
        timers = timers.filter((timer) => timer !== call);
      };
    },
    pause: () => nextTurn(),
    randomHex: (bytes) => '5e'.repeat(bytes),
    report: (fault) => faults.push(fault),
  };
  const pass = async (milliseconds: number): Promise<void> => {
    wall += milliseconds;
    const due = timers;
    timers = [];
    for (const call of due) call();
    // The market sets its timer again after it has caught up.
    while (timers.length === 0) await nextTurn();
  };
  return { ports, pass, faults, timers: () => timers };
}

describe('createVenue', () => {
  it('serves its interface from any HTTP server', async () => {
    const { ports, faults } = createPorts();
    const venue = await createVenue(OPTIONS, ports);
    const server = createServer(venue.handle).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    const path = '/v1/prod/orders/working';
    const headers = sign(path, venue.credential, 'GET', venue.exchange.now());
    const reply = await fetch(base + venue.basePath + path, { headers });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toHaveLength(80);
    server.close();
    await venue.close();
    expect(faults).toEqual([]);
  });

  it('runs from start to close, by its own clock', async () => {
    const { ports, pass, timers } = createPorts();
    const venue = await createVenue(OPTIONS, ports);
    venue.start();
    while (timers().length === 0) await nextTurn();
    const before = venue.exchange.today(5614).volume ?? 0;
    for (let minute = 0; minute < 30; minute++) await pass(60_000);
    expect(venue.exchange.now()).toBe((CLOCK + 30 * 60_000) * 1000);
    expect(venue.exchange.today(5614).volume).toBeGreaterThan(before);
    await venue.close();
    expect(timers()).toEqual([]);
  });

  it('is frozen if configured so', async () => {
    const { ports, timers } = createPorts();
    const venue = await createVenue({ ...OPTIONS, live: false }, ports);
    venue.start();
    await nextTurn();
    expect(timers()).toEqual([]);
    await venue.close();
  });
});
