import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { createParser } from '#contract/parse/parse.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { fundingTimeAt, printAt, toWirePrints } from '#testing/settled-rates.ts';
import type { RunningSession } from '../../price/running-session.ts';
import type { ApiResponse } from '../../response.ts';
import type { Period } from '../../time/date-range.ts';
import { toDecimal } from '../../units/decimal.ts';
import type { Quantity } from '../../units/quantity.ts';
import { findPercentBase, toPriceChartData } from '../price/price-chart.ts';
import { type PriceData, toPriceData } from '../price/price-data.ts';
import { computeIndicators, describeAll, drawIndicators, toColumns, toFundingOfBars } from './draw-indicators.ts';
import { PERPETUAL_INDICATORS, readIndicators } from './indicator-spec.ts';
import type { DailyRows, ShownRange } from './whole-history.ts';

const [sample] = sampleResponses.chartPrice;
const [voi] = sampleResponses.chartVoi;
const dayAt = (index: number): string => fundingTimeAt(index * 3).slice(0, 10);

type Settlements = readonly (string | null | undefined)[];
const read = (endpoint: 'chartPrice' | 'chartVoi', rows: readonly object[]) =>
  createParser(ENDPOINTS[endpoint].response, 'rows').tolerant(JSON.stringify(rows)).value ?? [];

/** Makes sessions from 1 June 2026 on. Null: the price is not known; undefined: nothing traded. */
function toRows(settlements: Settlements): DailyRows {
  const points = settlements.flatMap((settlementPrice, index) =>
    settlementPrice === undefined
      ? []
      : [
          {
            ...sample,
            date: dayAt(index),
            time: `${dayAt(index)}T21:30:00.000000Z`,
            ohlc: { open: '100.0', high: '112.5', low: '90.0', close: '100.0', volume: 45 },
            settlementPrice,
          },
        ],
  );
  const days = settlements.map((settlement, index) => ({
    ...voi,
    date: dayAt(index),
    volume: settlement === undefined ? 0 : 45,
  }));
  return { points: read('chartPrice', points) as never, voi: read('chartVoi', days) as never };
}

function toData(settlements: Settlements, running: RunningSession | null = null): PriceData {
  const { points, voi: days } = toRows(settlements);
  return toPriceData(points, days, '1D', running);
}

const NO_ROWS: DailyRows = { points: [], voi: [] };

/** A range that has the whole history. */
const asShown = (data: PriceData): ShownRange => ({
  data,
  rows: NO_ROWS,
  running: null,
  since: '2026-06-01T00:00:00Z' as Instant,
});

interface Drawing {
  readonly words: readonly string[];
  readonly data: PriceData;
  readonly hidden?: string;
  readonly rates?: ApiResponse<DeskFunding>;
  readonly inPercent?: boolean;
}

function draw({ words, data, hidden, rates, inPercent = false }: Drawing) {
  const { specs } = readIndicators(words, PERPETUAL_INDICATORS);
  const base = inPercent ? findPercentBase(data) : null;
  const isHidden = (name: string) => name === hidden;
  const computed = {
    ofPrices: computeIndicators(asShown(data), NO_ROWS, specs, 'perpetual'),
    ofFunding: rates === undefined ? null : toFundingOfBars(data, rates),
  };
  const bare = toPriceChartData(data, { gaps: 'empty', hasOpenInterest: false, base, isHidden });
  const chartData = drawIndicators(bare, computed, { specs, data, base, isHidden });
  const readout = (name: string) => chartData.readouts.find((each) => each.name === name);
  return {
    panes: chartData.panes,
    texts: (name: string) => data.slots.map((_, index) => readout(name)?.text(index)),
    why: (name: string, index: number) => readout(name)?.explain?.(index)[0]?.value,
    columns: toColumns(computed, specs),
    notes: describeAll(computed, specs),
  };
}

