import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BASE, credential, openVenueApi, type OpenVenueApi } from '#testing/http/open-venue-api.ts';
import { createSmallExchange, type SmallExchange } from '#testing/http/small-exchange.ts';
import { makeOrder, START, theirs } from '#testing/http/small-universe.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('read-orders.py', import.meta.url));

let small: SmallExchange;
let api: OpenVenueApi;

beforeAll(async () => {
  small = await createSmallExchange(START);
  await small.accept(Array.from({ length: 25 }, (_, n) => makeOrder(n)));
  await small.accept([makeOrder(100, { account: theirs })]);
  api = await openVenueApi(small.exchange);
});

afterAll(async () => {
  await api.close();
  await small.close();
});

async function readOrders(token: string, ...filters: readonly string[]): Promise<readonly { readonly id: string }[]> {
  const env = {
    BASE_URL: `http://127.0.0.1:${String(api.port)}${BASE}`,
    CONNECTION_ID: credential.connectionId,
    AUTH_TOKEN: token,
  };
  const { stdout } = await run('python3', [script, ...filters], { env: { ...process.env, ...env } });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly id: string });
}

test('a client in another language, written from the signing rules, reads every order once by its cursors', async () => {
  const orders = await readOrders(credential.token, 'limit=10', 'end_time=2026-08-17T18:00:00Z');
  expect(orders.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, n) => String(makeOrder(n).id)));
});

test('its filters are signed as they are sent', async () => {
  const orders = await readOrders(credential.token, 'begin_time=2026-08-17T16:57:00Z', 'symbol=PBTCUCZ50', 'order=asc');
  expect(orders.map(({ id }) => id)).toEqual([3, 2, 1, 0].map((n) => String(makeOrder(n).id)));
});

test('with a wrong token it is refused', async () => {
  await expect(readOrders('0'.repeat(64))).rejects.toThrow('401');
});
