import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openVenueApi, type OpenVenueApi } from '#testing/http/open-venue-api.ts';
import { createSmallExchange, type SmallExchange } from '#testing/http/small-exchange.ts';
import {
  expired,
  far,
  forthcoming,
  makeSession,
  near,
  option,
  perpetual,
  shiba,
  spread,
  START,
} from '#testing/http/small-universe.ts';

let small: SmallExchange;
let api: OpenVenueApi;

const NULLS = { volume: null, cents: null, openInterest: null, openInterestCents: null };

beforeAll(async () => {
  small = await createSmallExchange(START);
  const days = Array.from({ length: 60 }, (_, i) => i + 1);
  await small.store.commit({
    sessions: [
      ...days.map((ago) => makeSession(perpetual, ago)),
      ...days.map((ago) =>
        makeSession(shiba, ago, { ohlc: { open: 7_654, high: 8_000, low: -1, close: 0 }, settlement: 1 }),
      ),
      makeSession(near, 1, { volume: 10, cents: 1_000, openInterest: null, openInterestCents: null }),
      makeSession(near, 2, { ohlc: null, ...NULLS }),
      makeSession(far, 1, { volume: 5, cents: 33, openInterest: 7, openInterestCents: 700 }),
      makeSession(far, 2, { ohlc: null, ...NULLS }),
      makeSession(far, 3, { ohlc: null, ...NULLS, openInterest: 4, openInterestCents: 400 }),
    ],
  });
  api = await openVenueApi(small.exchange);
});

afterAll(async () => {
  await api.close();
  await small.close();
});

type Row = Readonly<Record<string, unknown>>;

async function rows(target: string): Promise<readonly Row[]> {
  const reply = await api.get(target);
  expect(reply.status).toBe(200);
  return JSON.parse(reply.text) as readonly Row[];
}

const datesOf = async (target: string) => (await rows(target)).map(({ date }) => date);

describe('prices', () => {
  const PRICES = '/web/charts/price/5614';

  test('are US dollars with ten decimal places, whatever tick size is published', async () => {
    const [first] = await rows(`${PRICES}?begin_time=2026-08-16T00:00:00Z`);
    const ohlc = {
      open: '87500.0000000000',
      high: '88000.0000000000',
      low: '87000.0000000000',
      close: '87750.0000000000',
      volume: 46,
    };
    expect(first).toEqual({
      date: '2026-08-16',
      time: '2026-08-16T21:00:00.000000Z',
      ohlc,
      settlementPrice: '87700.0000000000',
    });
    const [odd] = await rows(`/web/charts/price/5599?begin_time=2026-08-16T00:00:00Z`);
    const oddOhlc = {
      open: '0.0000153080',
      high: '0.0000160000',
      low: '-0.0000000020',
      close: '0.0000000000',
      volume: 46,
    };
    expect([odd?.['ohlc'], odd?.['settlementPrice']]).toEqual([oddOhlc, '0.0000000020']);
  });

  test('cover the last thirty days, oldest first, without a range', async () => {
    const dates = await datesOf(PRICES);
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([30, '2026-07-18', '2026-08-16']);
    expect(await datesOf(`${PRICES}?end_time=now`)).toEqual(dates);
  });

  test('cover the thirty days before the end, where only the end is given', async () => {
    const dates = await datesOf(`${PRICES}?end_time=2026-08-01T00:00:00Z`);
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([30, '2026-07-02', '2026-07-31']);
    expect(await datesOf(`${PRICES}?end_time=2026-09-01T00:00:00Z`)).toHaveLength(30);
  });

  test('include the start of the range and exclude its end', async () => {
    const of = (begin: string, end: string) => datesOf(`${PRICES}?begin_time=${begin}&end_time=${end}`);
    expect(await of('2026-08-10T21:00:00Z', '2026-08-12T21:00:00Z')).toEqual(['2026-08-10', '2026-08-11']);
    expect(await of('2026-08-10T21:00:00.000000001Z', '2026-08-12T21:00:00.000000001Z')).toEqual([
      '2026-08-11',
      '2026-08-12',
    ]);
    expect(await of('2026-08-12T21:00:00Z', '2026-08-10T21:00:00Z')).toEqual([]);
    expect(await of('0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z')).toHaveLength(60);
  });

  test('are missing for a day without trades, and for a product that never traded', async () => {
    expect(await datesOf('/web/charts/price/6002')).toEqual(['2026-08-16']);
    for (const { id } of [expired, forthcoming, option, spread])
      expect(await rows(`/web/charts/price/${String(id)}`)).toEqual([]);
  });
});

describe('volume and open interest', () => {
  const of = (...ids: readonly number[]) => `/web/charts/voi?${ids.map((id) => `product_id=${String(id)}`).join('&')}`;

  test('without products: rows of each product', async () => {
    const all = await rows('/web/charts/voi');
    const own = await Promise.all([shiba, perpetual, near, far].map(({ id }) => rows(of(id))));
    expect(all).toHaveLength(65);
    expect(all).toEqual(expect.arrayContaining(own.flat()) as unknown);
  });

  test('of one product: nulls for unknown values', async () => {
    const nothing = { volume: null, notionalVolume: null, openInterest: null, notionalOpenInterest: null };
    expect(await rows(of(near.id))).toEqual([
      { date: '2026-08-15', productId: near.id, baseSymbol: 'BUS', ...nothing },
      { date: '2026-08-16', productId: near.id, baseSymbol: 'BUS', ...nothing, volume: 10, notionalVolume: 1_000 },
    ]);
    expect(await rows(of(near.id, near.id))).toEqual(await rows(of(near.id)));
  });

  test('of several products: daily totals in cents, null only where all are', async () => {
    const total = (
      date: string,
      volume: unknown,
      notionalVolume: unknown,
      openInterest: unknown,
      notionalOpenInterest: unknown,
    ) => ({
      ...{ date, productId: far.id, baseSymbol: 'BUS' },
      ...{ volume, notionalVolume, openInterest, notionalOpenInterest },
    });
    expect(await rows(of(far.id, near.id))).toEqual([
      total('2026-08-14', null, null, 4, 400),
      total('2026-08-15', null, null, null, null),
      total('2026-08-16', 15, 1_033, 7, 700),
    ]);
  });
});

test('a long chart comes in chunks and is whole', async () => {
  const many = Array.from({ length: 1_000 }, (_, i) => makeSession(option, 100 + i));
  await small.store.commit({ sessions: many });
  const reply = await api.get(`/web/charts/price/8001?begin_time=2020-01-01T00:00:00Z`);
  expect([reply.headers['content-length'], reply.headers['transfer-encoding']]).toEqual([undefined, 'chunked']);
  expect((JSON.parse(reply.text) as Row[]).map(({ date }) => date)).toEqual(many.map(({ date }) => date).toReversed());
});
