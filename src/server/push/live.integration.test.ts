import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect, onTestFinished, test } from 'vitest';
import { responds } from '#testing/faults/behaviours.ts';
import { openFault, PUBLIC, type Fault } from '#testing/faults/open-fault.ts';
import { sampleResponses } from '#testing/sample-responses.ts';

const LIVE = '/api/desk/live';
const WORKING = `${LIVE}?topic=working-orders`;
const [order] = sampleResponses.ordersWorking;
const listOf = (...orders: readonly object[]) => responds({ body: JSON.stringify(orders) });

interface LiveClient {
  readonly response: IncomingMessage;
  readonly events: readonly EventSourceMessage[];
  readonly lastId: () => string;
  readonly close: () => void;
}

/** Follows like a browser, which decompresses while it receives. */
async function follow(fault: Fault, path: string, headers: Readonly<Record<string, string>> = {}): Promise<LiveClient> {
  const { hostname, port } = new URL(fault.address);
  const sent = httpRequest({
    host: hostname,
    port,
    path,
    headers: { 'accept-encoding': 'gzip', ...headers },
    agent: false,
  });
  const response = await new Promise<IncomingMessage>(
    (resolve, reject) => void sent.once('response', resolve).once('error', reject).end(),
  );
  const events: EventSourceMessage[] = [];
  let id = '';
  const parser = createParser({
    onEvent: (event) => void events.push(event),
    onId: (next) => {
      id = next;
    },
  });
  const body = response.headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip({ flush: 2 })) : response;
  body.setEncoding('utf8').on('data', (text: string) => {
    parser.feed(text);
  });
  for (const stream of [response, body, sent]) stream.on('error', () => undefined);
  const close = (): void => void sent.destroy();
  onTestFinished(close);
  return { response, events, lastId: () => id, close };
}

const named = ({ events }: LiveClient, name: string): readonly Record<string, unknown>[] =>
  events.filter(({ event }) => event === name).map(({ data }) => JSON.parse(data) as Record<string, unknown>);
const readsOf = ({ venue }: Fault): number => venue.requests.filter(({ target }) => target.includes('/working')).length;

async function openWithOrders(): Promise<Fault> {
  const fault = await openFault({ clockRuns: true });
  // Syncs the clock for the signature.
  await fault.send(PUBLIC);
  fault.venue.alwaysDoes(listOf(order));
  return fault;
}

test('a stream begins with all that there is, and goes on with what changed', async () => {
  const fault = await openWithOrders();
  const client = await follow(fault, WORKING);
  expect(client.response.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'content-encoding': 'gzip',
  });
  await expect.poll(() => named(client, 'read')).toHaveLength(1);
  expect(named(client, 'snapshot')).toMatchObject([
    { topic: 'working-orders', keyed: true, rows: [order], fields: { complete: true } },
  ]);
  expect(named(client, 'read')).toMatchObject([
    { topic: 'working-orders', every_seconds: 5, shared_by: 1, age_seconds: 0 },
  ]);
  fault.venue.alwaysDoes(listOf({ ...order, price: 777 }));
  await expect
    .poll(() => named(client, 'delta'))
    .toEqual([
      { topic: 'working-orders', account: order.account_id, set: [[order.id, { price: 777 }]], added: [], gone: [] },
    ]);
  await expect.poll(() => named(client, 'read').length).toBeGreaterThan(1);
});

