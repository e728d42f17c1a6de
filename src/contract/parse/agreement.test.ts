import { describe, expect, test } from 'vitest';
import { sampleResponses } from '#testing/sample-responses.ts';
import { ENDPOINTS } from '../exchange/endpoints.ts';
import { findWithheldReason } from '../exchange/row-notes.ts';
import { createParser } from './parse.ts';

const orders = createParser(ENDPOINTS.ordersWorking.response);
const history = createParser(ENDPOINTS.orders.response);
const [order] = sampleResponses.ordersWorking;
const data = createParser(ENDPOINTS.productData.response);

const WITHIN_LIMIT = 'expected an average price within the limit of an order that was not modified between its fills';
const UNCHANGED = { time: '2026-08-17T12:00:00Z', last_modified: '2026-08-17T12:00:00Z' };
const ONE_FILL = { quantity_requested: 1, quantity_filled: 1 };

describe('a quantity that cannot be is withheld, the rest of its order stays', () => {
  const read = (fields: object) => orders.tolerant(JSON.stringify([order, { ...order, ...fields }]));

  test.each<[object, string, string]>([
    [
      { quantity_requested: 12, quantity_filled: 17 },
      'quantity_filled',
      'expected quantity_filled ≤ quantity_requested, found 17 of 12.',
    ],
    [{ quantity_filled: -5 }, 'quantity_filled', 'expected at least 0, found -5.'],
    [{ quantity_requested: -5 }, 'quantity_requested', 'expected at least 0, found -5.'],
  ])('%j', (fields, field, reason) => {
    const { value, setAside, deviations } = read({ side: 'Both', ...fields });
    expect(value).toMatchObject([order, { ...order, side: 'Both', ...fields, [field]: null }]);
    expect([setAside, deviations.map(({ kind, path }) => `${kind} ${path}`)]).toEqual([
      [],
      ['unknown value $[1].side', `impossible value $[1].${field}`],
    ]);
    expect(findWithheldReason(value?.[1] ?? {}, field)).toBe(`Impossible value: ${reason}`);
  });

  test.each<[object, string, string]>([
    [{ quantity_filled: 0, avg_price: 5 }, 'avg_price', 'expected no average price without fills, found 5.'],
    [
      { time_in_force: 'IOC', side: 'Bid', price: 100, avg_price: 100.5 },
      'avg_price',
      `${WITHIN_LIMIT}, found Bid at 100, filled at 100.5.`,
    ],
    [
      { time_in_force: 'IOC', side: 'Ask', price: -100, avg_price: -101 },
      'avg_price',
      `${WITHIN_LIMIT}, found Ask at -100, filled at -101.`,
    ],
    [
      { ...UNCHANGED, time_in_force: 'GTC', side: 'Bid', price: 100, avg_price: 101 },
      'avg_price',
      `${WITHIN_LIMIT}, found Bid at 100, filled at 101.`,
    ],
    [
      { ...ONE_FILL, time_in_force: 'Day', side: 'Ask', price: 100, avg_price: 99 },
      'avg_price',
      `${WITHIN_LIMIT}, found Ask at 100, filled at 99.`,
    ],
    [
      { time: '2026-08-17T12:00:00Z', last_modified: '2026-08-17T11:58:59.9Z' },
      'last_modified',
      'expected last_modified not before time, found 2026-08-17T11:58:59.9Z, accepted 2026-08-17T12:00:00Z.',
    ],
  ])('of an order: %j', (fields, field, reason) => {
    const { value } = history.tolerant(
      JSON.stringify({ data: [order, { ...order, ...fields }], pagination: { cursor: null } }),
    );
    expect(value?.data).toMatchObject([order, { ...order, ...fields, [field]: null }]);
    expect(findWithheldReason(value?.data[1] ?? {}, field)).toBe(`Impossible value: ${reason}`);
  });

  test.each([
    { quantity_filled: 0, avg_price: null },
    { quantity_filled: 4, avg_price: null },
    { time_in_force: 'IOC', side: 'Bid', price: 100, avg_price: 100 },
    { time_in_force: 'IOC', side: 'Ask', price: 100, avg_price: 101.5 },
    { time_in_force: 'GTC', side: 'Bid', price: 100, avg_price: 110 },
    { ...UNCHANGED, time_in_force: 'GTC', side: 'Bid', price: 100, avg_price: 99 },
    { ...ONE_FILL, time_in_force: 'GTC', side: 'Ask', price: 100, avg_price: 101 },
    { time: '2026-08-17T12:00:00Z', last_modified: '2026-08-17T12:00:00Z' },
    { time: '2026-08-17T12:00:00Z', last_modified: '2026-08-17T11:59:00Z' },
  ])('possible of an order: %j', (fields) => {
    const text = JSON.stringify({ data: [{ ...order, ...fields }], pagination: { cursor: null } });
    expect(history.tolerant(text).deviations).toEqual([]);
  });

  test('an order that is immediate or cancel does not rest: named, and shown as it came', () => {
    const { value, deviations } = read({ time_in_force: 'IOC', avg_price: null });
    expect(value?.[1]).toMatchObject({ time_in_force: 'IOC' });
    expect(deviations).toMatchObject([{ kind: 'unknown value', path: '$[1].time_in_force', expected: 'Day or GTC' }]);
  });

  test('an order that is filled wholly is possible', () => {
    expect(read({ quantity_requested: 12, quantity_filled: 12 }).deviations).toEqual([]);
  });
});

