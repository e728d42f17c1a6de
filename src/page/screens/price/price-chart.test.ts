import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '#model/response.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { UsdText } from '#contract/exchange/amounts.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { RunningSession } from '#model/price/running-session.ts';
import { asUsd, toQuantity } from '#model/units/quantity.ts';
import { toDecimal } from '#model/units/decimal.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { toPriceData } from '#model/charts/price/price-data.ts';
import { toPriceCsv } from '#model/charts/price/price-csv.ts';
import { describeVolatility, summarisePrices } from '#model/charts/price/price-summary.ts';
import { findPercentBase, toPriceAtLevel, toPriceChartData } from '#model/charts/price/price-chart.ts';

const [price] = sampleResponses.chartPrice;
const [voi] = sampleResponses.chartVoi;

function sessions(...rows: readonly { readonly date: string; readonly close: string; readonly settlement: string }[]) {
  const wire = rows.map(({ date, close, settlement }) => ({
    ...price,
    date,
    time: `${date}T21:30:00.000000Z`,
    ohlc: { open: '100.0', high: '112.5', low: '99.0', close, volume: 45 },
    settlementPrice: settlement,
  }));
  return createParser(ENDPOINTS.chartPrice.response, 'rows').tolerant(JSON.stringify(wire)).value ?? [];
}

function settled(...dates: readonly string[]) {
  return settledWith(null, ...dates);
}

function settledWith(volume: number | null, ...dates: readonly string[]) {
  const wire = dates.map((date) => ({ ...voi, date, volume, openInterest: 7 }));
  return createParser(ENDPOINTS.chartVoi.response, 'rows').tolerant(JSON.stringify(wire)).value ?? [];
}

const points = sessions(
  { date: '2026-11-12', close: '101.0', settlement: '100.0' },
  { date: '2026-11-16', close: '111.0', settlement: '110.0' },
);
// On the 13th, a settlement was published but nothing traded.
const data = toPriceData(points, settled('2026-11-12', '2026-11-13', '2026-11-16'), '1D');