describe('indicators of a price', () => {
  const data = toData(['100.0', '110.0', undefined, '120.0', null, '100.0']);

  it('are over the candles or in their own panes, and are left out if hidden', () => {
    const names = (hidden?: string) =>
      draw({ words: ['sma:2', 'rsi:2', 'dd'], data, ...(hidden !== undefined && { hidden }) }).panes.map(
        ({ name, series }) => [name, series.length],
      );
    expect(names()).toEqual([
      ['Price', 3],
      ['Volume', 1],
      ['RSI 2', 1],
      ['Drawdown', 1],
    ]);
    expect(names('RSI 2')).toEqual([
      ['Price', 3],
      ['Volume', 1],
      ['Drawdown', 1],
    ]);
    expect(names('SMA 2')[0]).toEqual(['Price', 2]);
  });

  it('have figures with the digits of prices, and say why others have none', () => {
    const { texts, why } = draw({ words: ['sma:2'], data });
    expect(texts('SMA 2')).toEqual(['–', '105.00', '–', '115.00', '–', '–']);
    expect([0, 1, 2, 4, 5].map((index) => why('SMA 2', index))).toEqual([
      'The first value is at settled bar 2 in a row with known prices; this is bar 1.',
      'Mean of the last 2 settlements.',
      'Nothing traded, so this session is not counted.',
      'A price of this bar is unknown. The indicator begins anew after it.',
      'The first value is at settled bar 2 in a row with known prices; this is bar 1.',
    ]);
  });

  it('have one label at the axis, of their first line', () => {
    const { panes } = draw({ words: ['macd:2:3:2', 'rsi:2'], data: toData(['100.0', '110.0', '120.0', '130.0']) });
    expect(panes.slice(-2).map(({ tags }) => tags)).toEqual([[{ name: 'MACD', value: 5, ink: 'series-1' }], undefined]);
  });

  it('span a session without trades, and break at an unknown price', () => {
    const [line] = draw({ words: ['dd'], data }).panes.at(-1)?.series ?? [];
    expect(line).toMatchObject({ kind: 'line', spanned: new Set([2]), values: [0, 0, null, 0, null, 0] });
  });

  it('are in percent of the same base as the candles', () => {
    const lines = draw({ words: ['sma:2'], data, inPercent: true }).panes[0]?.series ?? [];
    expect(lines.at(-1)?.values.map((value) => (typeof value === 'number' ? Math.round(value) : null))).toEqual([
      null,
      5,
      null,
      15,
      null,
      null,
    ]);
  });

  it('are columns of a file with their parameters in the name, empty where there is no value', () => {
    const { heading, cells } = draw({ words: ['sma:2', 'dd'], data }).columns;
    expect(heading).toEqual(['sma_2_usd', 'drawdown_percent']);
    expect([cells(0), cells(1), cells(2)]).toEqual([
      [null, { digits: '0' }],
      [{ digits: '105' }, { digits: '0' }],
      [null, null],
    ]);
  });

  it('say which of them have no value in the range, and how a year is counted', () => {
    expect(draw({ words: ['sma:4', 'vol:2'], data }).notes).toEqual([
      'Indicators: of settled bars that traded, over the whole history, each from its own first full count on; not of ' +
        'the session in progress.',
      'Realised volatility a year: × √(365 sessions a year, as a perpetual has).',
      'SMA 4 needs 4 settled bars in a row with known prices; up to the end of this range there are 3.',
    ]);
  });

  it('are not of prices at or below zero if they need a logarithm or a share', () => {
    expect(draw({ words: ['vol:2'], data: toData(['-5.0', '5.0', '-5.0']) }).notes.at(-1)).toBe(
      'Volatility 2 is not of prices at or below zero, which have no logarithm and no share of a high.',
    );
  });

  it('have no value for the session in progress', () => {
    const last = { value: toDecimal('130') } as unknown as Quantity;
    const running = { date: dayAt(2), since: dayAt(1), open: last, high: last, low: last, last, volume: last };
    const { texts, why } = draw({
      words: ['sma:2'],
      data: toData(['100.0', '110.0'], running as unknown as RunningSession),
    });
    expect(texts('SMA 2')).toEqual(['–', '105.00', '–']);
    expect(why('SMA 2', 2)).toBe('The session in progress has no settlement yet.');
  });
});

