import { beforeEach, describe, expect, it } from 'vitest';
import { expectProblem } from '../faults/problems.ts';
import { LAST, openHostile, statusesOf } from './open-hostile.ts';

const hostile = await openHostile();
const { host } = new URL(hostile.address);
const PATHS = [
  '/api/orders',
  '/api/web/market/stats/trailing/all-products',
  '/api/desk/working',
  '/api/desk/status',
  '/api/nothing',
  '/healthz',
  '/readyz',
  '/metrics',
];

beforeEach(() => {
  hostile.venue.forget();
});

describe('a page of another site gets no data', () => {
  it.each([
    ['says the browser', { 'sec-fetch-site': 'cross-site' }],
    ['on another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['in a word that no browser says', { 'sec-fetch-site': 'SAME-ORIGIN' }],
    ['in no word at all', { 'sec-fetch-site': '' }],
    ['by its origin', { origin: 'https://evil.example' }],
    ['by an origin that begins alike', { origin: `http://${host}.evil.example` }],
    ['by an origin that ends alike', { origin: `http://evil.example/${host}` }],
    ['by an origin with a user', { origin: `http://${host}@evil.example` }],
    ['on another port, by its origin', { origin: 'http://127.0.0.1:1' }],
    ['on another name of this machine', { origin: `http://localhost:${new URL(hostile.address).port}` }],
    ['in a frame without an origin', { origin: 'null' }],
    ['with an invalid origin', { origin: 'evil' }],
    ['with an empty origin', { origin: '' }],
    ['of a file', { origin: 'file://' }],
    ['even if Sec-Fetch-Site says same-origin', { 'sec-fetch-site': 'same-origin', 'origin': 'https://evil.example' }],
    ['even if it names our origin', { 'sec-fetch-site': 'cross-site', 'origin': `http://${host}` }],
  ])('%s', async (_, headers) => {
    for (const path of PATHS) {
      const answer = await hostile.request({ path, headers });
      expectProblem(answer, { type: 'cross-site', detail: /^Only pages served by Perpdesk may send requests\.$/ });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
    expect(hostile.venue.requests).toEqual([]);
  });

  it('nor by saying it twice', async () => {
    for (const twice of [
      'sec-fetch-site: same-origin\r\nsec-fetch-site: cross-site',
      `origin: http://${host}\r\norigin: https://evil.example`,
    ]) {
      expect(
        statusesOf(await hostile.send(`GET /api/orders HTTP/1.1\r\nhost: ${host}\r\n${twice}\r\n\r\n${LAST}`)),
      ).toEqual([403, 200]);
    }
    expect(hostile.venue.requests).toEqual([]);
  });

  it('nor with a preflight request', async () => {
    const headers = {
      'origin': 'https://evil.example',
      'access-control-request-method': 'GET',
      'access-control-request-private-network': 'true',
    };
    const answer = await hostile.request({ method: 'OPTIONS', path: '/api/orders', headers });
    expect(answer.status).toBe(405);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('our own pages, and programs that are not browsers, get responses', () => {
  it.each([
    ['no page', {}],
    ['a page of ours', { 'sec-fetch-site': 'same-origin' }],
    ['a person who types the address', { 'sec-fetch-site': 'none' }],
    ['a page of ours in an old browser', { origin: `http://${host}` }],
    ['a page of ours behind TLS', { origin: `https://${host}` }],
  ])('%s', async (_, headers) => {
    const { status } = await hostile.request({ path: '/api/orders', headers });
    expect(status).toBe(200);
  });
});

describe('a name that an attacker points here is not ours', () => {
  it.each([
    ['another name', 'evil.example', 421],
    ['another name with our port', `evil.example:${new URL(hostile.address).port}`, 421],
    ['another address', '192.168.1.5', 421],
    ['every address', '0.0.0.0', 421],
    ['ours within another', '127.0.0.1.evil.example', 421],
    ['an empty name', '', 421],
    ['two in one', 'localhost, evil.example', 421],
    ['one with a path', 'localhost/evil', 421],
    ['one with a user', 'evil@localhost', 421],
  ])('%s', async (_, name, status) => {
    for (const path of ['/', ...PATHS]) {
      const [first] = await hostile.send(`GET ${path} HTTP/1.1\r\nhost: ${name}\r\n\r\n`);
      expect(first?.status).toBe(status);
    }
    expect(hostile.venue.requests).toEqual([]);
  });

  it.each([
    ['none', ''],
    ['two', 'host: localhost\r\nhost: evil.example\r\n'],
    ['two, the other way round', 'host: evil.example\r\nhost: localhost\r\n'],
  ])('%s', async (_, fields) => {
    const answers = await hostile.send(`GET /api/orders HTTP/1.1\r\n${fields}\r\n`);
    expect(statusesOf(answers)).toEqual([400]);
    expect(hostile.venue.requests).toEqual([]);
  });

  it('and no other header makes it ours, or ours another', async () => {
    const claims = {
      'x-forwarded-host': 'localhost',
      'forwarded': 'host=localhost',
      'x-original-host': 'localhost',
      'x-host': 'localhost',
    };
    expect((await hostile.request({ path: '/api/orders', headers: { ...claims, host: 'evil.example' } })).status).toBe(
      421,
    );
    const rewritten = {
      'x-original-url': '/api/orders/working',
      'x-rewrite-url': '/api/orders/working',
      'x-http-method-override': 'POST',
      'x-forwarded-prefix': '/x',
    };
    expect((await hostile.request({ path: '/api/funding-rates/?limit=19', headers: rewritten })).status).toBe(200);
    expect(hostile.venue.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      'GET /exchange/api/v1/funding-rates/?limit=19',
    ]);
  });
});
