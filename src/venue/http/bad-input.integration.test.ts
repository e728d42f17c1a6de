import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINT_NAMES, ENDPOINTS, type Endpoint, type EndpointName } from '#contract/exchange/endpoints.ts';
import { toMountPrefix, toPath, VENUES } from '#contract/exchange/addresses.ts';
import {
  BASE,
  openVenueApi,
  sign,
  type OpenVenueApi,
  type TextResponse,
  credential,
} from '#testing/http/open-venue-api.ts';
import { createSmallExchange, type SmallExchange } from '#testing/http/small-exchange.ts';
import { START } from '#testing/http/small-universe.ts';

let small: SmallExchange;
let api: OpenVenueApi;

beforeAll(async () => {
  small = await createSmallExchange(START);
  small.estimates.set(5614, { rate: 0, start: START, end: START });
  api = await openVenueApi(small.exchange);
});

afterAll(async () => {
  await api.close();
  await small.close();
});

const GOOD_PARTS: Readonly<Record<string, string>> = { id: '5614', product_id: '5614', base_symbol: 'BTCUC' };

function targetOf(endpoint: Endpoint, parts = GOOD_PARTS): string {
  const profile = VENUES['sandbox'];
  return (profile ? toMountPrefix(profile, endpoint.mount) : '') + toPath(endpoint, parts);
}

function expectRefused(reply: TextResponse, status: number, ...words: readonly string[]): void {
  expect([reply.status, reply.headers['content-type']]).toEqual([status, 'text/plain; charset=utf-8']);
  expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.text)));
  for (const word of words) expect(reply.text).toContain(word);
}

const endpoints: readonly [EndpointName, Endpoint][] = ENDPOINT_NAMES.map((name) => [name, ENDPOINTS[name]]);

const parameters = endpoints.flatMap(([name, endpoint]) =>
  Object.entries(endpoint.query).map(([parameter, { grammar, repeatable }]) => ({
    name,
    parameter,
    grammar,
    repeatable,
    target: targetOf(endpoint),
  })),
);

