import { LATER_FIGURES } from '#model/markets/price-change-names.ts';
import { describe, expect, it } from 'vitest';
import { type MarketRow, NO_AGES } from '#model/markets/market-rows.ts';
import type { MarketQuery } from '../shared/use-market-data.ts';
import { trendCells } from './trend.ts';
import { createTextMarks } from '#page/kit/grid/text-marks.ts';
import { createPendingColumns } from '#model/tables/markets/pending-columns.ts';
import { createColumns, type ColumnContext } from './columns.ts';
import { COLUMN_QUERIES, findPending, markPending } from './adapt-columns.ts';

const [navigator, clock, star] = [{}, {}, {}] as unknown as [
  ColumnContext['navigator'],
  ColumnContext['clock'],
  ColumnContext['star'],
];
const columns = createColumns({
  alignedDigits: 2,
  shown: { closed: true, last: true, settlement: true, interest: true },
  interestDays: '',
  settled: '',
  navigator,
  clock,
  toVenueTime: (now) => now,
  star,
  ...createPendingColumns(false),
  trend: trendCells,
  marks: createTextMarks(),
});
const row = {
  product: {},
  openInterestDate: null,
  openInterest: null,
  volume: null,
  funding: null,
  trend: [],
  ages: NO_AGES,
} as unknown as MarketRow;

function query(name: MarketQuery['name'], data: unknown, error: Error | null): MarketQuery {
  return { name, label: name, query: { data, error } as MarketQuery['query'], optional: false };
}

describe('pending columns', () => {
  it('no column is named that the list lacks, and one whose requests are not named shows by itself what is loading', () => {
    const listed: readonly string[] = columns.map(({ id }) => id);
    expect(Object.keys(COLUMN_QUERIES).filter((id) => !listed.includes(id))).toEqual([]);
    const later: readonly string[] = LATER_FIGURES;
    const shown = columns.filter(({ id }) => later.includes(id)).map((column) => column.text({ ...row, changes: {} }));
    expect(shown).toEqual(LATER_FIGURES.map(() => '…'));
  });

  it('a request is pending until it has succeeded or failed', () => {
    expect(
      findPending([
        query('voi', undefined, null),
        query('data', {}, null),
        query('funding', undefined, new Error('failed')),
      ]),
    ).toEqual(['voi']);
  });

  it('only columns of pending requests show that they are loading', () => {
    const textOf = (id: string) =>
      markPending(columns, ['voi'])
        .find((column) => column.id === id)
        ?.text(row);
    expect([textOf('openInterest'), textOf('openInterestDate'), textOf('volume')]).toEqual(['…', '…', '–']);
  });
});
