import { describe, expect, test } from 'vitest';
import { ENDPOINT_NAMES, ENDPOINTS, type Mount } from './endpoints.ts';
import { matchRoute, toPath } from './routes.ts';
import { parseBaseUrl, parseVenueProfile } from '../desk/venue-profile.ts';
import { findVenue, toMountPrefix, VENUES } from './venues.ts';

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
    expect(parseVenueProfile({ ...venue, baseUrl })).toEqual({ profile: { ...venue, baseUrl } });
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