describe.each(endpoints)('%s', (_, endpoint) => {
  const target = targetOf(endpoint);

  test.each(['colour', 'constructor', '__proto__', 'toString', ''])(
    'refuses the parameter "%s" and lists the known ones',
    async (name) => {
      const reply = await api.getSigned(`${target}?${name}=1`);
      expectRefused(reply, 400, `"${name}"`, ...Object.keys(endpoint.query));
    },
  );

  test.each(['%zz=1', 'limit=%', 'x=%ff', '%E0%A4%A'])('refuses the percent-encoding of ?%s', async (query) => {
    expectRefused(await api.getSigned(`${target}?${query}`), 400, 'percent-encoding');
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    'refuses %s and says which methods are allowed',
    async (method) => {
      const reply = await api.get(target, { method });
      expectRefused(reply, 405, 'GET and HEAD');
      expect(reply.headers.allow).toBe('GET, HEAD');
    },
  );

  test('responds to HEAD like to GET, without the body', async () => {
    const [get, head] = [await api.getSigned(target), await api.getSigned(target, credential, 'HEAD')];
    expect([head.status, head.headers, head.text]).toEqual([200, get.headers, '']);
  });

  test('refuses a body', async () => {
    const headers = sign(target, credential, 'GET', START);
    const reply = await api.get(target, { headers: { ...headers, 'content-length': '2' } });
    expectRefused(reply, 400, 'must not have a body');
    expect(reply.headers.connection).toBe('close');
  });

  test('refuses a URL that is too long', async () => {
    expectRefused(await api.getSigned(`${target}?cursor=${'a'.repeat(9_000)}`), 414, '8192');
  });

  test('is not found below another mount, in another case, or with a missing or additional slash', async () => {
    const other = target.startsWith('/v1') ? target.slice(3) : `/v1${target}`;
    for (const wrong of [other, `/v2${target}`, target.toUpperCase(), `${target}/`, `/${target}`]) {
      expectRefused(await api.getSigned(wrong), 404, 'nothing at');
    }
  });

  test('has the date of the exchange’s clock', async () => {
    const [good, bad] = [await api.getSigned(target), await api.get(`${target}?colour=red`)];
    expect([good.headers.date, bad.headers.date]).toEqual([
      'Mon, 17 Aug 2026 17:00:00 GMT',
      'Mon, 17 Aug 2026 17:00:00 GMT',
    ]);
  });
});

describe.each(parameters)('$name ?$parameter', ({ parameter, grammar, target }) => {
  test.each(['', '%00', '%20'])('refuses the value "%s", with its name and grammar', async (value) => {
    expectRefused(await api.getSigned(`${target}?${parameter}=${value}`), 400, parameter, grammar.sentence);
  });

  test('refuses the parameter without a value', async () => {
    expectRefused(await api.getSigned(`${target}?${parameter}`), 400, parameter, grammar.sentence);
  });
});

describe.each(parameters.filter(({ repeatable }) => repeatable === undefined))(
  '$name ?$parameter',
  ({ parameter, grammar, target }) => {
    test('refuses the parameter twice', async () => {
      const pair = `${parameter}=${encodeURIComponent(grammar.example)}`;
      expectRefused(await api.getSigned(`${target}?${pair}&${pair}`), 400, parameter, 'once');
    });
  },
);

const withPathParameters = endpoints.filter(([, { pathParameters }]) => Object.keys(pathParameters).length > 0);

describe.each(withPathParameters)('%s in its path', (_, endpoint) => {
  const [[parameter, { grammar }] = ['', { grammar: { sentence: '', name: '' } }]] = Object.entries(
    endpoint.pathParameters,
  );

  const malformed = ['-1', '..', ' ', '../..', '%', 'ä', '\0', '9'.repeat(200)];
  const malformedIds = grammar.name === 'code' ? [] : ['0', '1e3', '05614', '1.5', '1000000000'];

  test.each([...malformed, ...malformedIds])(`refuses "%s" as ${parameter}`, async (text) => {
    const target = targetOf(endpoint, { [parameter]: 'X' }).replace('X', encodeURIComponent(text));
    expectRefused(await api.getSigned(target), 400, parameter, grammar.sentence);
  });

  test('refuses bad percent-encoding', async () => {
    const target = targetOf(endpoint, { [parameter]: 'X' }).replace('X', '%zz');
    expectRefused(await api.getSigned(target), 400, 'percent-encoding');
  });

  test('is a 404 for a product that was never listed', async () => {
    const unknown = grammar.name === 'code' ? 'NOSUCH' : '999999999';
    expectRefused(await api.getSigned(targetOf(endpoint, { [parameter]: unknown })), 404, unknown);
  });
});

describe('a product that does not exist', () => {
  test.each([
    '/web/charts/voi?product_id=5614&product_id=4',
    '/v1/funding-rates/?product_id=4',
    '/v1/funding-rates/?base_symbol=NOSUCH',
    '/v1/funding-rates/estimated/BUS',
  ])('is 404 in %s', async (target) => {
    expectRefused(await api.get(target), 404);
  });

  test.each(['/v1/prod/orders', '/v1/prod/orders/working'])('matches no order in %s', async (target) => {
    const replies = [await api.getSigned(`${target}?product_id=4`), await api.getSigned(`${target}?symbol=NOSUCH`)];
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    for (const { text } of replies) expect(text).toMatch(/^(\[\]|\{"data":\[\],.*)$/);
  });
});

describe('working orders', () => {
  test.each([
    'day=2026-08-17',
    'begin_time=2026-08-17T00:00:00Z',
    'end_time=now',
    'limit=10',
    'order=asc',
    'cursor=abc',
  ])('have no paging and no time: ?%s', async (query) => {
    expectRefused(
      await api.getSigned(`/v1/prod/orders/working?${query}`),
      400,
      `"${query.slice(0, query.indexOf('='))}"`,
    );
  });
});

test('text that a client sent is shortened and escaped in the response', async () => {
  const { text } = await api.get(`/web/charts/voi?${'%22%0A<script>'.repeat(20)}=1`);
  expect(text).toContain('"\\"\\n<script>');
  expect(text.length).toBeLessThan(200);
});

test('nothing is found outside the base path', async () => {
  const replies = [
    await api.sendRaw(`GET /web/charts/voi HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`),
    await api.sendRaw(`GET ${BASE} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`),
  ];
  for (const reply of replies) expect(reply).toMatch(/^HTTP\/1\.1 404 /);
});
