import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BASE, credential, openVenueApi, sign, type OpenVenueApi } from '#testing/http/open-venue-api.ts';
import { createSmallExchange, type SmallExchange } from '#testing/http/small-exchange.ts';
import { START } from '#testing/http/small-universe.ts';

let small: SmallExchange;
let api: OpenVenueApi;

beforeAll(async () => {
  small = await createSmallExchange(START);
  api = await openVenueApi(small.exchange);
});

afterAll(async () => {
  await api.close();
  await small.close();
});

const VOI = `${BASE}/web/charts/voi`;
const NOON = 'date: Mon, 17 Aug 2026 17:00:00 GMT\r\n';

describe('invalid requests are refused, with the date of the exchange', () => {
  test.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['no host', `GET ${VOI} HTTP/1.1\r\n\r\n`, 400],
    ['a header without a colon', `GET ${VOI} HTTP/1.1\r\nhost: x\r\nbad\r\n\r\n`, 400],
    ['a method that does not exist', `BREW ${VOI} HTTP/1.1\r\nhost: x\r\n\r\n`, 400],
    ['another protocol', `GET ${VOI} HTCPCP/1.0\r\n\r\n`, 400],
    ['a space in the URL', `GET ${VOI}?a= b HTTP/1.1\r\nhost: x\r\n\r\n`, 400],
    ['letters beyond ASCII in the URL', `GET ${VOI}?ä=ö HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, 400],
    ['a fragment', `GET ${VOI}#a HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, 400],
    ['a star', 'OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 405],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n', 405],
    ['an expectation', `GET ${VOI} HTTP/1.1\r\nhost: x\r\nexpect: coffee\r\n\r\n`, 417],
    [
      'a body that waits for 100 Continue',
      `GET ${VOI} HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n`,
      400,
    ],
    ['a chunked body', `GET ${VOI} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n`, 400],
    ['a body on a method that is not allowed', `POST ${VOI} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nhi`, 405],
    [
      'a URL longer than eight kilobytes',
      `GET ${VOI}?${'a'.repeat(9_000)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      414,
    ],
    ['a URL beyond what is read at all', `GET ${VOI}?${'a'.repeat(300_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 414],
    [
      'headers larger than the limit',
      `GET ${VOI} HTTP/1.1\r\nhost: x\r\n${`x: ${'a'.repeat(1_000)}\r\n`.repeat(300)}\r\n`,
      431,
    ],
  ])('%s', async (_, bytes, status) => {
    const reply = await api.sendRaw(bytes);
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
    expect(reply).toContain(NOON);
    expect(reply.match(/^HTTP\//gm)).toHaveLength(1);
  });
});

test('responses on one connection keep the order of the requests', async () => {
  const toRequest = (path: string, last = '') => `GET ${BASE}${path} HTTP/1.1\r\nhost: x\r\n${last}\r\n`;
  const reply = await api.sendRaw(
    toRequest('/web/charts/voi') +
      toRequest('/nowhere') +
      toRequest('/web/charts/price/4') +
      toRequest('/web/charts/voi', 'connection: close\r\n'),
  );
  expect([...reply.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '404', '404', '200']);
});

test.each([
  ['nonsense', 'nonsense\r\n\r\n', '400'],
  ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n', '405'],
])('%s after a request ends the connection, but only once the request got its response', async (_, bytes, status) => {
  const reply = await api.sendRaw(`GET ${VOI} HTTP/1.1\r\nhost: x\r\n\r\n${bytes}`);
  expect([...reply.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, found]) => found)).toEqual(['200', status]);
});

test('an HTTP/1.0 client without a Host header gets a response, and the connection closes', async () => {
  const reply = await api.sendRaw(`GET ${VOI} HTTP/1.0\r\n\r\n`);
  expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n\[\]$/);
});

test('a client that disconnects at any point does no harm', async () => {
  for (const bytes of [
    'G',
    `GET ${VOI}`,
    `GET ${VOI} HTTP/1.1\r\nhost: x\r\n`,
    `GET ${VOI} HTTP/1.1\r\nhost: x\r\n\r\n`,
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect(api.port, '127.0.0.1', () => {
        socket.write(bytes, () => socket.resetAndDestroy());
      });
      socket.once('close', () => {
        resolve();
      });
    });
  }
  expect([(await api.get('/web/charts/voi')).status, api.faults]).toEqual([200, []]);
});

test('an address beyond its budget gets a 403 with an empty body and without Retry-After', async () => {
  let elapsed = 0;
  const poor = await openVenueApi(small.exchange, { budget: { requests: 3, seconds: 300 }, elapsed: () => elapsed });
  const replies = [];
  for (const target of ['/web/charts/voi', '/nowhere', '/v1/prod/orders', '/web/charts/voi'])
    replies.push(await poor.get(target));
  expect(replies.map(({ status }) => status)).toEqual([200, 404, 400, 403]);
  const refused = replies.at(-1);
  expect([refused?.text, Object.keys(refused?.headers ?? {}).sort()]).toEqual([
    '',
    ['connection', 'content-length', 'date'],
  ]);
  // The exchange's own clock has not moved meanwhile.
  elapsed += 300_000;
  expect((await poor.get('/web/charts/voi')).status).toBe(200);
  await poor.close();
});

test('a failing market is reported to the operator, and is a 503 for the client', async () => {
  const broken = await openVenueApi({
    ...small.exchange,
    sessions: () => Promise.reject(new Error('the disk is gone')),
  });
  const reply = await broken.get('/web/charts/voi');
  expect([reply.status, reply.text, broken.faults]).toEqual([
    503,
    'The exchange cannot respond now. Try again later.',
    [new Error('the disk is gone')],
  ]);
  await broken.close();
});

describe('a refused tunnel', () => {
  const tunnel = 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n';

  test('does no harm when the client resets it', async () => {
    const socket = connect(api.port, '127.0.0.1');
    socket.write(tunnel);
    await once(socket, 'data');
    socket.resetAndDestroy();
    await once(socket, 'close');
    expect((await api.get('/web/charts/voi')).status).toBe(200);
  });

  test('is closed when the client goes on sending', async () => {
    const socket = connect({ port: api.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined).write(tunnel);
    await once(socket.resume(), 'end');
    const writing = setInterval(() => socket.write('still here'), 1);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(writing);
    expect((await api.get('/web/charts/voi')).status).toBe(200);
  });
});

describe('a slow client', () => {
  test('that does not complete its headers gets a 408', async () => {
    const hasty = await openVenueApi(small.exchange, {}, { headersTimeoutMs: 50, idleTimeoutMs: 30_000 });
    const reply = await hasty.sendRaw(`GET ${VOI} HTTP/1.1\r\nhost: `);
    expect(reply).toMatch(/^HTTP\/1\.1 408 /);
    expect(reply).toContain(NOON);
    await hasty.close();
  });

  test('that does not read a long response is disconnected', async () => {
    const endless = Array.from({ length: 10_000 }, () => `"${'x'.repeat(6_000)}"`);
    const hasty = await openVenueApi(
      { ...small.exchange, workingOrders: () => endless },
      {},
      { headersTimeoutMs: 10_000, idleTimeoutMs: 50 },
    );
    const target = '/v1/prod/orders/working';
    const headers = Object.entries(sign(target, credential, 'GET', START)).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const socket = connect(hasty.port, '127.0.0.1').pause();
    socket.on('error', () => undefined).write(`GET ${BASE}${target} HTTP/1.1\r\nhost: x\r\n${headers.join('')}\r\n`);
    await hasty.untilIdle();
    expect(hasty.faults).toEqual([]);
    socket.destroy();
    await hasty.close();
  });
});