describe('the price chart', () => {
  it('has a slot for a session without trades: a gap, or a flat tick at the previous settlement', () => {
    const candlesOf = (gaps: 'empty' | 'flat') =>
      toPriceChartData(data, { gaps, hasOpenInterest: true }).panes[0]?.series[0]?.values;
    expect(candlesOf('empty')?.[1]).toBeNull();
    expect(candlesOf('flat')?.[1]).toEqual({ open: 100, high: 100, low: 100, close: 100, flat: true });
  });

  it('marks the first trading day and the final settlement, and says which', () => {
    const lifeDays = new Map([['2026-11-16' as Day, 'final settlement']]);
    const { panes, timeText } = toPriceChartData(data, { gaps: 'empty', hasOpenInterest: true, lifeDays });
    expect(panes[0]?.series[0]).toMatchObject({ kind: 'candles', marked: [2] });
    expect([timeText(0), timeText(2)]).toEqual(['12 Nov 2026', '16 Nov 2026, final settlement']);
  });

  it('computes a change from the previous settlement, across a session without trades', () => {
    const { readouts, timeText } = toPriceChartData(data, { gaps: 'flat', hasOpenInterest: true });
    const at = (name: string, index: number) => readouts.find((readout) => readout.name === name)?.text(index);
    expect([at('Change', 0), at('Change', 1), at('Change', 2)]).toEqual(['–', '–', '+10.00']);
    expect([at('Settlement', 1), at('Settlement', 2), at('Open interest', 1)]).toEqual(['–', '110.00', '7']);
    expect(timeText(1)).toBe('13 Nov 2026, no trades');
  });

  it('shows that open interest is being read, rather than that there is none', () => {
    const { readouts } = toPriceChartData(data, { gaps: 'flat', hasOpenInterest: 'being read' });
    expect(readouts.at(-1)?.text(2)).toBe('…');
  });

  it('shows percent changes from one settlement, for candles and line alike', () => {
    const [pane] = toPriceChartData(data, { gaps: 'flat', hasOpenInterest: false, base: findPercentBase(data) }).panes;
    const [candles, line] =
      pane?.series.map(({ values }) =>
        values.map((value) => (typeof value === 'object' ? value?.close : value)?.toFixed(6)),
      ) ?? [];
    expect([candles, line]).toEqual([
      ['1.000000', '0.000000', '11.000000'],
      ['0.000000', undefined, '10.000000'],
    ]);
    expect([pane?.unit, pane?.format(-0.5)]).toEqual(['%', '−0.50 %']);
  });

  it('has columns of volume in the colour of their candle, and names the newest open interest at the axis', () => {
    const falling = toPriceData(
      sessions(
        { date: '2026-11-12', close: '101.0', settlement: '100.0' },
        { date: '2026-11-13', close: '99.5', settlement: '99.0' },
      ),
      settled('2026-11-12', '2026-11-13', '2026-11-16'),
      '1D',
    );
    const [, volume, openInterest] = toPriceChartData(falling, { gaps: 'flat', hasOpenInterest: true }).panes;
    expect(volume?.series[0]).toMatchObject({ inks: ['up', 'down', 'muted'], quiet: true });
    expect(openInterest?.tags).toEqual([{ name: 'OI', value: 7, ink: 'series-2' }]);
  });

  it('has neither ticks, label nor pane of a series that is hidden, but its figures', () => {
    const without = (...hidden: readonly string[]) =>
      toPriceChartData(data, { gaps: 'flat', hasOpenInterest: true, isHidden: (name) => hidden.includes(name) });
    const [prices] = without('Settlement').panes;
    expect([prices?.series.map(({ kind }) => kind), prices?.tags]).toEqual([['candles'], []]);
    const { panes, readouts } = without('Volume', 'Open interest');
    expect(panes.map(({ name }) => name)).toEqual(['Price']);
    expect(readouts.map(({ name }) => name)).toEqual(expect.arrayContaining(['Volume', 'Open interest']));
  });

  it('has no percent scale where the first settlement is not above zero, as a spread’s may be', () => {
    const baseOf = (settlement: string) =>
      findPercentBase(toPriceData(sessions({ date: '2026-11-12', close: '101.0', settlement }), [], '1D'))?.settlement;
    expect([baseOf('100.0'), baseOf('-0.5'), baseOf('0.0')]).toEqual(['100.0', undefined, undefined]);
  });

  it('has a slot for a session that traded at unknown prices: no tick, and no change across it', () => {
    const unpriced = toPriceData(points, settledWith(27, '2026-11-13', '2026-11-14'), '1D');
    const { panes, readouts, timeText } = toPriceChartData(unpriced, { gaps: 'flat', hasOpenInterest: true });
    expect(panes[0]?.series[0]?.values.slice(1, 3)).toEqual([null, null]);
    expect([timeText(1), readouts.find(({ name }) => name === 'Change')?.text(3)]).toEqual([
      '13 Nov 2026, traded, price unknown',
      '–',
    ]);
    const later = toPriceData(points, [...settledWith(27, '2026-11-13'), ...settled('2026-11-14')], '1D');
    expect(toPriceChartData(later, { gaps: 'flat', hasOpenInterest: true }).panes[0]?.series[0]?.values[2]).toBeNull();
  });

  it('has neither a candle of a price that is withheld nor a change from a withheld settlement, and says so', () => {
    const withheld = sessions(
      { date: '2026-11-12', close: 'abc', settlement: '100.0' },
      { date: '2026-11-13', close: '101.0', settlement: 'NaN' },
      { date: '2026-11-16', close: '111.0', settlement: '110.0' },
    );
    const broken = toPriceData(withheld, settledWith(27, '2026-11-12', '2026-11-13', '2026-11-16'), '1D');
    const { panes, readouts } = toPriceChartData(broken, {
      gaps: 'flat',
      hasOpenInterest: true,
      base: findPercentBase(broken),
    });
    const texts = (name: string) =>
      [0, 1, 2].map((index) => readouts.find((readout) => readout.name === name)?.text(index));
    expect(panes[0]?.series.map(({ values }) => values.map((value) => value === null))).toEqual([
      [true, true, false],
      [false, true, false],
    ]);
    expect([texts('Close'), texts('Settlement'), texts('Change'), texts('Volume')]).toEqual([
      ['n/a', '101.00', '111.00'],
      ['100.00', 'n/a', '110.00'],
      ['–', '–', '–'],
      ['45', '45', '45'],
    ]);
    expect(summarisePrices(broken)).toBe(
      '3 sessions from 12 Nov 2026 to 16 Nov 2026. Daily bars, as published. Settlement from 100.00 to 110.00 USD, +10.00 %. High 112.50 on 16 Nov 2026, low 99.00 on 16 Nov 2026. No sessions without trades. 1 session with trades at unknown prices. 1 session not drawn: settlement n/a.',
    );
  });

  it('has enough digits on its axis to distinguish very small prices', () => {
    const tiny = toPriceData(sessions({ date: '2026-11-12', close: '0.0000120', settlement: '0.000012482' }), [], '1D');
    const format = toPriceChartData(tiny, { gaps: 'flat', hasOpenInterest: false }).panes[0]?.format;
    expect([format?.(0.000012), format?.(0.0000122)]).toEqual(['0.000012000', '0.000012200']);
  });

  it('labels no contracts below zero on its axes', () => {
    const [, ...contracts] = toPriceChartData(data, { gaps: 'empty', hasOpenInterest: true }).panes;
    expect(contracts.map(({ format }) => [format(-1_000), format(1_000)])).toEqual([
      ['', '1 K'],
      ['', '1 K'],
    ]);
  });

  it('has no pane and no readout of open interest where it could not be read', () => {
    const { panes, readouts } = toPriceChartData(data, { gaps: 'empty', hasOpenInterest: false });
    expect([panes.map(({ name }) => name), readouts.some(({ name }) => name === 'Open interest')]).toEqual([
      ['Price', 'Volume'],
      false,
    ]);
  });
});