test('who comes back with its last id is sent what it missed; with another, all', async () => {
  const fault = await openWithOrders();
  const [leaver, stayer] = [await follow(fault, WORKING), await follow(fault, WORKING)];
  await expect.poll(leaver.lastId).not.toBe('');
  leaver.close();
  fault.venue.alwaysDoes(listOf({ ...order, price: 777 }));
  await expect.poll(() => named(stayer, 'delta')).toHaveLength(1);
  // Other messages follow every few seconds.
  const firstTwo = (client: LiveClient) => client.events.slice(0, 2).map(({ event }) => event);
  const back = await follow(fault, WORKING, { 'last-event-id': leaver.lastId() });
  await expect.poll(() => firstTwo(back)).toEqual(['delta', 'read']);
  const stranger = await follow(fault, WORKING, { 'last-event-id': 'of-another-process' });
  await expect.poll(() => firstTwo(stranger)).toEqual(['snapshot', 'read']);
  const fresh = await follow(fault, `${WORKING}&topic=status&fresh=status`, { 'last-event-id': back.lastId() });
  await expect.poll(() => named(fresh, 'read').map(({ topic }) => topic)).toContain('status');
  expect(named(fresh, 'snapshot').map(({ topic }) => topic)).toEqual(['status']);
});

test('fifty streams cost the exchange as many reads as one, and nobody none', async () => {
  const fault = await openWithOrders();
  const clients = await Promise.all(Array.from({ length: 50 }, () => follow(fault, WORKING)));
  const received = () => clients.map((client) => named(client, 'read').length);
  await expect.poll(() => Math.min(...received())).toBeGreaterThan(1);
  // Independent of how long that took; the next reading may be in progress.
  expect(readsOf(fault)).toBeLessThanOrEqual(Math.max(...received()) + 1);
  for (const client of clients) expect(named(client, 'read').at(-1)).toMatchObject({ shared_by: 50 });
  for (const { close } of clients) close();
  const after = await follow(fault, `${LIVE}?topic=status`);
  await expect.poll(() => named(after, 'read').length).toBe(1);
  const read = readsOf(fault);
  // A cadence of the status is longer than one of the orders.
  await expect.poll(() => named(after, 'read').length).toBe(2);
  expect(readsOf(fault)).toBe(read);
});

test('a failure is sent, and the recovery after it', async () => {
  const fault = await openWithOrders();
  const client = await follow(fault, WORKING, { 'accept-encoding': 'identity' });
  expect(client.response.headers['content-encoding']).toBeUndefined();
  await expect.poll(() => named(client, 'read')).toHaveLength(1);
  fault.venue.alwaysDoes(responds({ status: 500 }));
  await expect
    .poll(() => named(client, 'failed').slice(0, 1))
    .toMatchObject([{ topic: 'working-orders', problem: { type: 'urn:perpdesk:problem:venue-fault' } }]);
  const before = named(client, 'read').length;
  fault.venue.alwaysDoes(listOf(order));
  await expect.poll(() => named(client, 'read').length).toBeGreaterThan(before);
});

test.each([
  ['no topic', '', 'A topic to follow must be given.'],
  ['an unknown topic', '?topic=weather', 'topic must be one of'],
  ['an unknown parameter of a topic', '?topic=status%3Fday%3D1', 'day is not a parameter of topic status.'],
  ['a bad value', '?topic=working-orders%3Fproduct_id%3Dx', 'product_id must be a product ID'],
  ['a missing parameter', '?topic=funding-estimates', 'The topic funding-estimates needs base_symbol.'],
  ['another parameter', '?topic=status&since=1', 'since is not a parameter of /api/desk/live.'],
])('%s is rejected', async (_, query, detail) => {
  const fault = await openFault();
  const { status, body } = await fault.send(LIVE + query);
  expect({ status, problem: JSON.parse(body.toString()) as unknown }).toMatchObject({
    status: 400,
    problem: { type: 'urn:perpdesk:problem:bad-parameter', detail: expect.stringContaining(detail) as string },
  });
});

test('a HEAD request receives the headers only', async () => {
  const fault = await openFault();
  const { status, headers, body } = await fault.send(`${LIVE}?topic=status`, { method: 'HEAD' });
  expect({ status, type: headers['content-type'], length: body.byteLength }).toEqual({
    status: 200,
    type: 'text/event-stream',
    length: 0,
  });
});
