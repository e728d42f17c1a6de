import { describe, expect, it } from 'vitest';
import { fromNumber } from '#contract/exchange/brand.ts';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import type { ProductId } from '#contract/exchange/ids.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { createApi, type DeskEndpointName } from './create-api.ts';
import { InvalidResponseError } from './errors.ts';
import type { HttpClient } from './http-client.ts';

type Request = Parameters<HttpClient['get']>[1];

/** The HTTP request for one of the desk's own endpoints. */
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

/** An API whose every response is this one, received when the exchange’s clock showed this time. */
function openApi(response: unknown, venueTime: number | null = null) {
  return createApi({
    get: () =>
      Promise.resolve({
        text: JSON.stringify(response),
        venueTime,
        answeredAt: null,
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
