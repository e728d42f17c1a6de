import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENDPOINT_NAMES, ENDPOINTS, type Endpoint } from './endpoints.ts';
import { matchRoute, toPath } from './routes.ts';

const examplesOf = (endpoint: Endpoint) =>
  Object.fromEntries(Object.entries(endpoint.pathParameters).map(([name, { grammar }]) => [name, grammar.example]));

/** Any parameter, especially ones that look like a path. */
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
        // As a browser or a proxy would parse it: nothing is resolved, nothing becomes a query.
        expect(new URL(path, 'http://venue').pathname).toBe(path);
        const route = matchRoute(path);
        // A text may be a literal of the table (`all-products`), which takes precedence.
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
