import { expect, test } from 'vitest';
import type { ApiResponse } from '#model/response.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import type { RunningSession } from '#model/price/running-session.ts';
import { addDays } from '#model/time/session.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { toPriceCsv } from '#model/charts/price/price-csv.ts';
import { toPriceData } from '#model/charts/price/price-data.ts';
import { summarisePrices } from '#model/charts/price/price-summary.ts';
import { createSlotProvenance } from '#model/charts/price/slot-provenance.ts';
import { findPercentBase, toPriceChartData } from '#model/charts/price/price-chart.ts';

const [sample] = sampleResponses.chartPrice;
/** A Monday. */
const START = '2026-03-02' as Day;

/** Returns thirty sessions at 98 to 102, except for the given prices. */
function read(changes: Readonly<Record<number, object>>): readonly PriceDataPoint[] {
  const wire = Array.from({ length: 30 }, (_, index) => {
    const date = addDays(START, index);
    return {
      ...sample,
      date,
      time: `${date}T21:30:00.000000Z`,
      ohlc: { open: '100.0', high: '102.0', low: '98.0', close: '101.0', volume: 5, ...changes[index] },
      settlementPrice: '100.0',
    };
  });
  return createParser(ENDPOINTS.chartPrice.response, 'rows').tolerant(JSON.stringify(wire)).value ?? [];
}

const points = read({ 9: { low: '50.5' }, 20: { low: '49.0', close: '50.0' } });
const data = toPriceData(points, [], '1D');
const weekly = toPriceData(points, [], '1W');

function draw(badTicks: 'offscale' | 'inscale', of = data, base: ReturnType<typeof findPercentBase> = null) {
  const { panes, readouts } = toPriceChartData(of, { gaps: 'empty', hasOpenInterest: false, badTicks, base });
  const candles = panes[0]?.series[0];
  if (candles?.kind !== 'candles') throw new Error('the first series are candles');
  return {
    candles,
    text: (name: string, index: number) => readouts.find((readout) => readout.name === name)?.text(index),
  };
}

test('beyond the scale, candles end where their other prices do, and the marks know both ends', () => {
  const { candles } = draw('offscale');
  expect([candles.values[9], candles.values[20]]).toEqual([
    { open: 100, high: 102, low: 100, close: 101 },
    { open: 100, high: 102, low: 100, close: 100 },
  ]);
  expect(candles.outliers).toEqual([
    { index: 9, value: 50.5, from: 100 },
    { index: 20, value: 49, from: 100 },
  ]);
});

test('within the scale, candles are as published, and marked', () => {
  const { candles } = draw('inscale');
  expect(candles.values[20]).toEqual({ open: 100, high: 102, low: 49, close: 50 });
  expect(candles.outliers).toEqual([
    { index: 9, value: 50.5, from: 50.5 },
    { index: 20, value: 49, from: 49 },
  ]);
});

test('in percent, marks are where the prices are', () => {
  const { candles } = draw('offscale', data, findPercentBase(data));
  expect(candles.outliers?.map(({ value, from }) => [value, from])).toEqual([
    [-49.5, 0],
    [-51, 0],
  ]);
});

test('weekly bars have the marks of their sessions', () => {
  const { candles, text } = draw('offscale', weekly);
  expect(candles.outliers?.map(({ index, value }) => [index, value])).toEqual([
    [1, 50.5],
    [2, 49],
  ]);
  expect([candles.values[1]?.low, text('Low', 1), text('Low', 0)]).toEqual([98, '50.50 (bad tick)', '98.00']);
});

test('a chart without bad ticks has no marks', () => {
  expect(draw('offscale', toPriceData(read({}), [], '1D')).candles).not.toHaveProperty('outliers');
});

test('legend, table and provenance mark them', () => {
  const { text } = draw('offscale');
  expect([text('Low', 20), text('Close', 20), text('Open', 20), text('Low', 19)]).toEqual([
    '49.00 (bad tick)',
    '50.00 (bad tick)',
    '100.00',
    '98.00',
  ]);
  const prices = {
    endpoint: 'chartPrice',
    target: '/api/web/charts/price/1',
    respondedAt: null,
    receivedAt: 0,
    ageSeconds: 3,
    cache: 'hit',
    requestId: null,
    value: points,
  } as unknown as ApiResponse<readonly PriceDataPoint[]>;
  const notes = createSlotProvenance(data.slots, prices, undefined);
  expect([notes['Low']?.(20)[0]?.name, notes['Low']?.(19)[0]?.name]).toEqual(['Suspected bad tick', 'Endpoint']);
});

test('the summary names them, and its extremes are without them', () => {
  expect(summarisePrices(data)).toContain(
    'low 98.00 on 2 Mar 2026. 3 suspected bad ticks: low 50.50 on 11 Mar 2026, low 49.00 on 22 Mar 2026, close 50.00 on 22 Mar 2026.',
  );
});

test('the files name them, the lean one without provenance', () => {
  const named = { id: 1, product: { symbol: 'X' } } as unknown as NamedProduct;
  const source = {
    endpoint: 'chartPrice',
    target: '/',
    respondedAt: null,
    receivedAt: 0,
    ageSeconds: 3,
    cache: 'hit',
    requestId: null,
    value: points,
  } as unknown as ApiResponse<unknown>;
  const [full, lean] = [
    toPriceCsv(data, named, { prices: source, voi: undefined }),
    toPriceCsv(data, named, { prices: source, voi: undefined }, 'figures'),
  ].map((text) => text.trim().split('\r\n'));
  expect([full?.[21], full?.[20]].map((row) => row?.split(',').slice(-4))).toEqual([
    ['0', 'low close', '0', '0'],
    ['0', 'none', '0', '0'],
  ]);
  expect(lean?.[0]).toBe(
    'date,last_session_date,sessions,bar,open_usd,high_usd,low_usd,close_usd,settlement_usd,volume_contracts,open_interest_contracts,open_interest_date,product_id,symbol,change_fraction,bad_ticks,change_usd,change_percent',
  );
  expect(lean?.[21]).toBe('2026-03-22,2026-03-22,1,published,100,102,49,50,100,5,,,1,X,0,low close,0,0');
});

test('the running session is judged by its last price', () => {
  const known = (text: string) =>
    ({
      value: toDecimal(text),
      unit: 'USD',
      withheld: null,
      provenance: { kind: 'derived', how: '', from: [] },
    }) as RunningSession['open'];
  const session = (last: string): RunningSession => ({
    date: addDays(START, 30),
    source: {} as never,
    lastTradeAt: '2026-04-01T14:30:00Z' as Instant,
    open: known('100'),
    high: known('101'),
    low: known('49.5'),
    last: known(last),
    volume: known('9'),
  });
  const { candles, text } = draw('offscale', toPriceData(points, [], '1D', session('100.5')));
  expect([candles.values[30], text('Low', 30)]).toEqual([
    { open: 100, high: 101, low: 100, close: 100.5, unfinished: true },
    '49.50 (bad tick)',
  ]);
  expect(draw('offscale', toPriceData(points, [], '1D', session('50'))).text('Low', 30)).toBe('49.50');
});
