import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENDPOINT_NAMES, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { matchRoute, type VenueProfile, VENUES } from '#contract/exchange/addresses.ts';
import { splitTarget } from '#server/web/request-context.ts';
import { anyTarget } from '#testing/attacks/targets.ts';
import { findViolation } from '#testing/attacks/interface-rules.ts';
import { isProblem, matchBelow, parseVenueRequest, toVenueRequest } from './venue-request.ts';

const sandbox: VenueProfile = {
  name: 'test',
  baseUrl: null,
  env: 'prod',
  mounts: { web: '', funding: '/v1', orders: '/v1/{env}', product: '/v1/{env}' },
};

/** Returns the request that would be sent, or the problem’s type. */
function read(path: string, rawQuery = '', profile = sandbox): string {
  const route = matchRoute(path);
  if (route === null) return 'not-in-the-interface';
  const request = parseVenueRequest(route, rawQuery, profile);
  if (isProblem(request)) return request.type;
  return request.rawQuery === '' ? request.path : `${request.path}?${request.rawQuery}`;
}

describe('a request is sent', () => {
  it('in the order of the table, whatever the order of its parameters', () => {
    const pairs = [
      'cursor=c',
      'order=asc',
      'end_time=now',
      'limit=3',
      'base_symbol=BTC',
      'product_id=1',
      'begin_time=2026-08-17T00:00:00Z',
    ];
    const sent =
      '/v1/funding-rates/?product_id=1&base_symbol=BTC&limit=3&begin_time=2026-08-17T00:00:00Z&end_time=now&order=asc&cursor=c';
    expect(read('/funding-rates/', pairs.join('&'))).toBe(sent);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(pairs, { minLength: pairs.length }),
        (shuffled) => read('/funding-rates/', shuffled.join('&')) === sent,
      ),
    );
  });

  it('with repeated values in their order', () => {
    expect(read('/web/charts/voi', 'product_id=3&end_time=now&product_id=1&product_id=2')).toBe(
      '/web/charts/voi?product_id=3&product_id=1&product_id=2&end_time=now',
    );
  });

  it('below the exchange’s own prefixes, with any environment', () => {
    const profile = { ...sandbox, env: '$&-test', mounts: { ...sandbox.mounts, orders: '/x/{env}/{env}' } };
    expect(read('/orders/working', '', profile)).toBe('/x/$&-test/$&-test/orders/working');
  });

  it.each(['abc', 'YWJj+/=', '100%', '%', 'a&b=c#d', '%zz', 'ä', '{"a":[1]}'])(
    'with the cursor %j, plain or encoded, encoded once',
    (cursor) => {
      const plain = `cursor=${encodeURIComponent(cursor)}`;
      const encodedTwice = `cursor=${encodeURIComponent(encodeURIComponent(cursor))}`;
      const expected = `/v1/prod/orders?cursor=${encodeURIComponent(cursor).replaceAll('%3A', ':')}`;
      expect(read('/orders', encodedTwice)).toBe(expected);
      // An unencoded cursor must be printable.
      expect(read('/orders', plain)).toBe(/^[!-~]+$/.test(cursor) ? expected : 'bad-parameter');
    },
  );
});

describe('a request of the gateway itself', () => {
  it.each(ENDPOINT_NAMES)('to %s equals the one that a browser could send', (name) => {
    const { path, pathParameters, query } = ENDPOINTS[name];
    const example = (parameters: object) =>
      Object.entries(parameters as Record<string, { grammar: { example: string } }>).map(
        ([key, { grammar }]) => [key, grammar.example] as const,
      );
    const values = Object.fromEntries(example(pathParameters));
    const pairs = example(query);
    const own = toVenueRequest(sandbox, name, values, pairs);
    const route = matchRoute(path.replace(/:(\w+)/g, (_, key: string) => values[key] ?? ''));
    if (route === null) expect.fail('No endpoint has this path.');
    const parsed = parseVenueRequest(
      route,
      pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&'),
      sandbox,
    );
    expect(parsed).toEqual(own);
  });
});

describe('nothing else is sent', () => {
  it.each([
    ['/orders', 'limit=1#', 'bad-parameter'],
    ['/orders', '#', 'bad-parameter'],
    ['/orders', '%', 'bad-parameter'],
    ['/orders', '%ED%A0%80=1', 'bad-parameter'],
    ['/orders', 'limit=1&limit=1', 'bad-parameter'],
    ['/orders', 'LIMIT=1', 'bad-parameter'],
    ['/orders', '__proto__=1', 'bad-parameter'],
    ['/orders', '&', 'bad-parameter'],
    ['/orders/', '', 'not-in-the-interface'],
    ['orders', '', 'not-in-the-interface'],
    ['', '', 'not-in-the-interface'],
    ['/web/charts/price/..', '', 'bad-parameter'],
    ['/web/charts/price/%', '', 'not-in-the-interface'],
    ['/funding-rates/estimated/%2e%2e', '', 'bad-parameter'],
  ])('%s?%s', (path, query, type) => {
    expect(read(path, query)).toBe(type);
  });

  it('whatever the target', { timeout: 60_000 }, () => {
    const profile = { ...sandbox, mounts: VENUES['sandbox']?.mounts ?? sandbox.mounts };
    const property = fc.property(anyTarget, (target) => {
      const { path, rawQuery } = splitTarget(target);
      const route = matchBelow('/api', path);
      if (route === null) return;
      const request = parseVenueRequest(route, rawQuery, profile);
      if (isProblem(request)) return;
      const sent = `/exchange/api${request.path}${request.rawQuery === '' ? '' : `?${request.rawQuery}`}`;
      expect({ sent, wrong: findViolation(sent, request.endpoint.access === 'signed') }).toEqual({ sent, wrong: null });
      // A sent request parses to itself; only a cursor is decoded once more each time.
      if (!request.rawQuery.includes('cursor='))
        expect(read(request.path.replace(/^(?:\/v1(?:\/prod)?)?/, ''), request.rawQuery)).toBe(
          sent.replace('/exchange/api', ''),
        );
    });
    fc.assert(property, { numRuns: 10_000 });
  });
});

it.each(['/abc/orders', '/apiorders', '/api', 'xapi/orders', '/API/orders', '//api/orders'])(
  'no endpoint has a path that is not below the prefix: %s',
  (path) => {
    expect(matchBelow('/api', path)).toBeNull();
  },
);
