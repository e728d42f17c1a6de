import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BASE, credential, openVenueApi, seesAll, sign, type OpenVenueApi } from '#testing/http/open-venue-api.ts';
import { createSmallExchange, type SmallExchange } from '#testing/http/small-exchange.ts';
import { makeOrder, near, ours, ourOther, START } from '#testing/http/small-universe.ts';
import type { Order } from '../core/model.ts';
import type { Exchange } from '../core/ports.ts';

const WORKING = '/v1/prod/orders/working';

let small: SmallExchange;
let doors: OpenVenueApi[];

beforeEach(async () => {
  small = await createSmallExchange(START);
  doors = [];
});

afterEach(async () => {
  for (const api of doors) await api.close();
  await small.close();
});

async function open(change: Partial<Exchange> = {}): Promise<OpenVenueApi> {
  const api = await openVenueApi({ ...small.exchange, ...change });
  doors.push(api);
  return api;
}

const rowsOf = (text: string) => JSON.parse(text) as Record<string, unknown>[];
const makeOrders = (count: number) => Array.from({ length: count }, (_, n) => makeOrder(n));

describe('working orders', () => {
  test('are an empty list where nothing matches', async () => {
    const reply = await (await open()).getSigned(WORKING);
    expect([reply.status, reply.text]).toEqual([200, '[]']);
  });

  test('are sorted newest first, then by descending id, and equal the order history', async () => {
    const tie = { timeNs: makeOrder(2).timeNs };
    await small.accept([
      makeOrder(1),
      makeOrder(2),
      makeOrder(3, tie),
      makeOrder(4, { filled: 3, filledTicks: 52_503 }),
      makeOrder(5, { status: 'Closed' }),
    ]);
    const api = await open();
    const working = rowsOf((await api.getSigned(WORKING)).text);
    expect(working.map(({ id }) => id)).toEqual([1, 3, 2, 4].map((n) => String(makeOrder(n).id)));
    const { data } = JSON.parse((await api.getSigned('/v1/prod/orders')).text) as {
      data: readonly { status: string }[];
    };
    expect(working).toEqual(data.filter(({ status }) => status === 'Working'));
    expect(working.at(-1)).toMatchObject({
      quantity_filled: 3,
      avg_price: 17_501,
      time: '2026-08-17T16:56:00.496334704Z',
    });
  });

  test.each<[string, Partial<Order>]>([
    ['product_id=6001', { productId: near.id }],
    ['symbol=BUSU26', { productId: near.id }],
    ['account_id=HALC-102', { account: ourOther }],
    ['connection_id=3E', { account: { ...ours, connectionId: '3e' } }],
    ['clearing_member_code=MERI', { account: { ...ours, firm: 'MERI' } }],
    ['product_type=Spread', { productId: 7001 }],
  ])('?%s finds what it says, here and in the order history', async (query, change) => {
    await small.accept([makeOrder(1), makeOrder(2, change), makeOrder(3)]);
    const api = await open();
    const found = [String(makeOrder(2).id)];
    const history = JSON.parse((await api.getSigned(`/v1/prod/orders?${query}`)).text) as { data: { id: string }[] };
    expect(rowsOf((await api.getSigned(`${WORKING}?${query}`)).text).map(({ id }) => id)).toEqual(found);
    expect(history.data.map(({ id }) => id)).toEqual(found);
  });

  test('are complete up to ten thousand, and refused beyond', async () => {
    await small.accept(makeOrders(10_000));
    const api = await open();
    const whole = await api.getSigned(WORKING);
    expect([whole.status, rowsOf(whole.text).length]).toEqual([200, 10_000]);
    await small.accept([makeOrder(10_000, { account: ourOther })]);
    const refused = await api.getSigned(WORKING);
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(/^More than 10000 working orders match: narrow .* account or product\.$/);
    expect((await api.getSigned(WORKING, seesAll, 'HEAD')).status).toBe(400);
    expect((await api.getSigned(`${WORKING}?account_id=HALC-101`)).status).toBe(200);
  });
});

describe('ten thousand working orders', () => {
  const texts = Array.from({ length: 10_000 }, (_, n) => JSON.stringify({ n, filler: 'x'.repeat(6_000) }));

  /** Opens a client that reads nothing until a test allows it. */
  function openReader(api: OpenVenueApi) {
    const headers = Object.entries(sign(WORKING, credential, 'GET', START)).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const socket = connect(api.port, '127.0.0.1').pause();
    socket.write(`GET ${BASE}${WORKING} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers.join('')}\r\n`);
    return socket;
  }

  test('wait for a slow reader instead of filling memory, and arrive complete', async () => {
    let joined = 0;
    const counted = texts.map((text) => ({ toString: () => (joined++, text) })) as unknown as readonly string[];
    const api = await open({ workingOrders: () => counted });
    const socket = openReader(api);
    // Only what fits into the buffers is sent. The rest is not even written as JSON until the client reads.
    await settled(() => joined);
    expect(joined).toBeGreaterThan(0);
    expect(joined).toBeLessThan(5_000);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(joined).toBe(10_000);
    const body = Buffer.concat(chunks).toString().split('\r\n\r\n').slice(1).join('');
    expect(body.replace(/\r\n[0-9a-f]+\r\n/g, '').match(/"n":/g)).toHaveLength(10_000);
  });

  test('stop being written when the reader disconnects', async () => {
    let joined = 0;
    const counted = texts.map((text) => ({ toString: () => (joined++, text) })) as unknown as readonly string[];
    const api = await open({ workingOrders: () => counted });
    const socket = openReader(api);
    await settled(() => joined);
    socket.destroy();
    expect(await settled(() => joined)).toBeLessThan(5_000);
    expect([(await api.get('/web/charts/voi')).status, api.faults]).toEqual([200, []]);
  });

  test('do not block the event loop: the longest gap is a fraction of writing them at once', async () => {
    await small.accept(makeOrders(10_000));
    const api = await open();
    const rows = rowsOf((await api.getSigned(WORKING)).text);
    const rounds = [];
    for (let round = 0; round < 7; round++) {
      const atOneGo = timeOf(() => JSON.stringify(rows));
      const gap = await longestGapDuring(async () => {
        const socket = openReader(api).resume();
        await new Promise((resolve) => socket.once('close', resolve));
      });
      rounds.push(gap / atOneGo);
    }
    // Other processes may disturb some rounds, but not all.
    expect(Math.min(...rounds)).toBeLessThan(0.6);
  });
});

/** Waits until a number stops growing. */
async function settled(read: () => number): Promise<number> {
  for (let last = -1, same = 0; same < 20;) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    same = read() === last && last > 0 ? same + 1 : 0;
    last = read();
  }
  return read();
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

async function longestGapDuring(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, isOver] = [0, performance.now(), false];
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  isOver = true;
  return longest;
}