const known = (text: string) => ({
  ...toQuantity({ source: sourceOfData, dataTime: null }, { value: text } as never, 'value', asUsd),
  value: toDecimal(text),
});
const sourceOfData = {
  endpoint: 'productData',
  target: '/api/product/data/1',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 1,
  cache: 'hit',
  requestId: 'r-2',
} as const;
const lastTradeAt = '2026-11-17T14:30:00Z' as Instant;
const running: RunningSession = {
  date: '2026-11-17' as Day,
  source: sourceOfData,
  lastTradeAt,
  open: known('110.5'),
  high: known('121'),
  low: known('108.25'),
  last: known('115.5'),
  volume: known('9'),
};

describe('the running session', () => {
  const withRunning = toPriceData(points, settled('2026-11-12', '2026-11-13', '2026-11-16'), '1D', running);

  it('is an unfinished candle after the settled ones, without a settlement; its change is to the last price', () => {
    const { panes, readouts, timeText } = toPriceChartData(withRunning, { gaps: 'flat', hasOpenInterest: true });
    expect(panes[0]?.series.map(({ values }) => values[3])).toEqual([
      { open: 110.5, high: 121, low: 108.25, close: 115.5, unfinished: true },
      null,
    ]);
    expect(panes[1]?.series[0]?.values[3]).toBe(9);
    const texts = ['Open', 'High', 'Low', 'Close', 'Settlement', 'Change', 'Volume'].map((name) =>
      readouts.find((readout) => readout.name === name)?.text(3),
    );
    expect([timeText(3), ...texts]).toEqual([
      '17 Nov 2026, in progress',
      '110.50',
      '121.00',
      '108.25',
      '115.50',
      '–',
      '+5.00',
      '9',
    ]);
  });

  it('names the newest settlement and the last price at the axis', () => {
    const tagsOf = (shown: typeof data) =>
      toPriceChartData(shown, { gaps: 'flat', hasOpenInterest: true }).panes[0]?.tags?.map(({ name, value, ink }) => [
        name,
        value,
        ink,
      ]);
    expect(tagsOf(withRunning)).toEqual([
      ['Settle', 110, 'muted'],
      ['Last', 115.5, 'up'],
    ]);
    expect(tagsOf(data)).toEqual([['Settle', 110, 'muted']]);
  });

  it('is in the bar of its week, which is then unfinished: with its extremes, last price and volume', () => {
    const weekly = toPriceData(points, settled('2026-11-12', '2026-11-16'), '1W', {
      ...running,
      since: '2026-11-16' as Day,
    });
    const { panes, readouts, timeText } = toPriceChartData(weekly, { gaps: 'flat', hasOpenInterest: true });
    const last = weekly.slots.length - 1;
    expect(panes[0]?.series.map(({ values }) => values[last])).toEqual([
      { open: 100, high: 121, low: 99, close: 115.5, unfinished: true },
      110,
    ]);
    const texts = ['High', 'Close', 'Settlement', 'Change', 'Volume'].map((name) =>
      readouts.find((readout) => readout.name === name)?.text(last),
    );
    expect([timeText(last), ...texts]).toEqual([
      '16 Nov 2026, 2 sessions, the last in progress',
      '121.00',
      '115.50',
      '110.00',
      '+15.50',
      '54',
    ]);
  });

  it('is the first session of its month', () => {
    const monthly = toPriceData(points, [], '1M', { ...running, date: '2026-12-01' as Day });
    const { panes, timeText } = toPriceChartData(monthly, { gaps: 'flat', hasOpenInterest: false });
    expect([monthly.slots.length, panes[0]?.series[0]?.values[1], timeText(1)]).toEqual([
      2,
      { open: 110.5, high: 121, low: 108.25, close: 115.5, unfinished: true },
      '1 Dec 2026, in progress',
    ]);
  });

  it('of a week has no change if the settlement before it is not shown', () => {
    const overdue = { ...running, date: '2026-11-18' as Day, since: '2026-11-17' as Day };
    const { readouts } = toPriceChartData(toPriceData(points, [], '1W', overdue), {
      gaps: 'flat',
      hasOpenInterest: false,
    });
    expect(readouts.find(({ name }) => name === 'Change')?.text(1)).toBe('–');
  });

  it('is in no statistic and no count of sessions', () => {
    expect([withRunning.bars, withRunning.daily]).toEqual([data.bars, data.daily]);
    const traded = toPriceData(points, settledWith(9, '2026-11-17'), '1D', running);
    expect(traded.daysWithoutPrices).toEqual({ withoutTrades: [], unpriced: [] });
    expect(traded.slots.map(({ key, running: session }) => [key, session !== null])).toEqual([
      ['2026-11-12', false],
      ['2026-11-16', false],
      ['2026-11-17', true],
    ]);
  });

  it('is over once the chart has its session or a later one', () => {
    const over = [
      { ...running, date: '2026-11-16' as Day },
      { ...running, date: '2026-11-14' as Day },
    ];
    for (const session of over)
      expect(toPriceData(points, [], '1D', session).slots).toEqual(toPriceData(points, [], '1D').slots);
  });

  it('is all there is of a product that first trades today', () => {
    const first = toPriceData([], [], '1D', running);
    expect(first.slots.map(({ key }) => key)).toEqual(['2026-11-17']);
    expect(
      toPriceChartData(first, { gaps: 'flat', hasOpenInterest: false })
        .readouts.find(({ name }) => name === 'Change')
        ?.text(0),
    ).toBe('–');
  });

  it('is named in the summary', () => {
    expect(summarisePrices(withRunning)).toContain(
      ' Session of 17 Nov 2026, in progress: last 115.50, low 108.25, high 121.00 USD. 1 session without trades.',
    );
  });

  it('has its own source in the CSV, and is marked there', () => {
    const named = { id: 1, product: { symbol: 'X' } } as unknown as NamedProduct;
    const prices = { ...sourceOfData, endpoint: 'chartPrice', value: points } as unknown as ApiResponse<unknown>;
    const lines = toPriceCsv(withRunning, named, { prices, voi: undefined }).trim().split('\r\n');
    expect(lines.at(-1)).toMatch(
      /^2026-11-17,2026-11-17,1,running session,110\.5,121,108\.25,115\.5,,9,,,1,X,productData,GET \/api\/product\/data\/1,/,
    );
    expect(lines.at(-2)).toMatch(/^2026-11-16,.*,chartPrice,/);
    const weekly = toPriceCsv(toPriceData(points, [], '1W', running), named, { prices, voi: undefined });
    expect(weekly.trim().split('\r\n').at(-1)).toMatch(
      /^2026-11-16,2026-11-17,2,computed 1W with running session,100,121,99,115\.5,110,54,,,1,X,chartPrice \+ productData,/,
    );
  });
});

