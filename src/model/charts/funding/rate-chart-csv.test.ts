import { expect, it } from 'vitest';
import type { ApiResponse } from '../../response.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { fundingTimeAt, printAt, toWirePrints } from '#testing/funding-prints.ts';
import { toChartIntervals } from './chart-intervals.ts';
import { toPerpetualData } from '../../tables/funding/perpetual-data.ts';
import { toRateChartCsv } from './rate-chart-csv.ts';

/** Settled at funding times 1 and 3, with a gap between. */
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
    answeredAt: null,
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
  expect(save().map(({ side, state, percent_APR_simple: apr }) => [side, state, apr])).toEqual([
    ['long', 'settled', '-10.95'],
    ['long', 'no valid rate', ''],
    ['long', 'settled', '21.9'],
  ]);
});

it('has the time and age of the reading in every row', () => {
  expect(save().map(({ answered_at: at, age_s: age }) => [at, age])).toEqual(
    Array.from({ length: 3 }, () => ['2026-06-02T08:00:06Z', '24']),
  );
});

it('has the APY that a long position receives or pays, which is not that of the market with its sign inverted', () => {
  expect(save().map(({ percent_APY: apy }) => apy?.slice(0, 8))).toEqual(['-10.3722', '', '24.48040']);
});
