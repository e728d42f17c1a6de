import { beforeEach, describe, expect, it } from 'vitest';
import { LAST, openHostile } from './open-hostile.ts';

const hostile = await openHostile();

beforeEach(() => {
  hostile.venue.forget();
});

const get = (target: string): string => `GET ${target} HTTP/1.1\r\nhost: localhost\r\n\r\n${LAST}`;

async function statusOf(target: string): Promise<number | undefined> {
  const [first] = await hostile.send(get(target));
  return first?.status;
}

describe('a target outside the interface is not found, and does not reach the exchange', () => {
  it.each([
    'http://localhost/api/orders',
    'http://127.0.0.1:1/api/orders',
    'http://evil.example/api/orders',
    'https://localhost/api/orders',
    'file:///api/orders',
    '//api/orders',
    '//evil.example/api/orders',
    '/api//orders',
    '/api/orders/',
    '/api/orders//',
    '/api/./orders',
    '/./api/orders',
    '/api/../api/orders',
    '/x/../api/orders',
    '/api/web/../orders',
    '/api/orders/.',
    '/api/orders/..',
    '/api/orders/../orders/working',
    '/api/orders/%2e%2e/orders/working',
    '/api/%2e%2e/api/orders',
    '/%2e/api/orders',
    '/api%2forders',
    '/api%2Forders',
    '/api/orders%2fworking',
    '/api/orders%2Fworking',
    '/%61pi/orders',
    '/api/%6frders',
    '/api/orders%20',
    '/api/orders%00',
    '/api/orders%3flimit=1',
    '/api/orders;limit=1',
    '/api/orders;/working',
    '/api;/orders',
    '/api/orders%3b',
    '/api\\orders',
    '/api/orders\\working',
    '/api/orders%5cworking',
    '/api/orders#',
    '/api/orders#working',
    '/api/orders#?limit=1',
    '/API/orders',
    '/api/Orders',
    '/api/ORDERS',
    '/apiorders',
    '/apix/orders',
    '/xapi/orders',
    '/abc/orders',
    '/api/v1/prod/orders',
    '/api/exchange/api/v1/prod/orders',
    '/exchange/api/v1/prod/orders',
    '/api/funding-rates',
    '/api/funding-rates//',
    '/api/funding-rates/estimated/',
    '/api/funding-rates/estimated//',
    '/api/funding-rates/estimated/BTC/USD',
    '/api/web/charts/price/',
    '/api/web/charts/price/1/2',
    '/api/web/charts/voi/',
    '/api/web/charts/voi/1',
    '/api/product/spec/',
    '/api/desk',
    '/api/desk/',
    '/api/desk/policy/',
    '/api/desk/../orders',
    '/api/',
    '/api',
    '/api/*',
    '/healthz/../api/orders',
    '/metrics/',
  ])('%s', async (target) => {
    expect(await statusOf(target)).toBe(404);
    expect(hostile.venue.requests).toEqual([]);
  });
});

describe('a malformed target closes the connection', () => {
  it.each([
    '*',
    'localhost:80/api/orders',
    '\\api\\orders',
    'api/orders',
    'orders',
    '?limit=1',
    '/api/orders\0',
    '/api/or\x01ders',
    '/api/orders\t',
    '/api/orders\x7f',
    '',
  ])('%j', async (target) => {
    const answers = await hostile.send(get(target));
    expect(answers.map(({ status }) => status)).toSatisfy(
      (statuses: readonly number[]) => statuses[0] === 400 || statuses[0] === 404,
    );
    expect(hostile.venue.requests).toEqual([]);
  });
});

