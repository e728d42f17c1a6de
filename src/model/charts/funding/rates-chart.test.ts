import { expect, it } from 'vitest';
import type { DeskFunding } from '#contract/desk/funding.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { createFundingSpread } from '../../funding/funding-spread.ts';
import { createFundingSeries, type PerpetualSeries } from '../../funding/funding-series.ts';
import { fundingTimeAt, printAt, toWirePrints } from '#testing/settled-rates.ts';
import { toRateLines, toRatesChartData } from './rates-chart.ts';
import { toSpreadChartData } from './spread-chart.ts';

const window = { from: Date.parse(fundingTimeAt(0)), to: Date.parse(fundingTimeAt(6)) };
const anchor = window.to;

function perpetual(symbol: string, listedAt: number, places: readonly number[]): PerpetualSeries {
  const prints = toWirePrints(places.map((at) => printAt(at, '0.0001')));
  const series = createFundingSeries({ prints, knownFrom: fundingTimeAt(listedAt) as Instant, reachesLaunch: true });
  return { symbol, productId: 1, row: {} as DeskFunding['perpetuals'][number], series };
}

const holed = perpetual('HOLED', 0, [2, 3, 5]);
const young = perpetual('YOUNG', 3, [3, 4, 5]);
const silent = perpetual('SILENT', 0, []);

function hatchedOf(perpetuals: readonly PerpetualSeries[], hidden: readonly string[] = []) {
  const rates = toRateLines(perpetuals, { window, measure: 'rate', form: 'apr', side: 'market', anchor });
  return [...(toRatesChartData(rates, hidden, String).panes[0]?.hatched ?? [])].sort();
}

it('hatches gaps of visible lines, from the start of the window', () => {
  expect(hatchedOf([holed])).toEqual([0, 1, 4]);
  expect(hatchedOf([holed, young], ['HOLED'])).toEqual([]);
  expect(hatchedOf([young, silent])).toEqual([]);
});

it('hatches a spread where one of two expected settled rates is missing', () => {
  const hatched = (a: PerpetualSeries, b: PerpetualSeries) =>
    toSpreadChartData(createFundingSpread(a.series, b.series), { window, anchor, timeText: String }).chartData.panes[0]
      ?.hatched;
  expect(hatched(holed, perpetual('WHOLE', 0, [0, 1, 2, 3, 4, 5]))).toEqual([0, 1, 4]);
  expect(hatched(holed, young)).toEqual([4]);
  expect(hatched(holed, silent)).toEqual([]);
});

it('draws rates as steps over their interval, and cumulative sums as a line', () => {
  const kinds = (measure: 'rate' | 'sum') =>
    toRatesChartData(
      toRateLines([young], { window, measure, form: 'apr', side: 'market', anchor }),
      [],
      String,
    ).panes[0]?.series.map((one) => 'steps' in one && one.steps);
  expect([kinds('rate'), kinds('sum')?.[0]]).toEqual([[true], false]);
});

it.each([
  ['interval', 0.01, '0.01'],
  ['day', 0.03, '0.03'],
  ['apr', 10.95, '10.95'],
  ['apy', 11.57, '11.57'],
] as const)('draws and reads rates in the unit of the screen: %s', (form, drawn, read) => {
  const [line] = toRateLines([young], { window, measure: 'rate', form, side: 'market', anchor }).lines;
  expect(line?.values.at(-1)).toBeCloseTo(drawn, 2);
  expect(line?.read(5)?.times(100).toDecimalPlaces(2).toFixed()).toBe(read);
});

it('shows sums in percent, whatever the unit of rates', () => {
  const [line] = toRateLines([young], { window, measure: 'sum', form: 'apr', side: 'long', anchor }).lines;
  expect(line?.values.at(-1)).toBeCloseTo(-0.03, 12);
  expect(line?.read(5)?.toFixed()).toBe('-0.0003');
});
