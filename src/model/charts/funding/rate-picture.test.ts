import { expect, it } from 'vitest';
import { createFundingSeries } from '../../funding/funding-series.ts';
import { fundingTimeAt, printAt, toWirePrints } from '#testing/funding-prints.ts';
import { toChartIntervals } from './chart-intervals.ts';
import type { PerpetualData } from '../../tables/funding/perpetual-data.ts';
import { toRatePicture } from './rate-picture.ts';

const series = createFundingSeries({
  prints: toWirePrints([printAt(0, '0.0001'), printAt(1, '-0.0008809')]),
  knownFrom: null,
  reachesLaunch: true,
});
const intervals = toChartIntervals(series, Date.parse(fundingTimeAt(0)));

it('draws and writes the APY of a long position from what it receives, so that it never falls below −100 %', () => {
  const { panes, readouts } = toRatePicture({ series, conversion: null } as PerpetualData, intervals, null, {
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
