import { expect, test } from 'vitest';
import type { Day } from '#contract/exchange/instant.ts';
import type { Period } from '#model/time/date-range.ts';
import { toDecimal } from '#model/units/decimal.ts';
import type { VoiBar } from '#model/voi/voi-bars.ts';
import { findLegendBars } from '#page/kit/chart/legend-text.ts';
import { findPercentBase, toTotalChartData } from '#model/charts/volume/volume-chart.ts';

function bar(openInterest: string | null): VoiBar {
  const level = openInterest === null ? null : toDecimal(openInterest);
  const [volume, date] = [toDecimal('5'), '2026-01-02' as Day];
  return {
    date,
    lastDate: date,
    volume,
    volumeUsd: volume,
    openInterest: level,
    openInterestUsd: level,
    openInterestDate: date,
    whyWithheld: () => null,
    drawnOpenInterest: level?.toNumber() ?? null,
  };
}

function drawnInPercent(...levels: readonly (string | null)[]) {
  const bars = levels.map(bar);
  const { panes } = toTotalChartData(bars, {
    unit: 'contracts',
    period: '1D',
    base: findPercentBase(bars, 'contracts'),
  });
  return panes.map(({ unit, series }) => [unit, series[0]?.values]);
}

test('open interest can be in percent from its first value; volume stays absolute', () => {
  expect(drawnInPercent(null, '8', null, '10', '6')).toEqual([
    ['contracts', [5, 5, 5, 5, 5]],
    ['%', [null, 0, null, 25, -25]],
  ]);
});

test('the legend shows the newest session, and the open interest of the session before, which is published a day later', () => {
  const dated = (date: string, openInterest: string | null): VoiBar => ({ ...bar(openInterest), date: date as Day });
  const chartData = toTotalChartData([dated('2026-11-22', '8'), dated('2026-11-23', '9'), dated('2026-11-24', null)], {
    unit: 'contracts',
    period: '1D',
  });
  const rest = findLegendBars(chartData);
  expect(chartData.timeText(rest.bar)).toBe('24 Nov 2026');
  expect(chartData.readouts.map((readout) => [readout.name, chartData.timeText(rest.barOf(readout))])).toEqual([
    ['Volume', '24 Nov 2026'],
    ['Open interest', '23 Nov 2026'],
  ]);
});

test('the axes have no labels below zero', () => {
  const { panes } = toTotalChartData([bar('7')], { unit: 'contracts', period: '1D' });
  expect(panes.map(({ format }) => [format(-1_000), format(0), format(1_000)])).toEqual([
    ['', '0', '1 K'],
    ['', '0', '1 K'],
  ]);
});

test('open interest that starts at zero has no percent scale', () => {
  expect(drawnInPercent('0', '9')).toContainEqual(['contracts', [0, 9]]);
});

test('a week is named by its Monday and a month by its first day, whatever session comes first', () => {
  const named = (period: Period): unknown => {
    const { times, timeText } = toTotalChartData([bar('7')], { unit: 'contracts', period });
    return [times, timeText(0)];
  };
  expect(named('1D')).toEqual([['2026-01-02'], '2 Jan 2026']);
  expect(named('1W')).toEqual([['2025-12-29'], '29 Dec 2025']);
  expect(named('1M')).toEqual([['2026-01-01'], '1 Jan 2026']);
});
