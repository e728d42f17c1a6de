import { describe, expect, test } from 'vitest';
import { type Endpoint, ENDPOINT_NAMES, ENDPOINTS, type Mount } from './endpoints.ts';
import { findVenue, matchRoute, toMountPrefix, toPath, VENUES } from './addresses.ts';
import { parseBaseUrl, parseVenueProfile } from '../desk/venue-profile.ts';
import fc from 'fast-check';

/** Prefixes in the exchange's public documentation, below its base URL. */
const PREFIXES: Readonly<Record<string, Readonly<Record<Mount, string>>>> = {
  'sandbox': { web: '', funding: '/v1', orders: '/v1/prod', product: '/v1/prod' },
  'bitnomial': { web: '', funding: '/v1', orders: '/v1/prod', product: '/v1/prod' },
  'bitnomial-sandbox': { web: '', funding: '/v1', orders: '/v1/sandbox', product: '/v1/sandbox' },
};

describe.each(Object.entries(PREFIXES))('%s', (name, prefixes) => {
  const venue = findVenue(name) ?? expect.fail(`no venue ${name}`);

  test('has every endpoint below its mount, with a path that still matches it', () => {
    for (const endpointName of ENDPOINT_NAMES) {
      const endpoint = ENDPOINTS[endpointName];
      const prefix = toMountPrefix(venue, endpoint.mount);
      expect(prefix).toBe(prefixes[endpoint.mount]);
      const full = prefix + toPath(endpoint, { id: '5599', product_id: '5599', base_symbol: 'BTCUC' });
      expect(matchRoute(full.slice(prefix.length))?.name).toBe(endpointName);
    }
  });

  test('is a valid profile file', () => {
    expect(venue.name).toBe(name);
    const baseUrl = venue.baseUrl ?? 'http://127.0.0.1:4010/exchange/api';
    // Only the embedded exchange is simulated, and no file describes it.
    const { simulated, ...profile } = { ...venue, baseUrl };
    expect(simulated).toBe(venue.baseUrl === null ? true : undefined);
    expect(parseVenueProfile(profile)).toEqual({ profile });
  });
});

test('these are the built-in venues; a property name of every object is not one', () => {
  expect(Object.keys(VENUES)).toEqual(Object.keys(PREFIXES));
  for (const name of ['', 'Bitnomial', 'constructor', '__proto__', 'toString']) expect(findVenue(name)).toBeNull();
});

