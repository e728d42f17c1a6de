import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sign } from '#testing/http/open-venue-api.ts';
import { startPostgres, type PostgresServer } from '#testing/postgres-server.ts';
import { startProcess } from '#testing/start-process.ts';

const credential = { connectionId: '3f', token: 'ab'.repeat(32), accounts: null };
const SMALL = ['--port', '0', '--orders', '50', '--working', '20', '--history-days', '2', '--budget', '0'];
const SECONDS = 1_000;

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  server.resume();
  await server.stop();
});

it.each(['on', 'off'])(
  'responds with a 503 and ends within seconds while its database hangs, with --live %s',
  { timeout: 60_000 },
  async (live) => {
    const options = [...SMALL, '--live', live, '--store', await server.createDatabase()];
    const venue = await startProcess('src/venue/main.ts', options, { VENUE_CREDENTIAL: `3f:${credential.token}` });
    const orders = '/v1/prod/orders';
    const read = (): Promise<Response> =>
      fetch(venue.address + orders, { headers: sign(orders, credential, 'GET', Date.now() * 1_000) });
    expect((await read()).status).toBe(200);
    server.suspend();
    const start = performance.now();
    const response = await read();
    expect({ status: response.status, body: await response.text() }).toEqual({
      status: 503,
      body: 'The exchange cannot respond now. Try again later.',
    });
    expect(performance.now() - start).toBeLessThan(10 * SECONDS);
    const stopped = await Promise.race([venue.stop(), sleep(12 * SECONDS).then(() => 'still running')]);
    server.resume();
    if (stopped === 'still running') await venue.kill();
    expect(stopped).toBe(0);
  },
);