describe('the price summary', () => {
  it('gives the range, the settlements with their change, the extremes and the sessions without trades', () => {
    expect(summarisePrices(data)).toBe(
      '2 sessions from 12 Nov 2026 to 16 Nov 2026. Daily bars, as published. Settlement from 100.00 to 110.00 USD, +10.00 %. High 112.50 on 12 Nov 2026, low 99.00 on 12 Nov 2026. 1 session without trades.',
    );
  });

  it.each(['1W', '1M'] as const)('is the same for bars of %s, which begin and end within the range', (period) => {
    const [sentences, ...others] = [
      data,
      toPriceData(points, settled('2026-11-12', '2026-11-13', '2026-11-16'), period),
    ].map((shown) => summarisePrices(shown).replace(/\. \w+ bars[^.]*/, ''));
    expect(others).toEqual([sentences]);
  });

  it('counts sessions where there are no prices', () => {
    expect(summarisePrices(toPriceData([], settled('2026-11-13'), '1D'))).toBe('1 session without trades.');
    expect(summarisePrices(toPriceData([], settledWith(1, '2026-11-13'), '1D'))).toBe(
      'No sessions without trades. 1 session with trades at unknown prices.',
    );
  });

  it('counts sessions that are not drawn because their settlement is withheld, and compares no settlements across them', () => {
    const days = ['100', '110', '121', '133.1', '200'].map((settlement, at) => ({
      date: `2026-11-1${String(at)}`,
      close: '101.0',
      settlement,
    }));
    const withheld = toPriceData(
      sessions(...days).map((point, at) => (at === 3 ? { ...point, settlementPrice: null } : point)),
      [],
      '1D',
    );
    expect(summarisePrices(withheld)).toMatch(/No sessions without trades\. 1 session not drawn: settlement n\/a\.$/);
    expect(describeVolatility(withheld)).toBe(
      'Volatility from 10 Nov 2026 to 14 Nov 2026: 0.00 % per day, not annualised (settlement to settlement), excluding 1 change across sessions with unknown settlements.',
    );
  });

  it('has no volatility of fewer than two changes, nor of prices that are not all above zero', () => {
    expect(describeVolatility(data)).toBeNull();
    const volatilityOf = (settlements: readonly string[], ...unpriced: readonly string[]) => {
      const days = sessions(
        ...settlements.map((settlement, at) => ({ date: `2026-11-1${String(2 * at)}`, close: '101.0', settlement })),
      );
      return describeVolatility(toPriceData(days, settledWith(1, ...unpriced), '1D'));
    };
    expect(volatilityOf(['5', '5.5', '5', '5.5'])).toMatch(
      /^Volatility from 10 Nov 2026 to 16 Nov 2026: [\d.]+ % per day, not annualised \(settlement to settlement\)\.$/,
    );
    expect(volatilityOf(['-5', '0.01', '5', '5.05'])).toBeNull();
    expect(volatilityOf(['5', '5.5', '6.05', '99'], '2026-11-15')).toBe(
      'Volatility from 10 Nov 2026 to 16 Nov 2026: 0.00 % per day, not annualised (settlement to settlement), excluding 1 change across sessions with unknown settlements.',
    );
  });
});

