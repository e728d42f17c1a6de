import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openVenueApi, type OpenVenueApi } from '#testing/http/open-venue-api.ts';
import { createSmallExchange, type SmallExchange } from '#testing/http/small-exchange.ts';
import {
  at,
  DAY,
  expired,
  far,
  forthcoming,
  makeFunding,
  makeSession,
  near,
  option,
  perpetual,
  products,
  shiba,
  spread,
  START,
} from '#testing/http/small-universe.ts';

let small: SmallExchange;
let api: OpenVenueApi;

beforeAll(async () => {
  small = await createSmallExchange(START);
  await small.store.commit({
    funding: [0, 1, 2, 3].flatMap((ago) => [
      makeFunding(perpetual, ago),
      ...(ago > 0 ? [makeFunding(shiba, ago)] : []),
    ]),
    sessions: [1, 2, 3].map((ago) =>
      makeSession(perpetual, ago, {
        settlement: 17_540 + ago,
        ...(ago === 1 && { openInterest: null, openInterestCents: null }),
      }),
    ),
  });
  api = await openVenueApi(small.exchange);
});

beforeEach(() => {
  small.setNow(START);
});

afterAll(async () => {
  await api.close();
  await small.close();
});

type Row = Readonly<Record<string, unknown>>;

async function read<Body = readonly Row[]>(target: string): Promise<Body> {
  const reply = await api.get(target);
  expect(reply.status).toBe(200);
  return JSON.parse(reply.text) as Body;
}