describe('a venue from a file', () => {
  const good = { name: 'desk-2', baseUrl: 'https://exchange.example/api' };

  test('needs a name and an address; the rest has defaults', () => {
    expect(parseVenueProfile(good)).toEqual({
      profile: { ...good, env: 'prod', mounts: { web: '', funding: '/v1', orders: '/v1/{env}', product: '/v1/{env}' } },
    });
  });

  test('may change single mounts', () => {
    const reading = parseVenueProfile({
      ...good,
      env: 'uat',
      mounts: { web: '/beta', orders: '/{env}/private/{env}' },
    });
    const profile = 'profile' in reading ? reading.profile : expect.fail(reading.problems.join());
    const prefixes = (['web', 'funding', 'orders', 'product'] as const).map((mount) => toMountPrefix(profile, mount));
    expect(prefixes).toEqual(['/beta', '/v1', '/uat/private/uat', '/v1/uat']);
  });

  test.each<[unknown, RegExp]>([
    [null, /profile must be an object, not null/],
    [[good], /profile must be an object, not an array of 1/],
    [{ ...good, name: undefined }, /^name must be .*, not nothing/],
    [{ ...good, name: 'a b' }, /^name must be/],
    [{ ...good, name: 7 }, /^name must be .*, not number 7/],
    [{ ...good, baseUrl: null }, /^baseUrl must be/],
    [{ ...good, env: '../prod' }, /^env must be/],
    [{ ...good, env: '$&' }, /^env must be/],
    [{ ...good, env: null }, /^env must be/],
    [{ ...good, mounts: [] }, /^mounts must be an object/],
    [{ ...good, mounts: { web: '/web/' } }, /^mounts.web must be/],
    [{ ...good, mounts: { web: 'web' } }, /^mounts.web must be/],
    [{ ...good, mounts: { funding: '/../v1' } }, /^mounts.funding must be/],
    [{ ...good, mounts: { funding: '/v1/..' } }, /^mounts.funding must be/],
    [{ ...good, mounts: { orders: '//evil.example' } }, /^mounts.orders must be/],
    [{ ...good, mounts: { orders: '/v1%2f' } }, /^mounts.orders must be/],
    [{ ...good, mounts: { orders: '/v1?x' } }, /^mounts.orders must be/],
    [{ ...good, mounts: { product: '/{environment}' } }, /^mounts.product must be/],
    [{ ...good, mounts: { product: null } }, /^mounts.product must be/],
    [{ ...good, mounts: { charts: '' } }, /^mounts.charts is not a field of/],
    [{ ...good, base_url: '' }, /^base_url is not a field of/],
    [JSON.parse('{"name":"x","baseUrl":"https://x","__proto__":{}}'), /^__proto__ is not a field of/],
  ])('%j is rejected with the name of the field', (value, problem) => {
    const reading = parseVenueProfile(value);
    const problems = 'problems' in reading ? reading.problems : expect.fail('it was accepted');
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  test('gets all its mistakes reported together', () => {
    const reading = parseVenueProfile({ name: '', baseUrl: '', env: '', mounts: { web: 'x', orders: 'y' }, extra: 1 });
    expect('problems' in reading && reading.problems.map((problem) => problem.split(' ')[0])).toEqual([
      'extra',
      'name',
      'baseUrl',
      'env',
      'mounts.web',
      'mounts.orders',
    ]);
  });
});

test.each([
  ['http://127.0.0.1:4010/exchange/api', 'http://127.0.0.1:4010/exchange/api'],
  ['https://exchange.example', 'https://exchange.example'],
  ['https://exchange.example/', 'https://exchange.example'],
  ['https://Exchange.example:443/api//', 'https://exchange.example/api'],
])('the address %s becomes %s', (text, baseUrl) => {
  expect(parseBaseUrl(text)).toBe(baseUrl);
});

test.each([
  '',
  'exchange.example',
  '/exchange/api',
  '//exchange.example',
  'ftp://exchange.example',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://user:secret@exchange.example',
  'https://user@exchange.example',
  'https://exchange.example/api?key=1',
  'https://exchange.example/api#x',
  'https://',
  'http://[::1',
])('%j is not a base URL', (text) => {
  expect(parseBaseUrl(text)).toBeNull();
});

test('a rejected address is not quoted, since it may contain a password', () => {
  expect(
    JSON.stringify(parseVenueProfile({ name: 'x', baseUrl: 'https://user:secret@exchange.example' })),
  ).not.toContain('secret');
});

const examplesOf = (endpoint: Endpoint) =>
  Object.fromEntries(Object.entries(endpoint.pathParameters).map(([name, { grammar }]) => [name, grammar.example]));

/** Any text, especially texts that look like a path. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('.', '/', '%', '2', 'e', 'f', '\\', '?', '#', ';', '\0') }),
  )
  .filter((text) => text.isWellFormed());
const isLeading = (text: string): boolean => text === '' || text === '.' || text === '..';

const withParameters = ENDPOINT_NAMES.filter((name) => Object.keys(ENDPOINTS[name].pathParameters).length > 0);

describe.each(ENDPOINT_NAMES)('%s', (name) => {
  const endpoint: Endpoint = ENDPOINTS[name];

  test('is matched by its own path, with its parameters', () => {
    const route = matchRoute(toPath(endpoint, examplesOf(endpoint)));
    expect(route).toMatchObject({ name, pathParameters: examplesOf(endpoint) });
    expect(route?.endpoint).toBe(endpoint);
  });

  test('has exactly the parameters of its path', () => {
    const named = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter);
    expect(named).toEqual(Object.keys(endpoint.pathParameters));
  });
});

describe.each(withParameters)('%s', (name) => {
  const endpoint: Endpoint = ENDPOINTS[name];
  const parametersOf = (text: string) =>
    Object.fromEntries(Object.keys(endpoint.pathParameters).map((key) => [key, text]));

  test('carries any text in its path, and stays the same endpoint', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(!isLeading(text));
        const path = toPath(endpoint, parametersOf(text));
        // Parsed as by a browser or proxy: nothing is resolved, and nothing becomes a query.
        expect(new URL(path, 'http://venue').pathname).toBe(path);
        const route = matchRoute(path);
        // The text may be a literal of the table (`all-products`), which takes precedence.
        if (route?.name === name) expect(route.pathParameters).toEqual(parametersOf(text));
        else expect(ENDPOINT_NAMES.map((other) => ENDPOINTS[other].path)).toContain(path);
      }),
    );
  });

  test.each(['', '.', '..', '\ud800', 'a\udc00'])('has no path for %j', (text) => {
    expect(() => toPath(endpoint, parametersOf(text))).toThrow(RangeError);
  });

  test('has no path without its parameter, or with an inherited one', () => {
    expect(() => toPath(endpoint, {})).toThrow(RangeError);
    expect(() => toPath(endpoint, Object.create(examplesOf(endpoint)) as Record<string, string>)).toThrow(RangeError);
  });
});

test('a literal takes precedence over a parameter', () => {
  expect(matchRoute('/web/market/stats/trailing/all-products')?.name).toBe('trailingStatsAll');
  expect(matchRoute('/web/market/stats/trailing/5599')?.name).toBe('trailingStats');
  expect(matchRoute('/orders/working')?.name).toBe('ordersWorking');
});

test('percent-encoded parameters are decoded once', () => {
  expect(matchRoute('/funding-rates/estimated/B%54C%2525')?.pathParameters).toEqual({ base_symbol: 'BTC%25' });
});

test.each([
  '',
  '/',
  'orders',
  '/orders/',
  '//orders',
  '/Orders',
  '/%6Frders',
  '/orders/working/',
  '/orders/../orders',
  '/orders%2Fworking',
  '/funding-rates',
  '/funding-rates/estimated/',
  '/funding-rates/estimated/BTCUC/more',
  '/funding-rates/estimated/%',
  '/funding-rates/estimated/%zz',
  '/funding-rates/estimated/%C0%AE',
  '/web/charts/price/',
  '/web/charts/price/5599/',
  '/v1/prod/orders',
  '/constructor',
  '/__proto__',
  '/orders?limit=1',
])('%j is not a path of the interface', (path) => {
  expect(matchRoute(path)).toBeNull();
});

test('an encoded slash stays in its parameter, whose grammar rejects it', () => {
  const route = matchRoute('/funding-rates/estimated/..%2F..%2Forders');
  expect(route?.pathParameters).toEqual({ base_symbol: '../../orders' });
  expect(route?.endpoint.pathParameters['base_symbol']?.grammar.accepts('../../orders')).toBe(false);
});
