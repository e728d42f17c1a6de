import { expect, it } from 'vitest';
import { createFundingSeries } from '../../funding/funding-series.ts';
import { createFundingSpread } from '../../funding/funding-spread.ts';
import { fundingTimeAt, printAt, toWirePrints } from '#testing/settled-rates.ts';
import { toSpreadChartData } from './spread-chart.ts';

const seriesOf = (...rates: readonly string[]) =>
  createFundingSeries({
    prints: toWirePrints(rates.map((rate, at) => printAt(at, rate))),
    knownFrom: null,
    reachesLaunch: true,
  });

it('has one sign: spread and carry are positive where the position receives', () => {
  const spread = createFundingSpread(seriesOf('-0.0008', '0.0001'), seriesOf('0.0001', '0.0001'));
  const window = { from: Date.parse(fundingTimeAt(0)), to: Date.parse(fundingTimeAt(2)) };
  const {
    chartData: { panes, readouts },
  } = toSpreadChartData(spread, { window, anchor: window.to, timeText: String });
  const drawn = panes.map(({ series: [line] }) =>
    line !== undefined && 'values' in line ? line.values.map((value) => Number(value).toFixed(4)) : [],
  );
  expect(drawn).toEqual([
    ['0.0900', '0.0000'],
    ['0.0900', '0.0900'],
  ]);
  expect(readouts.map(({ text }) => [text(0), text(1)])).toEqual([
    ['+0.0900', '0.0000'],
    ['+0.0900', '+0.0900'],
  ]);
});
