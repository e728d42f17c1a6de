import { describe, expect, it } from 'vitest';
import { type Endpoint, ENDPOINT_NAMES, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { createParser } from '#contract/parse/parse.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { type ApiRequest, createApi, type DeskEndpointName, toApiResponse, toTarget } from './create-api.ts';
import { InvalidResponseError } from './errors.ts';
import type { HttpClient, RawResponse } from './http-client.ts';
import fc from 'fast-check';
import { fromNumber } from '#contract/exchange/brand.ts';
import { API_PREFIX, DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import type { ProductId } from '#contract/exchange/ids.ts';
import { matchRoute } from '#contract/exchange/addresses.ts';
import type { Instant } from '#contract/exchange/instant.ts';

const { tolerant } = createParser(ENDPOINTS.chartVoi.response);
const request = {
  endpoint: 'chartVoi',
  target: '/api/web/charts/voi',
  parse: (text) => tolerant(text),
  isPrivate: false,
} satisfies ApiRequest<unknown>;
const [good] = sampleResponses.chartVoi;

function received(body: unknown, fields: Partial<RawResponse> = {}): RawResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    text,
    respondedAt: null,
    receivedAt: 1,
    venueTime: null,
    ageSeconds: 0,
    requestId: 'r',
    tag: '"a"',
    cache: 'miss',
    freshSeconds: 9,
    staleBecause: null,
    ...fields,
  };
}

describe('toApiResponse', () => {
  it('keeps the provenance beside the rows', () => {
    expect(toApiResponse(request, received([good]))).toMatchObject({
      endpoint: 'chartVoi',
      target: '/api/web/charts/voi',
      value: [good],
      setAside: [],
      deviations: [],
      receivedAt: 1,
      freshSeconds: 9,
      cache: 'miss',
    });
  });

  it('reports deviations beside the valid rows, and sets invalid rows aside', () => {
    const response = toApiResponse(
      request,
      received([
        { ...good, mood: 'good' },
        { ...good, volume: 'many' },
      ]),
    );
    expect(response.value).toHaveLength(1);
    expect(response.setAside.map(({ index }) => index)).toEqual([1]);
    expect(response.deviations.map(({ kind, place }) => [kind, place])).toEqual([
      ['unknown field', '$[].mood'],
      ['wrong type', '$[].volume'],
    ]);
  });

  it('rejects a response that does not match, and keeps the received text', () => {
    const parse = () => toApiResponse(request, received({ error: 'maintenance' }));
    expect(parse).toThrow(InvalidResponseError);
    expect(() => toApiResponse(request, received('<html>'))).toThrow(
      expect.objectContaining({ received: '<html>' }) as Error,
    );
  });

  it('reuses the rows of an unchanged response, with the times of the new one', () => {
    const before = toApiResponse(request, received([good]));
    const after = toApiResponse(request, received([good], { receivedAt: 2, ageSeconds: 5 }), before);
    expect(after.value).toBe(before.value);
    expect([after.receivedAt, after.ageSeconds]).toEqual([2, 5]);
  });

  it('parses again where the tag is another or missing', () => {
    const before = toApiResponse(request, received([good]));
    expect(toApiResponse(request, received([], { tag: '"b"' }), before).value).toEqual([]);
    const untagged = toApiResponse(request, received([good], { tag: null }));
    expect(toApiResponse(request, received([], { tag: null }), untagged).value).toEqual([]);
  });

  it('keeps digits beyond float precision', () => {
    const text = JSON.stringify([good]).replace('2365870', '23658701234567890123');
    const [row] = toApiResponse(request, received(text)).value;
    expect(row && wireText(row, 'notionalVolume')).toBe('23658701234567890123');
  });
});

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

type Request = Parameters<HttpClient['get']>[1];

/** Returns the HTTP request for one of Perpdesk's own endpoints. */
async function requestFor(name: DeskEndpointName): Promise<Request> {
  const seen: Request[] = [];
  const api = createApi({
    get: (_, request) => {
      seen.push(request);
      return Promise.reject(new Error('no response here'));
    },
  });
  await expect(api.desk[name]({})).rejects.toThrow('no response here');
  return seen[0] ?? {};
}

