import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { CONNECTION_ID, openHostile, TOKEN } from './open-hostile.ts';
import { RECORDED_BODY } from './recording-venue.ts';

const hostile = await openHostile();

/** Headers that a browser, or another program, may send. */
const BROWSERS = {
  'cookie': 'session=of-the-browser',
  'authorization': 'Bearer of-the-browser',
  'proxy-authorization': 'Basic of-the-browser',
  'user-agent': 'Mozilla/5.0 of-the-browser',
  'accept-language': 'cs-CZ',
  'accept': 'text/html',
  'accept-encoding': 'zstd, br',
  'accept-charset': 'utf-7',
  'referer': 'http://localhost/of-the-browser',
  'range': 'bytes=0-1',
  'if-range': '"x"',
  'if-none-match': '"x"',
  'if-match': '"x"',
  'if-modified-since': 'Mon, 17 Aug 2026 00:00:00 GMT',
  'if-unmodified-since': 'Mon, 17 Aug 2026 00:00:00 GMT',
  'cache-control': 'no-cache, max-age=0',
  'pragma': 'no-cache',
  'x-forwarded-for': '10.0.0.1',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'https',
  'x-real-ip': '10.0.0.1',
  'forwarded': 'for=10.0.0.1',
  'via': '1.1 browser',
  'from': 'person@example.com',
  'dnt': '1',
  'te': 'trailers',
  'priority': 'u=0',
  'max-forwards': '0',
  'sec-ch-ua': '"Chromium"',
  'sec-fetch-mode': 'cors',
  'sec-gpc': '1',
  'traceparent': '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  'desk-purpose': 'interactive',
  'BTNL-CONNECTION-ID': '666',
  'BTNL-AUTH-TIMESTAMP': '2000-01-01T00:00:00.000Z',
  'BTNL-SIGNATURE': 'of-the-browser',
  'x-odd': 'of-the-browser',
} as const;

it('a public request carries the gateway’s own headers, and none of the client’s', async () => {
  hostile.venue.forget();
  const { status } = await hostile.request({ path: '/api/funding-rates/?limit=31', headers: BROWSERS });
  expect(status).toBe(200);
  expect(hostile.venue.requests).toEqual([
    {
      method: 'GET',
      target: '/exchange/api/v1/funding-rates/?limit=31',
      body: '',
      headers: expect.toSatisfy((pairs: readonly (readonly [string, string])[]) => {
        expect(pairs.toSorted()).toEqual([
          ['accept', 'application/json'],
          ['accept-encoding', 'br, gzip'],
          ['connection', 'keep-alive'],
          ['host', new URL(hostile.venue.baseUrl).host],
          ['user-agent', 'perpdesk'],
        ]);
        return true;
      }) as unknown,
    },
  ]);
});

it('a private request carries the same, and the signature of exactly the bytes sent', async () => {
  hostile.venue.forget();
  const { status } = await hostile.request({ path: '/api/orders?account_id=a%20b&limit=5', headers: BROWSERS });
  expect(status).toBe(200);
  const [request] = hostile.venue.requests.filter(({ target }) => target.includes('/orders'));
  const headers = new Map(request?.headers);
  expect([...headers.keys()].sort()).toEqual([
    'accept',
    'accept-encoding',
    'btnl-auth-timestamp',
    'btnl-connection-id',
    'btnl-signature',
    'connection',
    'host',
    'user-agent',
  ]);
  expect(request?.headers).toHaveLength(headers.size);
  const timestamp = headers.get('btnl-auth-timestamp') ?? '';
  const signed = `GET${request?.target ?? ''}BTNL-AUTH-TIMESTAMP${timestamp}BTNL-CONNECTION-ID${CONNECTION_ID}`;
  expect(request?.target).toBe('/exchange/api/v1/prod/orders?account_id=a%20b&limit=5');
  expect(headers.get('btnl-connection-id')).toBe(CONNECTION_ID);
  expect(headers.get('btnl-signature')).toBe(createHmac('sha256', TOKEN).update(signed).digest('base64'));
  expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(5_000);
});

it('the signed text has a question mark even without a query', async () => {
  hostile.venue.forget();
  await hostile.request({ path: '/api/orders/working' });
  const [request] = hostile.venue.requests.filter(({ target }) => target.includes('/orders'));
  const headers = new Map(request?.headers);
  const signed = `GET/exchange/api/v1/prod/orders/working?BTNL-AUTH-TIMESTAMP${headers.get('btnl-auth-timestamp') ?? ''}BTNL-CONNECTION-ID${CONNECTION_ID}`;
  expect(request?.target).toBe('/exchange/api/v1/prod/orders/working');
  expect(headers.get('btnl-signature')).toBe(createHmac('sha256', TOKEN).update(signed).digest('base64'));
});

it('a response passes on the exchange’s body byte for byte, and none of its headers', async () => {
  for (const [path, cacheControl] of [
    ['/api/funding-rates/?limit=32', 'private, no-cache'],
    ['/api/orders?limit=32', 'private, no-store'],
  ] as const) {
    const { headers, body } = await hostile.request({ path });
    expect(body).toEqual(RECORDED_BODY);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': cacheControl,
      'vary': 'accept-encoding',
    });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; /);
    expect(headers['desk-request-id']).not.toBe('of-the-venue');
    expect(Object.keys(headers).sort()).toEqual([
      'age',
      'cache-control',
      'cache-status',
      'connection',
      'content-length',
      'content-security-policy',
      'content-type',
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'date',
      'desk-answered-at',
      'desk-request-id',
      'desk-venue-time',
      'etag',
      'permissions-policy',
      'referrer-policy',
      'server-timing',
      'vary',
      'x-content-type-options',
    ]);
  }
});
