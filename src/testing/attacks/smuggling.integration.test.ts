import { beforeEach, describe, expect, it } from 'vitest';
import { LAST, openHostile, statusesOf } from './open-hostile.ts';

const hostile = await openHostile();
const SMUGGLED = 'GET /api/orders?limit=7 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';
const TRAILING = '/api/web/market/stats/trailing/all-products';

beforeEach(() => {
  hostile.venue.forget();
});

const request = (fields: readonly string[], body: string, method = 'GET'): string =>
  `${method} ${TRAILING} HTTP/1.1\r\nhost: localhost\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n${body}`;

const chunked = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

describe('a request of ambiguous length is rejected, and nothing after it is read', () => {
  it.each([
    ['a length and chunks (CL.TE)', request(['content-length: 4', 'transfer-encoding: chunked'], '0\r\n\r\n')],
    ['chunks and a length (TE.CL)', request(['transfer-encoding: chunked', 'content-length: 4'], chunked('x'))],
    [
      'a length and chunks, on a POST',
      request(['content-length: 4', 'transfer-encoding: chunked'], '0\r\n\r\n', 'POST'),
    ],
    ['chunks that are not the last coding', request(['transfer-encoding: chunked, identity'], chunked('x'))],
    ['two codings (TE.TE)', request(['transfer-encoding: chunked', 'transfer-encoding: identity'], chunked('x'))],
    ['an unknown coding', request(['transfer-encoding: xchunked'], chunked('x'))],
    ['a coding that chunks only for some', request(['transfer-encoding: \x0bchunked'], chunked('x'))],
    ['a space before the colon', request(['transfer-encoding : chunked'], chunked('x'))],
    ['a length with a space before the colon', request(['content-length : 1'], 'x')],
    ['two lengths', request(['content-length: 0', `content-length: ${String(SMUGGLED.length)}`], '')],
    ['the same length twice', request(['content-length: 1', 'content-length: 1'], 'x')],
    ['a list of lengths', request(['content-length: 1, 1'], 'x')],
    ['a length with a sign', request(['content-length: +1'], 'x')],
    ['a negative length', request(['content-length: -1'], 'x')],
    ['a length in hex', request(['content-length: 0x1'], 'x')],
    ['a length without a number', request(['content-length: '], '')],
    ['a length beyond all numbers', request(['content-length: 99999999999999999999999'], '')],
    ['a folded header', request(['x-folded: a', ' transfer-encoding: chunked'], '')],
    ['a folded header that is a coding', request(['transfer-encoding:', ' chunked'], chunked('x'))],
    ['a bare LF after a header', `GET ${TRAILING} HTTP/1.1\r\nhost: localhost\nx-a: b\r\n\r\n`],
    ['bare LFs only', `GET ${TRAILING} HTTP/1.1\nhost: localhost\n\n`],
    ['a bare CR in a header', request(['x-a: b\rtransfer-encoding: chunked'], '')],
    ['a NUL in a header', request(['x-a: b\0'], '')],
    ['a header without a name', request([': chunked'], '')],
    ['a malformed header', request(['chunked'], '')],
    ['a space before the first header', `GET ${TRAILING} HTTP/1.1\r\n x-a: b\r\nhost: localhost\r\n\r\n`],
    [
      'chunks in HTTP/1.0',
      `GET ${TRAILING} HTTP/1.0\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n${chunked('x')}`,
    ],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no protocol (HTTP/0.9)', `GET ${TRAILING}\r\n`],
    ['a word too many', `GET ${TRAILING} x HTTP/1.1\r\nhost: localhost\r\n\r\n`],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('%s', async (_, bytes) => {
    const [first, ...others] = await hostile.send(bytes + SMUGGLED);
    expect(first?.status).toBe(400);
    expect(first?.headers).toMatchObject({
      'connection': 'close',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(others).toEqual([]);
    expect(hostile.venue.requests).toEqual([]);
  });

  it.each([
    ['a chunk’s size that is no number', request(['transfer-encoding: chunked'], `z\r\nx\r\n0\r\n\r\n`)],
    ['a chunk longer than its size', request(['transfer-encoding: chunked'], `1\r\nxyz\r\n0\r\n\r\n`)],
    ['a chunk’s size that ends in a bare LF', request(['transfer-encoding: chunked'], `1\nx\r\n0\r\n\r\n`)],
    [
      'a chunk’s size beyond all numbers',
      request(['transfer-encoding: chunked'], `fffffffffffffffff\r\nx\r\n0\r\n\r\n`),
    ],
  ])('%s, of which only the head is in order', async (_, bytes) => {
    // The head was valid, so it gets a response; the rest is at most rejected.
    const [first, ...others] = await hostile.send(bytes + SMUGGLED);
    expect(first?.status).toBe(200);
    expect(new Set([400, ...statusesOf(others)])).toEqual(new Set([400]));
    expect(hostile.venue.requests.filter(({ target }) => target.includes('orders'))).toEqual([]);
  });
});

it.each(['0.9', '2.0', '3.0', '1.2'])('version %s is not spoken', async (version) => {
  const responses = await hostile.send(`GET ${TRAILING} HTTP/${version}\r\nhost: localhost\r\n\r\n${SMUGGLED}`);
  expect(statusesOf(responses)).toSatisfy(
    (statuses: readonly number[]) => statuses.length === 1 && [400, 505].includes(statuses[0] ?? 0),
  );
  expect(hostile.venue.requests).toEqual([]);
});

it('a valid request gets its response even if malformed bytes follow', async () => {
  for (const rubbish of [
    'rubbish',
    '\0\0\0\0',
    'GET / HTTP/1.1\r\nhost localhost\r\n\r\n',
    request(['content-length: 4', 'transfer-encoding: chunked'], '0\r\n\r\n'),
  ]) {
    const responses = await hostile.send(
      `GET ${TRAILING} HTTP/1.1\r\nhost: localhost\r\n\r\n${rubbish}\r\n\r\n${SMUGGLED}`,
    );
    expect(statusesOf(responses)).toEqual([200]);
  }
  expect(hostile.venue.requests.filter(({ target }) => target.includes('orders'))).toEqual([]);
});

describe('a request body is not a request', () => {
  it.each([
    ['by its length', request([`content-length: ${String(SMUGGLED.length)}`], SMUGGLED)],
    ['in chunks', request(['transfer-encoding: chunked'], chunked(SMUGGLED))],
    ['in chunks by another spelling', request(['Transfer-Encoding:\tCHUNKED'], chunked(SMUGGLED))],
  ])('%s, on a GET', async (_, bytes) => {
    expect(statusesOf(await hostile.send(bytes + LAST))).toEqual([200, 200]);
    expect(hostile.venue.requests.filter(({ target }) => target.includes('orders'))).toEqual([]);
    expect(hostile.venue.requests.filter(({ body }) => body !== '')).toEqual([]);
  });

  it('of a POST, which is rejected', async () => {
    const responses = await hostile.send(
      request([`content-length: ${String(SMUGGLED.length)}`], SMUGGLED, 'POST') + LAST,
    );
    expect(statusesOf(responses)).toEqual([405, 200]);
    expect(hostile.venue.requests).toEqual([]);
  });
});

describe('requests one behind the other', () => {
  it('get responses in their order', async () => {
    const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
    const responses = await hostile.send(
      get('/api/funding-rates/?limit=3') +
        get('/healthz') +
        get('/api/nothing') +
        get('/api/funding-rates/?limit=4') +
        LAST,
    );
    expect(statusesOf(responses)).toEqual([200, 200, 404, 200, 200]);
    expect(hostile.venue.requests.map(({ target }) => target).sort()).toEqual([
      '/exchange/api/v1/funding-rates/?limit=3',
      '/exchange/api/v1/funding-rates/?limit=4',
    ]);
  });

  it('are not read after one that closes the connection', async () => {
    expect(statusesOf(await hostile.send(LAST + SMUGGLED))).toEqual([200]);
    expect(hostile.venue.requests).toEqual([]);
  });
});