describe('funding', () => {
  const ends = async (query: string) => {
    const { data } = await read<{ data: readonly Row[] }>(`/v1/funding-rates/${query}`);
    return data.map((row) => `${String(row['product_id'])} ${String(row['interval_end']).slice(5, 13)}`);
  };

  test('without begin_time: only the latest rate of each product', async () => {
    expect(await ends('')).toEqual(['5614 08-17T16', '5599 08-17T08']);
    expect(await ends('?base_symbol=SHBUN')).toEqual(['5599 08-17T08']);
    expect(await ends('?product_id=6001')).toEqual([]);
    expect(await ends('?product_id=5614&base_symbol=SHBUN')).toEqual([]);
    expect(await ends('?order=asc&limit=1')).toEqual(['5599 08-17T08']);
  });

  test('without begin_time, with an end: the latest rate before it', async () => {
    expect(await ends('?end_time=2026-08-17T08:00:00Z')).toEqual(['5614 08-17T00', '5599 08-17T00']);
    expect(await ends('?end_time=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await ends('?end_time=now')).toEqual(['5614 08-17T16', '5599 08-17T08']);
  });

  test('with begin_time: every interval that ended within the range', async () => {
    expect(await ends('?product_id=5614&begin_time=2026-08-17T00:00:00Z&end_time=2026-08-17T16:00:00Z')).toEqual([
      '5614 08-17T08',
      '5614 08-17T00',
    ]);
    expect(await ends('?product_id=5614&order=asc&begin_time=2026-08-17T00:00:00.000000001Z')).toEqual([
      '5614 08-17T08',
      '5614 08-17T16',
    ]);
  });

  test('is in ticks and per interval', async () => {
    const { data } = await read<{ data: readonly Row[] }>('/v1/funding-rates/?product_id=5614');
    expect(data).toEqual([
      {
        product_id: 5614,
        price_index: 17_501,
        mark_price: 17_503,
        interest_rate: 0.0001,
        funding_rate: 0.000125,
        interval_start: '2026-08-17T08:00:00.000000Z',
        interval_end: '2026-08-17T16:00:00.000000Z',
      },
    ]);
  });

  test('of the current interval is only predicted, and only for products with an interval', async () => {
    expect((await api.get('/v1/funding-rates/estimated/BTCUC')).status).toBe(404);
    small.estimates.set(perpetual.id, {
      rate: -1.5e-7,
      start: at('2026-08-17T16:00:00Z'),
      end: at('2026-08-18T00:00:00Z'),
    });
    expect(await read('/v1/funding-rates/estimated/BTCUC')).toEqual({
      funding_rate: -1.5e-7,
      interval_start: '2026-08-17T16:00:00.000000Z',
      interval_end: '2026-08-18T00:00:00.000000Z',
    });
  });
});

describe('trailing statistics', () => {
  test('list every active product, in whole US dollars', async () => {
    small.trailing.set(perpetual.id, { volume: 27, cents: 2_365_870 });
    const all = await read('/web/market/stats/trailing/all-products');
    expect(all.map(({ productId }) => productId)).toEqual(
      [shiba, perpetual, near, far, spread, option].map(({ id }) => id).sort(),
    );
    expect(all.find(({ productId }) => productId === perpetual.id)).toEqual({
      productId: 5614,
      volume: 27,
      notionalVolume: 23_658,
    });
    expect(await read('/web/market/stats/trailing/5614')).toEqual({
      productId: 5614,
      volume: 27,
      notionalVolume: 23_658,
    });
  });

  test('are null without trades, also for inactive products', async () => {
    for (const { id } of [shiba, expired, forthcoming]) {
      expect(await read(`/web/market/stats/trailing/${String(id)}`)).toEqual({
        productId: id,
        volume: null,
        notionalVolume: null,
      });
    }
  });
});

describe('product specifications', () => {
  const statuses = async (query: string) => {
    const rows = await read(`/v1/prod/product/specs/${query}`);
    return Object.fromEntries(rows.map((row) => [String(row['symbol']), row['product_status']]));
  };

  test('list all products, or the requested ones', async () => {
    expect(Object.keys(await statuses(''))).toHaveLength(products.length);
    expect(await statuses('?base_symbol=BUS')).toEqual({
      'BUSU26': 'active',
      'BUSZ26': 'active',
      'BUSM26': 'expired',
      'BUSH27': 'forthcoming',
      'BUSU26-BUSZ26': 'active',
    });
    expect(await statuses('?base_symbol=BUS&active=true')).toEqual({
      'BUSU26': 'active',
      'BUSZ26': 'active',
      'BUSU26-BUSZ26': 'active',
    });
    expect(await statuses('?base_symbol=BUS&active=true&day=2026-06-25')).toHaveProperty('BUSM26', 'active');
    expect(await statuses('?base_symbol=BUS&day=2026-06-26')).toHaveProperty('BUSM26', 'active');
    expect(await statuses('?base_symbol=BUS&day=2026-06-27')).toHaveProperty('BUSM26', 'expired');
    expect(await statuses('?base_symbol=NOSUCH')).toEqual({});
  });

  test('have the fields of each product type', async () => {
    const common = {
      daily_open_time: '19:00:00',
      first_trading_day: '2025-01-02',
      final_settle_time: '2026-09-25T21:00:00.000000Z',
    };
    expect(await read('/v1/prod/product/spec/6001')).toMatchObject({
      ...common,
      type: 'future',
      month: 'U',
      year: 2026,
    });
    const legs = [
      { product_id: near.id, weight: 1 },
      { product_id: far.id, weight: -1 },
    ];
    expect(await read('/v1/prod/product/spec/7001')).toMatchObject({ type: 'spread', legs });
    expect(await read('/v1/prod/product/spec/8001')).toMatchObject({
      type: 'option',
      underlying_product: near.id,
      strike_price: 14_000,
      option_type: 'call',
    });
    const perpetualSpec = await read<Row>('/v1/prod/product/spec/5599');
    expect(perpetualSpec).toMatchObject({ type: 'perpetual', price_increment: 0.000002, daily_open_time: '16:00:00' });
    expect(Object.keys(perpetualSpec)).not.toEqual(expect.arrayContaining(['final_settle_time']) as unknown);
  });
});

describe('product data', () => {
  const DATA = '/v1/prod/product/data/5614';

  test('of today: the session in progress, with the last settlement and published open interest', async () => {
    small.today.set(perpetual.id, {
      lastTrade: { time: START - 1_500_000, price: 17_600 },
      ohlc: { open: 17_550, high: 17_610, low: 17_500, close: 17_600 },
      volume: 12,
      cents: 105_600_000,
    });
    const today = await read<Row>(DATA);
    expect(today).toMatchObject({
      last_price: 17_600,
      last_price_time: '2026-08-17T16:59:58.500000Z',
      settlement_price: 17_541,
    });
    expect(today).toMatchObject({
      settlement_time: '2026-08-16T21:00:00.000000Z',
      open_price: 17_550,
      close_price: 17_600,
      price_change: 59,
    });
    expect(today).toMatchObject({ volume: 12, notional_volume: 105_600_000, open_interest: 392, block_volume: null });
    expect(await read(`${DATA}?day=2026-08-17`)).toEqual(today);
  });

  test('of a past day: as it settled', async () => {
    const day = await read<Row>(`${DATA}?day=2026-08-16`);
    expect(day).toMatchObject({ last_price: 17_550, last_price_time: null, settlement_price: 17_541, price_change: 8 });
    expect(day).toMatchObject({ volume: 46, open_interest: null, settlement_time: '2026-08-16T21:00:00.000000Z' });
  });

  test('of a day without a session: nulls', async () => {
    for (const day of ['2026-08-01', '2026-08-18', '0001-01-01', '9999-12-31']) {
      const { product_id: id, ...rest } = await read<Row>(`${DATA}?day=${day}`);
      expect([id, new Set(Object.values(rest))]).toEqual([5614, new Set([null])]);
    }
  });

  test('a trading day ends with its settlement, not at midnight', async () => {
    small.setNow(at('2026-08-17T20:59:59.999Z'));
    expect(await read<Row>(`${DATA}?day=2026-08-17`)).toMatchObject({ volume: 12 });
    small.setNow(at('2026-08-17T21:00:00Z'));
    expect(await read<Row>(`${DATA}?day=2026-08-18`)).toMatchObject({ volume: 12 });
    small.setNow(START + 3 * DAY);
    expect(await read<Row>(`${DATA}?day=2026-08-17`)).toMatchObject({ volume: null });
  });

  test('of all products', async () => {
    const all = await read('/v1/prod/product/data/');
    expect(all).toHaveLength(products.length);
    expect(all.find((row) => row['product_id'] === 5614)).toEqual(await read(DATA));
  });
});
