import { expect, test } from 'vitest';
import type { ApiResponse } from '../../response.ts';
import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { Ticks } from '#contract/exchange/amounts.ts';
import type { RunningSession } from '../../price/running-session.ts';
import { asTicks, toQuantity } from '../../units/quantity.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { toPriceData } from './price-data.ts';
import { createSlotProvenance } from './slot-provenance.ts';

const [sample] = sampleResponses.chartPrice;

/** Monday and Tuesday of one week, and Monday of the next. */
const wire = [
  { date: '2026-11-09', close: '101.0', settlement: '100.0' },
  { date: '2026-11-10', close: '103.0', settlement: '102.0' },
  { date: '2026-11-16', close: '111.0', settlement: '110.0' },
].map(({ date, close, settlement }) => ({
  ...sample,
  date,
  time: `${date}T21:30:00.000000Z`,
  ohlc: { open: '100.0', high: '112.5', low: '99.0', close, volume: 45 },
  settlementPrice: settlement,
}));
const value = createParser(ENDPOINTS.chartPrice.response, 'rows').tolerant(JSON.stringify(wire)).value ?? [];
const prices = {
  endpoint: 'chartPrice',
  target: '/api/web/charts/price/1',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 3,
  cache: 'hit',
  requestId: null,
  value,
} as unknown as ApiResponse<readonly PriceDataPoint[]>;

function explain(name: string, index: number, period: '1D' | '1W'): string {
  const notes = createSlotProvenance(toPriceData(value, [], period).slots, prices, undefined);
  return (notes[name]?.(index) ?? []).map(({ name: line, value: text }) => `${line}: ${text}`).join('\n');
}

test('a session’s figure has its endpoint, field and raw value', () => {
  expect(explain('Close', 1, '1D')).toMatch(
    /^Endpoint: GET \/api\/web\/charts\/price\/1\nField: ohlc\.close\nRaw value: 103\.0\nUnit: USD, unconverted\nAs of: 2026-11-10\n/,
  );
  expect(explain('Settlement', 2, '1D')).toContain('Field: settlementPrice\nRaw value: 110.0');
});

test('a week’s figure names the sessions it was computed from', () => {
  expect(explain('High', 0, '1W')).toMatch(
    /^Computed: Highest of 2 sessions\.\nInput: chartPrice ohlc\.high = 112\.5 \(2026-11-09\)\nInput: .*\(2026-11-10\)$/,
  );
  expect(explain('Settlement', 0, '1W')).toContain('Raw value: 102.0');
});

test('a change is from the previous settlement, and the first session has none', () => {
  expect(explain('Change', 2, '1D')).toMatch(/settlementPrice = 102\.0 \(2026-11-10\)\n.*settlementPrice = 110\.0/);
  expect(explain('Change', 0, '1D')).toBe('No value: not published by the exchange, or an input is missing');
});

test('open interest that was not read has no value', () => {
  expect(explain('Open interest', 0, '1D')).toBe('No value: not published by the exchange, or an input is missing');
});

test('a figure of the running session comes from product data, and its change is to its last price', () => {
  const data = { ...prices, endpoint: 'productData', target: '/api/product/data/1' };
  const last = toQuantity(
    { source: data, dataTime: null },
    { last_price: 7 } as unknown as { readonly last_price: Ticks },
    'last_price',
    { ...asTicks, unit: 'USD', factor: '16.5' },
  );
  const running = {
    date: '2026-11-17',
    source: data,
    lastTradeAt: '2026-11-17T14:30:00Z',
    open: last,
    high: last,
    low: last,
    last,
    volume: last,
  } as unknown as RunningSession;
  const text = (name: string, period: '1D' | '1W' = '1D'): string => {
    const { slots } = toPriceData(value, [], period, running);
    const facts = createSlotProvenance(slots, prices, undefined)[name]?.(slots.length - 1) ?? [];
    return facts.map(({ name: line, value: words }) => `${line}: ${words}`).join('\n');
  };
  expect(text('Close')).toMatch(/^Endpoint: GET \/api\/product\/data\/1\nField: last_price\nRaw value: 7\n/);
  expect(text('Change')).toMatch(
    /^Computed: Last price vs\. previous settlement\.\n.*settlementPrice = 110\.0 .*\n.*last_price = 7/,
  );
  expect(text('Settlement')).toBe('No value: not published by the exchange, or an input is missing');
  expect(text('High', '1W')).toMatch(/^Computed: Highest of 2 sessions\.\n.*ohlc\.high = 112\.5 .*\n.*last_price = 7/);
});