describe('a path parameter must match its grammar', () => {
  it.each([
    '/api/web/charts/price/..',
    '/api/web/charts/price/%2e%2e',
    '/api/web/charts/price/1547%2f..',
    '/api/web/charts/price/1547%2F1548',
    '/api/web/charts/price/1547%5c',
    '/api/web/charts/price/1547%00',
    '/api/web/charts/price/1547%0d%0aX:1',
    '/api/web/charts/price/1547;a',
    '/api/web/charts/price/1547%3fa=b',
    '/api/web/charts/price/1547%23',
    '/api/web/charts/price/1547#a',
    '/api/web/charts/price/01547',
    '/api/web/charts/price/+1547',
    '/api/web/charts/price/%201547',
    '/api/web/charts/price/1547%20',
    '/api/web/charts/price/1e3',
    '/api/web/charts/price/0',
    '/api/web/charts/price/-1',
    '/api/web/charts/price/1547.0',
    '/api/web/charts/price/1000000000',
    '/api/web/charts/price/١٥٤٧',
    '/api/web/charts/price/%D9%A1',
    '/api/web/charts/price/%EF%BC%91',
    '/api/web/market/stats/trailing/All-Products',
    '/api/web/market/stats/trailing/all%2Dproducts',
    '/api/funding-rates/estimated/.',
    '/api/funding-rates/estimated/..',
    '/api/funding-rates/estimated/%2e%2e',
    '/api/funding-rates/estimated/%2e%2e%2forders',
    '/api/funding-rates/estimated/%252e%252e',
    '/api/funding-rates/estimated/BTC%2fX',
    '/api/funding-rates/estimated/BTC%252fX',
    '/api/funding-rates/estimated/-BTC',
    '/api/funding-rates/estimated/BTC%0d%0a',
    '/api/funding-rates/estimated/BTC%0a',
    '/api/funding-rates/estimated/BTC%c0%af',
    `/api/funding-rates/estimated/${'B'.repeat(65)}`,
  ])('%s', async (target) => {
    expect(await statusOf(target)).toSatisfy((status: number) => status === 400 || status === 404);
    expect(hostile.venue.requests).toEqual([]);
  });
});

describe('however a target is spelled, the exchange gets one spelling', () => {
  it.each([
    ['/api/web/charts/price/%31547', '/web/charts/price/1547'],
    ['/api/funding-rates/estimated/%42TC', '/v1/funding-rates/estimated/BTC'],
    ['/api/funding-rates/estimated/BTC:X', '/v1/funding-rates/estimated/BTC%3AX'],
    ['/api/orders?', '/v1/prod/orders'],
    ['/api/orders?limit=5&order=asc', '/v1/prod/orders?limit=5&order=asc'],
    ['/api/orders?order=asc&limit=6', '/v1/prod/orders?limit=6&order=asc'],
    ['/api/orders?%6cimit=%35', '/v1/prod/orders?limit=5'],
    ['/api/orders?begin_time=2026-08-17T00%3A00%3a00Z', '/v1/prod/orders?begin_time=2026-08-17T00:00:00Z'],
    ['/api/orders?account_id=a+b%20c%2bd', '/v1/prod/orders?account_id=a%20b%20c%2Bd'],
    ['/api/orders?account_id=a%26limit=9', '/v1/prod/orders?account_id=a%26limit%3D9'],
    ['/api/orders?account_id=a=b', '/v1/prod/orders?account_id=a%3Db'],
    ['/api/orders?account_id=..%2f..%2Fweb', '/v1/prod/orders?account_id=..%2F..%2Fweb'],
    ['/api/orders?account_id=a?b', '/v1/prod/orders?account_id=a%3Fb'],
    ['/api/orders?account_id=a%23b', '/v1/prod/orders?account_id=a%23b'],
    ["/api/orders?account_id=a'b;c|d", "/v1/prod/orders?account_id=a'b%3Bc%7Cd"],
    [
      '/api/web/charts/voi?product_id=2&product_id=1&end_time=now',
      '/web/charts/voi?product_id=2&product_id=1&end_time=now',
    ],
    ['/api/orders?cursor=abc%3D%3D', '/v1/prod/orders?cursor=abc%3D%3D'],
    ['/api/orders?cursor=abd%253D%253D', '/v1/prod/orders?cursor=abd%3D%3D'],
    ['/api/orders?cursor=a%2Fb%2Bc', '/v1/prod/orders?cursor=a%2Fb%2Bc'],
    ['/api/orders?cursor=100%25', '/v1/prod/orders?cursor=100%25'],
  ])('%s', async (target, expected) => {
    expect(await statusOf(target)).toBe(200);
    // Lists of all products and their trading data are read on the side.
    const atOrders = hostile.venue.requests.filter(
      ({ target: seen }) => !/(?:all-products|product\/data\/)$/.test(seen),
    );
    expect(atOrders.map(({ method, target: seen }) => `${method} ${seen}`)).toEqual([`GET /exchange/api${expected}`]);
  });
});

it('two spellings of a request are one request', async () => {
  await hostile.send(get('/api/orders?product_id=77&limit=3'));
  await hostile.send(get('/api/orders?limit=%33&%70roduct_id=77'));
  expect(hostile.venue.requests.filter(({ target }) => target.includes('orders'))).toHaveLength(1);
});
