import { describe, expect, it } from 'vitest';
import type { Instant } from '#contract/exchange/instant.ts';
import { createFundingSeries } from '../../funding/funding-series.ts';
import { fundingTimeAt, printAt, toWirePrints } from '#testing/settled-rates.ts';
import { type PerpetualData, toPerpetualData, toRangeStart } from '../../tables/funding/perpetual-data.ts';
import { toChartIntervals, toRateChartCsv, toRateChartData } from './rate-chart.ts';
import type { ApiResponse } from '../../response.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';

const prints = toWirePrints([2, 3, 6, 30].map((at) => printAt(at, '0.0001')));

/** Draws `#` for each interval with a settled rate and `.` for each without, and returns the end of the first one. */
function drawn(
  range: Parameters<typeof toRangeStart>[1],
  known: { readonly from?: string; readonly launch?: boolean; readonly requested?: string; readonly due?: number },
) {
  const [knownFrom = null, requestedFrom = null] = [known.from, known.requested] as (Instant | undefined)[];
  const series = createFundingSeries({
    prints,
    knownFrom,
    requestedFrom,
    reachesLaunch: known.launch ?? false,
    dueTo: known.due === undefined ? null : Date.parse(fundingTimeAt(known.due)),
  });
  const intervals = toChartIntervals(series, toRangeStart(series, range));
  return {
    first: new Date(intervals[0]?.end ?? 0).toISOString().replace('.000Z', 'Z'),
    text: intervals.map(({ print }) => (print === null ? '.' : '#')).join(''),
  };
}

describe('the intervals of a range', () => {
  it('include gaps before the first settled rate', () => {
    expect(drawn('all', { from: fundingTimeAt(0), launch: true })).toEqual({
      first: fundingTimeAt(1),
      text: `..##..#${'.'.repeat(23)}#`,
    });
    expect(drawn('7d', { from: fundingTimeAt(0), launch: true })).toEqual({
      first: fundingTimeAt(11),
      text: `${'.'.repeat(20)}#`,
    });
  });

  it('start where the history was requested or the product listed, if that is later', () => {
    expect(drawn('90d', { from: fundingTimeAt(1) }).first).toBe(fundingTimeAt(2));
    expect(drawn('90d', { from: fundingTimeAt(0), launch: true, requested: fundingTimeAt(5) })).toMatchObject({
      first: fundingTimeAt(5),
      text: `..#${'.'.repeat(23)}#`,
    });
  });

  it('go on to the rate that is due, also where none of them has settled', () => {
    expect(drawn('7d', { from: fundingTimeAt(0), launch: true, due: 40 })).toEqual({
      first: fundingTimeAt(20),
      text: `${'.'.repeat(11)}#${'.'.repeat(9)}`,
    });
    expect(drawn('7d', { from: fundingTimeAt(0), launch: true, due: 100 })).toEqual({
      first: fundingTimeAt(80),
      text: '.'.repeat(21),
    });
  });

  it('start at the first settled rate where the launch is unknown', () => {
    expect(drawn('all', {})).toMatchObject({ first: fundingTimeAt(3), text: `##..#${'.'.repeat(23)}#` });
  });
});

/** Saves a chart with settled rates at funding times 1 and 3, and a gap between them. */
function save(): readonly Readonly<Record<string, string>>[] {
  const prints = toWirePrints([printAt(0, '0.0001'), printAt(2, '-0.0002')]);
  const perpetual = {
    base_symbol: 'BTCUC',
    product_id: 5_599,
    prints,
    known_from: fundingTimeAt(0),
    known_to: fundingTimeAt(3),
    reaches_launch: true,
    read_at: '2026-06-02T08:00:06Z',
    stale_because: null,
  };
  const response = {
    endpoint: 'desk/funding',
    target: '/api/desk/funding',
    respondedAt: null,
    receivedAt: Date.parse('2026-06-02T08:00:30Z'),
    ageSeconds: null,
    value: { perpetuals: [perpetual] },
  };
  const data = toPerpetualData(
    response as unknown as ApiResponse<DeskFunding>,
    null,
    { prices: [], data: null, days: null, latest: null },
    null,
  );
  if (data === null) throw new Error('no data');
  const intervals = toChartIntervals(data.series, Date.parse(fundingTimeAt(0)));
  const [heading = [], ...rows] = toRateChartCsv({ data, intervals, side: 'long' })
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  for (const row of rows) expect(row).toHaveLength(heading.length);
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [heading[at] ?? '', cell])));
}

it('keeps columns in place in gaps', () => {
  expect(
    save().map(({ position_side: side, state, settled_rate_apr_simple_percent: apr }) => [side, state, apr]),
  ).toEqual([
    ['long', 'settled', '-10.95'],
    ['long', 'no valid rate', ''],
    ['long', 'settled', '21.9'],
  ]);
});

it('has the time and age of the reading in every row', () => {
  expect(save().map(({ responded_at: at, age_s: age }) => [at, age])).toEqual(
    Array.from({ length: 3 }, () => ['2026-06-02T08:00:06.000000000Z', '24']),
  );
});

it('has the APY that a long position receives or pays, which is not that of the market with its sign inverted', () => {
  expect(save().map(({ settled_rate_apy_percent: apy }) => apy?.slice(0, 8))).toEqual(['-10.3722', '', '24.48040']);
});

const series = createFundingSeries({
  prints: toWirePrints([printAt(0, '0.0001'), printAt(1, '-0.0008809')]),
  knownFrom: null,
  reachesLaunch: true,
});
const intervals = toChartIntervals(series, Date.parse(fundingTimeAt(0)));

it('draws and writes the APY of a long position from what it receives, so that it never falls below −100 %', () => {
  const { panes, readouts } = toRateChartData({ series, conversion: null } as PerpetualData, intervals, null, {
    form: 'apy',
    side: 'long',
    formatTime: String,
  });
  const [rates] = panes;
  const drawn = rates?.series[0];
  expect(drawn !== undefined && 'values' in drawn ? drawn.values.map((value) => Number(value).toFixed(4)) : []).toEqual(
    ['-0.1037', '1.6226'],
  );
  expect(rates?.levels?.map(({ value }) => value.toFixed(4))).toEqual(['0.0000', '-0.1037']);
  const converted = readouts.find(({ unit }) => unit === '%, compounded');
  expect([0, 1].map((index) => converted?.text(index))).toEqual(['−10.37', '+162.26']);
});