describe('a value of no contracts is withheld, the rest of its row stays', () => {
  test.each<['chartVoi' | 'trailingStatsAll', string, string]>([
    ['chartVoi', 'volume', 'notionalVolume'],
    ['chartVoi', 'openInterest', 'notionalOpenInterest'],
    ['trailingStatsAll', 'volume', 'notionalVolume'],
  ])('%s: %s', (name, contracts, notional) => {
    const rows = [
      [0, 500],
      [0, 0],
      [0, null],
      [null, 0],
      [null, null],
    ].map(([count, value]) => ({ ...sampleResponses[name][0], [contracts]: count, [notional]: value }));
    const { value, setAside, deviations } = createParser(ENDPOINTS[name].response).tolerant(JSON.stringify(rows));
    expect([value, setAside]).toMatchObject([[{ ...rows[0], [notional]: null }, ...rows.slice(1)], []]);
    expect(deviations).toMatchObject([
      { kind: 'impossible value', path: `$[0].${notional}`, expected: 'no value of 0 contracts', found: 'number 500' },
    ]);
  });

  test('without trades, contracts and value of 24 h are both null', () => {
    const read = (volume: number | null, notionalVolume: number | null) =>
      stats.tolerant(JSON.stringify([{ productId: 5599, volume, notionalVolume }]));
    expect(
      [read(5, null), read(null, 500)].map(({ value }) => findWithheldReason(value?.[0] ?? {}, 'notionalVolume')),
    ).toEqual([
      'Impossible value: expected a value of contracts, and none without, found null for 5 contracts.',
      'Impossible value: expected a value of contracts, and none without, found 500 for null.',
    ]);
    expect(
      [read(null, null), read(0, 0), read(0, null), read(null, 0), read(5, 0)].flatMap(({ deviations }) => deviations),
    ).toEqual([]);
  });
});

test.each([
  ['last_price', 'last_price_time'],
  ['settlement_price', 'settlement_time'],
])('%s without %s is withheld: it may be of any session', (price, time) => {
  const { value } = data.tolerant(JSON.stringify({ ...sampleResponses.productData, [time]: null }));
  expect(value).toMatchObject({ [price]: null, product_id: sampleResponses.productData.product_id });
  expect(findWithheldReason(value ?? {}, price)).toMatch(
    `Impossible value: expected no ${price} without ${time}, found 1750`,
  );
  expect(
    data.tolerant(JSON.stringify({ ...sampleResponses.productData, [price]: null, [time]: null })).deviations,
  ).toEqual([]);
});

const stats = createParser(ENDPOINTS.trailingStatsAll.response);
const chart = createParser(ENDPOINTS.chartPrice.response);
const [session] = sampleResponses.chartPrice;

describe('a candle that contradicts itself is withheld, the rest of its session stays', () => {
  const priced = (prices: object) => ({
    ...session,
    ohlc: { ...session.ohlc, open: '10.0', high: '11.0', low: '9.0', close: '10.5', ...prices },
  });
  const read = (...rows: readonly unknown[]) => chart.tolerant(JSON.stringify(rows));

  test.each([
    { low: '12.0', high: '11.0' },
    { open: '8.9999999999' },
    { open: '11.1' },
    { close: '9.0', low: '9.00001' },
    { close: '-10.5' },
  ])('%j', (prices) => {
    const { value, setAside, deviations } = read(session, priced(prices));
    expect(setAside).toEqual([]);
    expect(value).toMatchObject([
      session,
      { ...session, ohlc: { open: null, high: null, low: null, close: null, volume: session.ohlc.volume } },
    ]);
    expect(deviations.map(({ kind, path }) => `${kind} ${path}`)).toEqual(
      ['open', 'high', 'low', 'close'].map((field) => `impossible value $[1].ohlc.${field}`),
    );
    expect(findWithheldReason(value?.[1]?.ohlc ?? {}, 'close')).toMatch(
      /^Impossible value: expected low ≤ open and close ≤ high, found open .+ close .+\.$/,
    );
    expect(() => chart.strict(JSON.stringify([priced(prices)]))).toThrow('expected low ≤ open and close ≤ high');
  });

  test.each([
    {},
    { low: '10.0', high: '10.5' },
    { open: '10.5', high: '10.50', close: '10.500', low: '10.5' },
    { open: '-1', low: '-2', high: '0', close: '-1.5' },
  ])('not %j', (prices) => {
    expect(read(priced(prices))).toEqual({ value: [priced(prices)], setAside: [], deviations: [] });
  });

  test('of a candle with one price that is no decimal, the others stay', () => {
    const { value, deviations } = read(priced({ low: 'N/A' }));
    expect([value, deviations.map(({ path }) => path)]).toMatchObject([
      [{ ohlc: { open: '10.0', low: null } }],
      ['$[0].ohlc.low'],
    ]);
  });

  test.each([null, 'candle', []])('without a candle the session is left out: %j', (ohlc) => {
    expect(read({ ...session, ohlc })).toMatchObject({
      value: [],
      deviations: [{ kind: 'wrong type', path: '$[0].ohlc' }],
    });
  });
});
