import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromNumber } from '#contract/exchange/brand.ts';
import { API_PREFIX } from '#contract/desk/desk.ts';
import { ENDPOINT_NAMES, ENDPOINTS, type Endpoint } from '#contract/exchange/endpoints.ts';
import type { ProductId } from '#contract/exchange/ids.ts';
import { matchRoute } from '#contract/exchange/routes.ts';
import { toTarget } from './request-target.ts';

const id = (value: number): ProductId => fromNumber(value);

function split(target: string): { readonly path: string; readonly query: URLSearchParams } {
  const [path = '', query = ''] = target.slice(API_PREFIX.length).split('?');
  return { path, query: new URLSearchParams(query) };
}

describe('toTarget', () => {
  it.each(ENDPOINT_NAMES)('requests %s at its route', (name) => {
    const endpoint: Endpoint = ENDPOINTS[name];
    const grammars = Object.entries({ ...endpoint.pathParameters, ...endpoint.query });
    const { path, query } = split(
      toTarget(endpoint, Object.fromEntries(grammars.map(([key, { grammar }]) => [key, grammar.example]))),
    );
    expect(matchRoute(path)?.name).toBe(name);
    for (const [key, { grammar }] of Object.entries(endpoint.query))
      expect(grammar.accepts(query.get(key) ?? '')).toBe(true);
    expect([...query.keys()]).toEqual(Object.keys(endpoint.query));
  });

  it.each(ENDPOINT_NAMES)('has no path parameter of %s that is also a query parameter', (name) => {
    const endpoint: Endpoint = ENDPOINTS[name];
    expect(Object.keys(endpoint.pathParameters).filter((key) => Object.hasOwn(endpoint.query, key))).toEqual([]);
  });

  it('omits missing parameters, and has the same text for the same request', () => {
    expect(toTarget(ENDPOINTS.chartVoi, {})).toBe('/api/web/charts/voi');
    const parameters = { end_time: 'now', product_id: undefined, begin_time: '2026-01-01T00:00:00Z' };
    expect(toTarget(ENDPOINTS.chartVoi, parameters)).toBe(
      '/api/web/charts/voi?begin_time=2026-01-01T00%3A00%3A00Z&end_time=now',
    );
  });

  it('repeats a repeatable parameter in the order given, since the first one names the total', () => {
    expect(toTarget(ENDPOINTS.chartVoi, { product_id: [id(7), id(3)] })).toBe(
      '/api/web/charts/voi?product_id=7&product_id=3',
    );
  });

  it('encodes any text so that it decodes to the same and leaves the path unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (account) => {
        const { path, query } = split(toTarget(ENDPOINTS.ordersWorking, { account_id: account }));
        expect([path, query.get('account_id')]).toEqual(['/orders/working', account]);
      }),
    );
  });

  it('passes a cursor on as received, with the venue’s own encoding', () => {
    expect(toTarget(ENDPOINTS.orders, { cursor: 'eyJ0Ij%3D%3D' })).toBe('/api/orders?cursor=eyJ0Ij%253D%253D');
    expect(toTarget(ENDPOINTS.orders, { cursor: 'eyJ0Ij==' })).toBe('/api/orders?cursor=eyJ0Ij%3D%3D');
  });

  it('rejects a path parameter that is missing or leads elsewhere', () => {
    expect(() => toTarget(ENDPOINTS.chartPrice, {})).toThrow(RangeError);
    expect(() => toTarget(ENDPOINTS.fundingEstimated, { base_symbol: '..' })).toThrow(RangeError);
  });
});
