import { afterAll, beforeAll, expect, test } from 'vitest';
import { DESK_ENDPOINTS, type DeskWorking } from '#contract/desk/desk.ts';
import { createParser } from '#contract/parse/parse.ts';
import { startDesk, type StartedDesk } from '#testing/start-desk.ts';

const WORKING = 12_000;
let desk: StartedDesk;

beforeAll(async () => {
  desk = await startDesk({ venue: ['--working', String(WORKING)] });
}, 120_000);

afterAll(async () => {
  await desk.stop();
});

async function readWorking(query = ''): Promise<DeskWorking> {
  const received = await fetch(`${desk.api}/desk/working${query}`);
  expect(received.status).toBe(200);
  const { response, rows } = DESK_ENDPOINTS.working;
  return createParser(response, rows).strict(await received.text());
}

test('more orders than one response may hold are read in parts and proven complete', { timeout: 60_000 }, async () => {
  const rejected = await fetch(`${desk.api}/orders/working`);
  expect(rejected.status).toBe(400);
  expect(await rejected.json()).toMatchObject({ type: 'urn:perpdesk:problem:too-many-working-orders' });
  const { orders, complete, parts, unproven } = await readWorking();
  expect({ complete, unproven, count: orders.length }).toEqual({ complete: true, unproven: [], count: WORKING });
  expect(new Set(orders.map(({ id }) => id)).size).toBe(WORKING);
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(WORKING);
});

test('orders that fit into one response are one part, with the requested filter', async () => {
  const { orders } = await readWorking();
  const account = orders[0]?.account_id ?? '';
  const part = await readWorking(`?account_id=${account}`);
  expect(part.parts).toMatchObject([{ filter: { account_id: account }, count: part.orders.length }]);
  expect(part.orders).toHaveLength(orders.filter(({ account_id }) => account_id === account).length);
});

test('an unknown filter is rejected by name', async () => {
  const received = await fetch(`${desk.api}/desk/working?limit=5`);
  expect(received.status).toBe(400);
  expect(await received.json()).toMatchObject({ type: 'urn:perpdesk:problem:bad-parameter', parameter: 'limit' });
});

test('the directory lists every product with its specification', async () => {
  const received = await fetch(`${desk.api}/desk/products`);
  const { response, rows } = DESK_ENDPOINTS.products;
  const { source, products } = createParser(response, rows).strict(await received.text());
  expect(source).toBe('product/specs');
  expect(products.filter(({ product_status }) => product_status === 'active').length).toBeGreaterThan(60);
});
