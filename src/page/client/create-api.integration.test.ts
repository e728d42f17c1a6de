import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromNumber } from '#contract/exchange/brand.ts';
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from '#contract/exchange/endpoints.ts';
import type { ProductId } from '#contract/exchange/ids.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { findCheckedSessions } from '#model/checks/price-evidence.ts';
import { toMarketRows } from '#model/markets/market-rows.ts';
import { startDesk, type StartedDesk } from '#testing/start-desk.ts';
import type { ApiResponse } from '#model/response.ts';
import { createApi, type Api } from './create-api.ts';
import { createHttpClient } from './http-client.ts';
import { readPages } from './pages.ts';

let desk: StartedDesk;
let api: Api;
let perpetual: { readonly id: ProductId; readonly base: string };

beforeAll(async () => {
  // The instant is fixed, because on some days a thin product has no open interest, and so no price in USD.
  desk = await startDesk({ venue: ['--clock', '2026-08-17T12:00:00Z'] });
  api = createApi(
    createHttpClient({
      fetch: (target, init) => fetch(new URL(target, desk.server.address), init),
      now: () => Date.now(),
      timeout: (ms) => AbortSignal.timeout(ms),
    }),
  );
  const products = (await api.desk.products({})).value.products;
  const product = products.find(({ type, product_status }) => type === 'perpetual' && product_status === 'active');
  if (product?.base_symbol === undefined) throw new Error('the test exchange has no perpetual');
  perpetual = { id: product.product_id, base: product.base_symbol };
}, 60_000);

afterAll(() => desk.stop());

function read(name: EndpointName): Promise<ApiResponse<unknown>> {
  const { id, base } = perpetual;
  const path = { id, product_id: id, base_symbol: base };
  const wanted = Object.keys(ENDPOINTS[name].pathParameters);
  const request = Object.fromEntries(Object.entries(path).filter(([parameter]) => wanted.includes(parameter)));
  return (api.venue[name] as (request: object) => Promise<ApiResponse<unknown>>)(request);
}

describe('the API of a real desk', () => {
  it.each(ENDPOINT_NAMES)('reads %s without any deviation, with its provenance', async (name) => {
    const response = await read(name);
    expect(response).toMatchObject({
      endpoint: name,
      setAside: [],
      deviations: [],
      respondedAt: expect.any(String) as string,
      requestId: expect.any(String) as string,
    });
    expect(['miss', 'hit', 'coalesced', 'disk-hit']).toContain(response.cache);
    expect(response.tag).not.toBeNull();
  });

  it.each(['working', 'products', 'status', 'policy'] as const)(
    'reads the desk’s own %s without any deviation',
    async (name) => {
      const response: ApiResponse<unknown> = await api.desk[name]({});
      expect(response).toMatchObject({ endpoint: `desk/${name}`, setAside: [], deviations: [] });
    },
  );

  it.each(['working', 'products'] as const)(
    'reports the age of the venue’s data in the desk’s own %s',
    async (name) => {
      const response: ApiResponse<unknown> = await api.desk[name]({});
      expect(['miss', 'hit', 'coalesced']).toContain(response.cache);
      expect(response).toMatchObject({
        ageSeconds: expect.any(Number) as number,
        freshSeconds: expect.any(Number) as number,
        staleBecause: null,
      });
    },
  );

  it.each(['status', 'policy'] as const)('reports that the desk itself computed %s', async (name) => {
    const response: ApiResponse<unknown> = await api.desk[name]({});
    expect(response).toMatchObject({ cache: 'computed', ageSeconds: null });
  });

  it('reads a list to its end, page by page, each row once', async () => {
    const reading = readPages((cursor) =>
      api.venue.fundingRates({
        product_id: perpetual.id,
        begin_time: '2026-01-01T00:00:00Z' as Instant,
        limit: 50,
        ...(cursor && { cursor }),
      }),
    );
    const ends = new Set<string>();
    let rows = 0;
    let pages = 0;
    for await (const { value } of reading) {
      pages += 1;
      rows += value.data.length;
      for (const { interval_end } of value.data) ends.add(interval_end);
    }
    expect(pages).toBeGreaterThan(2);
    expect(ends.size).toBe(rows);
  });

  it('does not transfer private orders again while they are unchanged', async () => {
    const request = { limit: 20, end_time: '2026-01-01T00:00:00Z' as Instant };
    const first = await api.venue.orders(request);
    const second = await api.venue.orders(request, { previous: first });
    expect(second.value).toBe(first.value);
    expect(second.requestId).not.toBe(first.requestId);
  });

  it('reports an unknown product as not found', async () => {
    await expect(api.venue.chartPrice({ id: fromNumber(999_999) })).rejects.toMatchObject({
      name: 'ProblemError',
      type: 'not-found',
    });
  });

  it('builds the market list: every settlement in USD, and only the known wrong tick size rejected', async () => {
    const [products, trailing, voi, funding, data] = await Promise.all([
      api.desk.products({}),
      api.venue.trailingStatsAll({}),
      api.venue.chartVoi({}),
      api.venue.fundingRates({}),
      api.venue.productDataAll({}),
    ]);
    const sessions = await Promise.all(
      findCheckedSessions(voi.value, data.value).map(async (day) => (await api.venue.productDataAll({ day })).value),
    );
    const rows = toMarketRows({ products, trailing, voi, funding, data, sessions });
    expect(
      rows.flatMap(({ checks, product }) => [...checks.reasons.keys()].map((suspect) => [product.symbol, suspect])),
    ).toEqual([
      ['PSHBUNZ50', 'tick size'],
      ['PSHBUNZ50', 'contract size'],
    ]);
    // If no check can decide about a product, it has neither trades nor open interest.
    const compared = rows.filter(({ check }) => check.verdict === 'agrees');
    expect(compared.length).toBeGreaterThan(50);
    const perpetuals = rows.filter(({ product }) => product.type === 'perpetual');
    expect(perpetuals.length).toBeGreaterThan(10);
    for (const { product, check, settlement, funding: cost } of perpetuals) {
      expect(check.verdict).not.toBe('unchecked');
      expect(settlement?.value === null).toBe(product.symbol === 'PSHBUNZ50');
      expect(cost?.settledApr?.value).not.toBeNull();
    }
  });

  it('has the settlement of the chart’s same session in the list, or none', async () => {
    const [products, voi, data] = await Promise.all([
      api.desk.products({}),
      api.venue.chartVoi({}),
      api.venue.productDataAll({}),
    ]);
    const sessions = await Promise.all(
      findCheckedSessions(voi.value, data.value).map(async (day) => (await api.venue.productDataAll({ day })).value),
    );
    const rows = toMarketRows({ products, voi, data, sessions });
    for (const symbol of ['PBTCUCZ50', 'PETHUIZ50', 'PSHBUNZ50']) {
      const row = rows.find(({ product }) => product.symbol === symbol);
      if (row === undefined) throw new Error(`the test exchange has no ${symbol}`);
      const chart = await api.venue.chartPrice({ id: row.product.product_id });
      const day = chart.value.find(({ date }) => date === row.settlementTime?.slice(0, 10));
      expect(row.settlement?.value?.toFixed(10) ?? null).toBe(symbol === 'PSHBUNZ50' ? null : day?.settlementPrice);
    }
  });
});
