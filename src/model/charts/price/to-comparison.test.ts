import { describe, expect, it } from 'vitest';
import type { Day } from '#contract/exchange/instant.ts';
import type { Bar } from '../../price/bars.ts';
import type { RunningChange } from '../../price/running-session.ts';
import { toDecimal } from '../../units/decimal.ts';
import { toComparison, type ComparedBars } from './comparison.ts';

function bars(settlements: Readonly<Record<string, string>>): readonly Bar[] {
  return Object.entries(settlements).map(
    ([date, settlement]) =>
      ({
        date,
        lastDate: date,
        sessions: 1,
        open: settlement,
        high: settlement,
        low: settlement,
        close: settlement,
        settlement,
        volume: 1,
      }) as unknown as Bar,
  );
}

/** From Thursday to Monday: the future does not trade at the weekend, and its settlement of Tuesday is missing. */
const perpetual: ComparedBars = {
  name: 'P',
  everyDay: true,
  running: null,
  bars: bars({
    '2026-11-12': '50',
    '2026-11-13': '55',
    '2026-11-14': '60',
    '2026-11-15': '60',
    '2026-11-16': '65',
    '2026-11-17': '65',
    '2026-11-18': '70',
  }),
};
const future: ComparedBars = {
  name: 'F',
  everyDay: false,
  running: null,
  bars: bars({ '2026-11-12': '100', '2026-11-13': '110', '2026-11-16': '120', '2026-11-18': '130' }),
};

function runningSince(since: string, date: string, fraction: string): RunningChange {
  return {
    since: since as Day,
    date: date as Day,
    fraction: { value: toDecimal(fraction) } as RunningChange['fraction'],
  };
}

it('the line of a dated contract spans weekends, on which it does not trade, and nothing else', () => {
  const { chartData } = toComparison([perpetual, future]) ?? expect.fail('no comparison');
  const spannedDays = chartData.panes[0]?.series.map((series) =>
    series.kind === 'line' ? [...(series.spanned ?? [])].map((index) => chartData.times[index]) : [],
  );
  expect(spannedDays).toEqual([[], ['2026-11-14', '2026-11-15']]);
  expect(chartData.panes[0]?.series[1]?.values).toEqual([100, 110, null, null, 120, null, 130]);
});

describe('it ends at the last common session', () => {
  const lastOf = (...products: readonly ComparedBars[]) => {
    const { chartData, isRunning } = toComparison(products) ?? expect.fail('no comparison');
    const last = chartData.times.length - 1;
    const values = chartData.panes[0]?.series.map((series) => series.values[last]);
    return { time: chartData.timeText(last), values, isRunning };
  };
  const running = (date: string, fraction = '0.1') => runningSince('2026-11-18', date, fraction);
  const settled = { time: '18 Nov 2026', values: [140, 130], isRunning: false };

  it('the one in progress, by the change of its last price, if it is in progress for both', () => {
    expect(
      lastOf({ ...perpetual, running: running('2026-11-19') }, { ...future, running: running('2026-11-19', '0.2') }),
    ).toEqual({ time: '19 Nov 2026, in progress', values: [154, 156], isRunning: true });
  });

  it.each([
    ['only one trades', null],
    ['the other one has another', running('2026-11-20')],
    ['the settlement before the other one is not shown', runningSince('2026-11-17', '2026-11-19', '0.1')],
  ])('a settled one if %s', (_, other) => {
    expect(lastOf({ ...perpetual, running: running('2026-11-19') }, { ...future, running: other })).toEqual(settled);
  });

  it('also if one has settled later, or has the session that is in progress for the other', () => {
    const later = { ...perpetual, bars: [...perpetual.bars, ...bars({ '2026-11-19': '80', '2026-11-20': '85' })] };
    expect(lastOf(later, future)).toEqual(settled);
    expect(lastOf(later, { ...future, running: running('2026-11-19') })).toEqual(settled);
  });
});