const names = Object.keys(DESK_ENDPOINTS) as DeskEndpointName[];

it('has a short deadline only for endpoints that do not wait for the venue', async () => {
  const local = await Promise.all(names.map(async (name) => ((await requestFor(name)).isLocal === true ? [name] : [])));
  expect(local.flat()).toEqual([
    'estimates',
    'aliases',
    'journal',
    'journalChanges',
    'journalActivity',
    'journalOrder',
    'journalBook',
    'journalPrices',
    'observedPrices',
    'calls',
    'callDeliveries',
    'status',
    'policy',
  ]);
});

it('keeps only orders and their owners out of the browser’s cache', async () => {
  const uncached = await Promise.all(
    names.map(async (name) => ((await requestFor(name)).isPrivate === true ? [name] : [])),
  );
  expect(uncached.flat()).toEqual([
    'working',
    'aliases',
    'journal',
    'journalChanges',
    'journalActivity',
    'journalOrder',
    'journalBook',
    'calls',
    'callDeliveries',
  ]);
});

/** Returns an API that always gets this response, received at this time of the exchange's clock. */
function openApi(response: unknown, venueTime: number | null = null) {
  return createApi({
    get: () =>
      Promise.resolve({
        text: JSON.stringify(response),
        venueTime,
        respondedAt: null,
        receivedAt: 0,
        ageSeconds: null,
        requestId: null,
        tag: null,
        cache: 'miss',
        freshSeconds: null,
        staleBecause: null,
      }),
  });
}

it('sets aside products of one id: all of them where they contradict each other', async () => {
  const [first, second] = [1, 2].map((id) => ({ ...sampleResponses.productSpec, product_id: id }));
  const products = [first, first, second, { ...second, contract_size: 5 }];
  const { value, setAside, deviations } = await openApi({
    source: 'product/specs',
    read_at: '2026-08-17T23:45:21.496Z',
    products,
  }).desk.products({});
  expect([value.products, setAside.map(({ index }) => index)]).toEqual([[first], [1, 2, 3]]);
  expect(deviations.map(({ kind }) => kind)).toEqual(['duplicate', 'contradiction']);
});

describe('rows that do not answer the request', () => {
  const openVenue = (rows: unknown, venueTime: number | null = null) => openApi(rows, venueTime).venue;
  const [voi] = sampleResponses.chartVoi;
  const requested = {
    product_id: fromNumber<ProductId>(voi.productId),
    begin_time: '2026-08-01T00:00:00Z' as Instant,
    end_time: 'now',
  } as const;
  const dayOf = (date: string, fields: object = {}) => ({ ...voi, date, ...fields });

  it('are set aside, those of the future by the exchange’s clock', async () => {
    const rows = [
      dayOf('2026-08-16'),
      dayOf('2026-08-16', { productId: 9_999 }),
      dayOf('2026-07-16'),
      dayOf('2026-08-19'),
    ];
    const known = await openVenue(rows, Date.parse('2026-08-17T12:00:00Z')).chartVoi(requested);
    expect([known.value, known.setAside.map(({ index }) => index)]).toEqual([[rows[0]], [1, 2, 3]]);
    expect(known.deviations.map(({ kind }) => kind)).toEqual(['not requested', 'outside the range', 'in the future']);
    const unknown = await openVenue(rows).chartVoi(requested);
    expect(unknown.value).toEqual([rows[0], rows[3]]);
  });

  it('the total of several products may have the id of any of them', async () => {
    const response = await openVenue([dayOf('2026-08-16')]).chartVoi({
      ...requested,
      product_id: [fromNumber(1), requested.product_id],
    });
    expect(response.setAside).toEqual([]);
  });

  it('one object of another product is an invalid response', async () => {
    await expect(
      openVenue(sampleResponses.trailingStats).trailingStats({ product_id: fromNumber(9_999) }),
    ).rejects.toThrow(InvalidResponseError);
  });
});
