import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromNumber } from '#contract/brand.ts';
import { API_PREFIX } from '#contract/desk.ts';
import { ENDPOINT_NAMES, ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import type { ProductId } from '#contract/ids.ts';
import { matchRoute } from '#contract/routes.ts';
import { toTarget } from './request-target.ts';

const id = (value: number): ProductId => fromNumber(value);

function split(target: string): { readonly path: string; readonly query: URLSearchParams } {
  const [path = '', query = ''] = target.slice(API_PREFIX.length).split('?');
  return { path, query: new URLSearchParams(query) };
}

describe('toTarget', () => {
  it.each(ENDPOINT_NAMES)('asks %s where the desk answers it', (name) => {
    const endpoint: Endpoint = ENDPOINTS[name];
    const parameters = Object.entries({ ...endpoint.pathParameters, ...endpoint.query });
    const { path, query } = split(toTarget(endpoint, Object.fromEntries(parameters.map(([key, { grammar }]) => [key, grammar.example]))));
    expect(matchRoute(path)?.name).toBe(name);
    for (const [key, { grammar }] of Object.entries(endpoint.query)) expect(grammar.accepts(query.get(key) ?? '')).toBe(true);
    expect([...query.keys()]).toEqual(Object.keys(endpoint.query));
  });

  it.each(ENDPOINT_NAMES)('could not mistake a path parameter of %s for one of its query', (name) => {
    const endpoint: Endpoint = ENDPOINTS[name];
    expect(Object.keys(endpoint.pathParameters).filter((key) => Object.hasOwn(endpoint.query, key))).toEqual([]);
  });

  it('leaves out what is not given, and has the same text for the same request', () => {
    expect(toTarget(ENDPOINTS.chartVoi, {})).toBe('/api/web/charts/voi');
    const asked = { end_time: 'now', product_id: undefined, begin_time: '2026-01-01T00:00:00Z' };
    expect(toTarget(ENDPOINTS.chartVoi, asked)).toBe('/api/web/charts/voi?begin_time=2026-01-01T00%3A00%3A00Z&end_time=now');
  });

  it('repeats what is repeatable, in the order given: the first names the total', () => {
    expect(toTarget(ENDPOINTS.chartVoi, { product_id: [id(7), id(3)] })).toBe('/api/web/charts/voi?product_id=7&product_id=3');
  });

  it('encodes any text so that it comes back the same, and leads nowhere else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (account) => {
        const { path, query } = split(toTarget(ENDPOINTS.ordersWorking, { account_id: account }));
        expect([path, query.get('account_id')]).toEqual(['/orders/working', account]);
      }),
    );
  });

  it('hands a cursor on as it came: what of it the venue has encoded is for the desk to know', () => {
    expect(toTarget(ENDPOINTS.orders, { cursor: 'eyJ0Ij%3D%3D' })).toBe('/api/orders?cursor=eyJ0Ij%253D%253D');
    expect(toTarget(ENDPOINTS.orders, { cursor: 'eyJ0Ij==' })).toBe('/api/orders?cursor=eyJ0Ij%3D%3D');
  });

  it('refuses a path without its parameter, or with one that leads elsewhere', () => {
    expect(() => toTarget(ENDPOINTS.chartPrice, {})).toThrow(RangeError);
    expect(() => toTarget(ENDPOINTS.fundingEstimated, { base_symbol: '..' })).toThrow(RangeError);
  });
});