describe('a range', () => {
  const history = toRows(
    Array.from({ length: 60 }, (_, index) => (index === 30 ? undefined : `${String(100 + ((index * index) % 17))}.0`)),
  );
  const words = ['sma:20', 'ema:5', 'bb:7:2', 'rsi:21', 'macd:12:26:9', 'atr:14', 'vol:20', 'dd'];
  const { specs } = readIndicators(words, PERPETUAL_INDICATORS);

  /** Draws sessions of the history, the last of which is not included. */
  function drawRange(first: number, end: number, period: Period = '1D') {
    const of = <Row extends { readonly date: string }>(rows: readonly Row[]): readonly Row[] =>
      rows.filter(({ date }) => date >= dayAt(first) && date < dayAt(end));
    const rows = { points: of(history.points), voi: of(history.voi) };
    const data = toPriceData(rows.points, rows.voi, period);
    const shown = { data, rows, running: null, since: `${dayAt(first)}T00:00:00Z` as Instant };
    const ofPrices = computeIndicators(shown, history, specs, 'future');
    const options = { specs, data, base: null, isHidden: () => false };
    const bare = toPriceChartData(data, { gaps: 'empty', hasOpenInterest: false, base: null, isHidden: () => false });
    const { panes, readouts } = drawIndicators(bare, { ofPrices, ofFunding: null }, options);
    const { cells } = toColumns({ ofPrices, ofFunding: null }, specs);
    return {
      notes: describeAll({ ofPrices, ofFunding: null }, specs),
      drawn: panes.flatMap(({ series }) => series.map(({ values }) => values)),
      ofBars: data.slots.map(({ key }, index) => ({
        key,
        cells: cells(index),
        texts: readouts.slice(-12).map(({ text }) => text(index)),
        why: readouts.slice(-12).map(({ explain }) => explain?.(index).slice(0, 2)),
      })),
    };
  }

  it('has the same indicators at a bar as a longer one, with the same explanation', () => {
    const [all, part] = [drawRange(0, 60), drawRange(45, 58)];
    expect(part.ofBars).toEqual(all.ofBars.slice(45, 58));
    expect(part.ofBars.every(({ cells }) => cells.every((cell) => cell !== null))).toBe(true);
    expect(part.drawn.every((values) => values.length === 13)).toBe(true);
    expect(part.ofBars[0]?.why[0]).toEqual([
      { name: 'Computed', value: 'Mean of the last 20 settlements.' },
      { name: 'From', value: '20 settled bars, 26 Jun 2026 to 16 Jul 2026' },
    ]);
  });

  it('counts the sessions of a year over the whole history', () => {
    expect(drawRange(50, 55).notes).toEqual(drawRange(0, 60).notes);
  });

  it('has a bar of a week as far as it is shown', () => {
    // Sessions from Monday, 6 July, to a Wednesday.
    const week = drawRange(35, 52, '1W').ofBars.at(-1);
    expect(week?.key).toBe('2026-07-20');
    expect(week).toEqual(drawRange(0, 52, '1W').ofBars.at(-1));
    expect(week?.cells).not.toEqual(drawRange(0, 60, '1W').ofBars.at(7)?.cells);
  });
});

describe('the funding of bars', () => {
  const data = toData(['100.0', '110.0', '120.0']);
  // The funding time at midnight UTC is after the settlement in Chicago, so it belongs to the session of the same date.
  const prints = ['0.0001', '0.0002', '-0.0004', '0.0001', '0.0003', '0.0001', '0.0001'].map((rate, index) =>
    printAt(index - 1, rate),
  );
  const rates = {
    target: '/api/desk/funding?base_symbol=BTCUC',
    endpoint: 'funding',
    respondedAt: null,
    receivedAt: 0,
    ageSeconds: 0,
    cache: 'computed',
    requestId: null,
    value: {
      perpetuals: [
        {
          base_symbol: 'BTCUC',
          product_id: 5599,
          prints: toWirePrints(prints),
          known_from: null,
          known_to: null,
          reaches_launch: false,
          read_at: null,
          stale_because: null,
        },
      ],
    },
  } as unknown as ApiResponse<DeskFunding>;

  it('is the sum of all rates of the session; without one of them, there is no sum', () => {
    const { texts, why, columns } = draw({ words: ['funding'], data, rates });
    expect(texts('Funding')).toEqual(['−0.0100', '+0.0500', '–']);
    expect(why('Funding', 0)).toBe('Sum of the 3 settled rates of the bar, as published: positive, longs pay.');
    expect(why('Funding', 2)).toBe('Only 1 of the 3 settled rates of this bar are known.');
    expect([columns.heading, columns.cells(0), columns.cells(2)]).toEqual([
      ['funding_sum_fraction'],
      [{ digits: '-0.0001' }],
      [null],
    ]);
  });

  it('has the premium of its last funding time', () => {
    const { texts, panes } = draw({ words: ['premium'], data, rates });
    expect(texts('Premium')).toEqual(['+0.59', '+0.59', '+0.59']);
    expect(panes.map(({ name }) => name)).toEqual(['Price', 'Volume', 'Premium']);
  });
});
