import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS, type EndpointName } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import { openVenueApi, type OpenVenueApi } from '#testing/http/open-venue-api.ts';
import { createSmallExchange, type SmallExchange } from '#testing/http/small-exchange.ts';
import {
  at,
  far,
  makeFunding,
  makeOrder,
  makeSession,
  near,
  perpetual,
  shiba,
  START,
} from '#testing/http/small-universe.ts';

let small: SmallExchange;
let api: OpenVenueApi;

beforeAll(async () => {
  small = await createSmallExchange(START);
  const days = Array.from({ length: 60 }, (_, i) => i + 1);
  await small.store.commit({
    sessions: [
      ...days.flatMap((ago) => [perpetual, near, shiba].map((product) => makeSession(product, ago))),
      makeSession(far, 1, { ohlc: null, volume: null, cents: null, openInterest: null, openInterestCents: null }),
      makeSession(far, 2, { volume: 5, cents: 100, openInterest: null, openInterestCents: null }),
    ],
    funding: [...days.map((ago) => makeFunding(perpetual, ago - 1)), makeFunding(shiba, 0)],
  });
  await small.accept([1, 2, 3].map((n) => makeOrder(n)));
  small.estimates.set(perpetual.id, {
    rate: 0.0002,
    start: at('2026-08-17T16:00:00Z'),
    end: at('2026-08-18T00:00:00Z'),
  });
  small.trailing.set(perpetual.id, { volume: 27, cents: 2_365_870 });
  api = await openVenueApi(small.exchange);
});

afterAll(async () => {
  await api.close();
  await small.close();
});

const TARGETS: Readonly<Record<EndpointName, string>> = {
  chartPrice: '/web/charts/price/5614',
  chartVoi: '/web/charts/voi',
  fundingRates: '/v1/funding-rates/',
  fundingEstimated: '/v1/funding-rates/estimated/BTCUC',
  orders: '/v1/prod/orders',
  ordersWorking: '/v1/prod/orders/working',
  trailingStatsAll: '/web/market/stats/trailing/all-products',
  trailingStats: '/web/market/stats/trailing/5614',
  productSpecs: '/v1/prod/product/specs/',
  productSpec: '/v1/prod/product/spec/8001',
  productDataAll: '/v1/prod/product/data/',
  productData: '/v1/prod/product/data/5614',
};

describe.each(Object.entries(TARGETS) as [EndpointName, string][])('%s', (name, target) => {
  test('matches the schema of the interface exactly', async () => {
    const reply = await api.getSigned(target);
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json']);
    expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.text)));
    const parsed: unknown = createParser(ENDPOINTS[name].response).strict(reply.text);
    expect(JSON.stringify(parsed)).not.toMatch(/^(\[\]|\{\})$/);
  });
});
