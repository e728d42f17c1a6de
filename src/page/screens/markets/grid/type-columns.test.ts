import { expect, it } from 'vitest';
import type { MarketColumn } from '#model/tables/markets/figure-cells.ts';
import { toTyped, toTypedLayout } from './adapt-columns.ts';

const columns = [
  'symbol',
  'daysLeft',
  'strike',
  'right',
  'legs',
  'changePercent',
  'trend',
  'funding',
  'estimate',
  'apr',
  'boundary',
].map((id) => ({
  id,
  width: 100,
  hidden: ['strike', 'right', 'legs'].includes(id),
})) as unknown as readonly MarketColumn[];

it.each([
  ['all', 'symbol daysLeft changePercent trend funding estimate apr boundary'],
  ['perpetual', 'symbol changePercent trend funding estimate apr boundary'],
  ['future', 'symbol daysLeft changePercent trend'],
  ['spread', 'symbol daysLeft legs'],
  ['option', 'symbol daysLeft strike right changePercent trend'],
  ['swap', 'symbol daysLeft changePercent trend funding estimate apr boundary'],
])('of %s the columns are by default %s', (type, shown) => {
  expect(
    toTyped(columns, type)
      .filter(({ hidden }) => hidden !== true)
      .map(({ id }) => id)
      .join(' '),
  ).toBe(shown);
});

it('a layout chosen for all products keeps its order and widths for one type, without the columns that it leaves empty', () => {
  const layout = {
    order: ['symbol', 'strike', 'last', 'apr'],
    widths: { symbol: 90 },
    pinned: { start: [], end: [] },
    hidden: ['strike', 'last'],
  };
  expect(toTypedLayout(layout, 'option')).toEqual({ ...layout, hidden: ['last', 'apr'] });
  expect(toTypedLayout({}, 'option')).toEqual({});
});