it('changes of a spread are in USD, since a price at zero or below has no percentage', () => {
  const below = toPriceData(
    sessions(
      { date: '2026-11-12', close: '0', settlement: '-610' },
      { date: '2026-11-13', close: '0', settlement: '-660' },
    ),
    [],
    '1D',
  );
  const changeIn = (unit: '%' | 'USD') =>
    toPriceChartData(below, { gaps: 'flat', hasOpenInterest: false, changeIn: unit }).readouts.find(
      ({ name }) => name === 'Change',
    );
  expect([changeIn('%')?.text(1), changeIn('USD')?.text(1), changeIn('USD')?.unit]).toEqual(['–', '−50.00', 'USD']);
});

it('the price at the pointer is one that can be traded', () => {
  const at = (tickSize: number | null) =>
    toPriceChartData(data, { gaps: 'flat', hasOpenInterest: false, tickSize }).panes[0]?.format(3_219.39);
  expect([at(0.2), at(5), at(null)]).toEqual(['3,219.40', '3,220.00', '3,219.39']);
});

describe('the price CSV', () => {
  it('has all published digits, which a float would lose', () => {
    const response = {
      target: '/api/web/charts/price/1',
      endpoint: 'chartPrice',
      respondedAt: null,
      receivedAt: 0,
      ageSeconds: 3,
      cache: 'hit',
      requestId: 'r-1',
    } as unknown as ApiResponse<unknown>;
    const days = toPriceData(
      sessions({ date: '2026-11-12', close: '100.0000004120', settlement: '12345678.1234567890' }),
      [],
      '1D',
    );
    const [, row = ''] = toPriceCsv(days, { id: 1, product: undefined } as unknown as NamedProduct, {
      prices: response,
      voi: undefined,
    }).split('\r\n');
    expect(row.split(',').slice(4, 10)).toEqual(['100', '112.5', '99', '100.000000412', '12345678.123456789', '45']);
  });
});

it('gives the price at a level of the chart in whole ticks, also from a change in percent', () => {
  expect(toPriceAtLevel(108_233.4, null, 5)).toBe('108235');
  expect(toPriceAtLevel(0.1234567, null, 0.0001)).toBe('0.1235');
  expect(toPriceAtLevel(10, { settlement: '100000.0000000000' as UsdText }, 5)).toBe('110000');
  expect(toPriceAtLevel(108_233.4567, null, null)).toBe('108233');
});
