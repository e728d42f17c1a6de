import { expect, it } from 'vitest';
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

it('the running session is in it by the change of the last price from the newest settlement, where that is shown', () => {
  const running = [
    { ...perpetual, running: runningSince('2026-11-18', '2026-11-19', '0.1') },
    { ...future, running: runningSince('2026-11-17', '2026-11-19', '0.1') },
  ];
  const { chartData } = toComparison(running) ?? expect.fail('no comparison');
  expect(chartData.panes[0]?.series.map(({ values }) => values.at(-1))).toEqual([154, null]);
  expect([chartData.timeText(6), chartData.timeText(7)]).toEqual(['18 Nov 2026', '19 Nov 2026, in progress']);
});
