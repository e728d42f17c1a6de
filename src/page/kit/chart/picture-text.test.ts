import { expect, test } from 'vitest';
import type { Pane, ChartData, Readout } from '#model/charts/chart-data.ts';
import { toPictureText } from './save-picture.ts';

const text = (): string => '5';
const pane = (name: string, unit: string): Pane => ({ name, unit, share: 1, format: String, series: [] });
const readouts: readonly Readout[] = [
  { name: 'BTC', unit: '', ink: 'series-1', text },
  { name: 'ETH', unit: '', ink: 'series-2', stroke: 'dashed', text },
  { name: 'Settlement', unit: 'USD', text },
];

function textOf(panes: readonly Pane[], hidden: string | null = null) {
  const chartData: ChartData = { times: [], timeName: 'Session', timeText: text, panes, readouts };
  return toPictureText(chartData, {
    title: 'Both',
    summary: 'Both rose.',
    isHidden: (name) => name === hidden,
    colorOf: (ink) => `color of ${ink}`,
  });
}

test('lists visible series with their colours', () => {
  const [btc, eth] = [
    { name: 'BTC', color: 'color of series-1' },
    { name: 'ETH', color: 'color of series-2', stroke: 'dashed' },
  ];
  expect(textOf([pane('Index', '')]).legend).toEqual([btc, eth]);
  expect(textOf([pane('Index', '')], 'BTC').legend).toEqual([eth]);
});

test('puts panes and units before the summary', () => {
  expect(textOf([pane('Index', '')]).summary).toBe('Both rose.');
  expect(textOf([pane('Price', 'USD'), pane('Volume', 'contracts')]).summary).toBe(
    'Price in USD, Volume in contracts. Both rose.',
  );
});
