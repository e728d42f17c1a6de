import { expect, it } from 'vitest';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import { type MarketRow, NO_AGES } from '#model/markets/market-rows.ts';
import { NO_CHANGES } from '#model/markets/price-change-names.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { trendCells } from './trend.ts';
import { createTextMarks } from '#page/kit/grid/text-marks.ts';
import { createChangeColumns } from '#model/tables/markets/change-columns.ts';
import { createTermColumns } from './term-columns.ts';
import { createPendingColumns } from '#model/tables/markets/pending-columns.ts';
import { TERM_COLUMNS } from '#model/tables/markets/market-list.ts';
import { createColumns, findShown, type ColumnContext } from './columns.ts';
import { describeInterest, describeSettlements } from './describe-days.ts';
import { toWidest } from './adapt-columns.ts';

const [navigator, clock, star] = [{}, {}, {}] as unknown as [
  ColumnContext['navigator'],
  ColumnContext['clock'],
  ColumnContext['star'],
];
const context: ColumnContext = {
  alignedDigits: 5,
  shown: { closed: false, last: false, settlement: false, interest: false },
  interestDays: '',
  settled: '',
  navigator,
  clock,
  toVenueTime: (now) => now,
  star,
  terms: createTermColumns(navigator),
  changes: createChangeColumns({ closed: false }, 2),
  trend: trendCells,
  marks: createTextMarks(),
};

function rowOf(type: string, ages: Partial<MarketRow['ages']>): MarketRow {
  const figure = { value: toDecimal('-1'), unit: 'USD', withheld: null };
  return {
    terms: null,
    trading: null,
    changes: NO_CHANGES,
    product: { type },
    checks: { reasons: new Map() },
    settlementTime: null,
    ages: { ...NO_AGES, ...ages },
    last: figure,
    change: figure,
    changeFraction: figure,
    settlement: figure,
    openInterest: figure,
    openInterestUsd: figure,
    volume: figure,
    volumeUsd: figure,
    funding: { settled: figure, settledApr: figure, estimateNotCurrent: null },
  } as unknown as MarketRow;
}

const overdue = { newest: '2026-11-10' as Day, due: '2026-11-24' as Day };

it('dates are shown only where a settlement, open interest or a perpetual’s last trade is not of the newest session', () => {
  const shown = (...rows: readonly MarketRow[]) =>
    Object.entries(findShown(rows)).flatMap(([name, isShown]) => (isShown ? [name] : []));
  expect(shown(rowOf('perpetual', {}), rowOf('option', { hasEarlierTrade: true }))).toEqual([]);
  expect(shown(rowOf('perpetual', {}), rowOf('perpetual', { hasEarlierTrade: true }))).toEqual(['last']);
  expect(shown(rowOf('future', { hasEarlierSettlement: true }))).toEqual(['settlement']);
  expect(shown(rowOf('future', { hasEarlierInterest: true }))).toEqual(['interest']);
  expect(shown(rowOf('future', { hasEarlierSettlement: true, overdueSettlement: overdue }))).toEqual([
    'last',
    'settlement',
  ]);
});

it.each([
  [['2026-11-29'], '29 Nov'],
  [['2026-11-29', '2026-11-27'], '27/29 Nov'],
  [['2026-12-01', '2026-11-30'], '30 Nov/1 Dec'],
  [[], ''],
])('settlements of %j are those of %s', (days, expected) => {
  const settledOn = (day: string, ages = {}): MarketRow => ({
    ...rowOf('future', ages),
    settlementTime: `${day}T22:00:00Z` as Instant,
  });
  const earlier = settledOn('2026-11-02', { hasEarlierSettlement: true });
  expect(describeSettlements([earlier, ...days.map((day) => settledOn(day))])).toBe(expected);
});

it('open interest is dated by the days that are newest for each kind of product, and an earlier day is marked', () => {
  const openOn = (day: string, ages = {}): MarketRow => ({
    ...rowOf('future', ages),
    openInterestDate: day as Day,
  });
  const earlier = openOn('2026-11-20', { hasEarlierInterest: true });
  const rows = [openOn('2026-11-29'), openOn('2026-11-27'), earlier];
  const columns = createColumns({ ...context, interestDays: describeInterest(rows) });
  expect(describeInterest([openOn('2026-12-01'), openOn('2026-11-30')])).toBe('30/1 Dec');
  const titles = columns.flatMap(({ id, title }) => (id.startsWith('openInterest') ? [title] : []));
  expect(titles).toEqual(['OI 27/29 Nov', 'OI 27/29 Nov', 'OI date']);
  const [date, contracts] = ['openInterestDate', 'openInterest'].map((name) => columns.find(({ id }) => id === name));
  expect(rows.map((row) => [date?.text(row), date?.tone?.(row), contracts?.tone?.(row)])).toEqual([
    ['29 Nov', 'quiet', undefined],
    ['27 Nov', 'quiet', undefined],
    ['20 Nov', 'old', 'old'],
  ]);
});

it('what is closed and how it settled are shown only while a product is closed', () => {
  const opensAt = Date.parse('2026-11-30T01:00:00Z');
  const open = { ...rowOf('perpetual', {}), trading: { isOpen: true } } as const;
  const rows = [open, { ...rowOf('future', {}), trading: { isOpen: false, opensAt } }] as const;
  const columns = (all: readonly MarketRow[]) =>
    createColumns({ ...context, changes: createChangeColumns(findShown(all), 2) }).filter(({ id }) =>
      ['trading', 'settlementChange'].includes(id),
    );
  expect(columns(rows).map(({ hidden }) => hidden)).toEqual([false, false]);
  expect(columns(rows.slice(0, 1)).map(({ hidden }) => hidden)).toEqual([true, true]);
  expect(rows.map((row) => columns(rows)[0]?.text(row))).toEqual(['Open', 'Closed · Mon 01:00']);
});

it.each([
  ['overdueSettlement', ['last', 'change', 'changePercent', 'settlement']],
  ['hasEarlierInterest', ['openInterest', 'openInterestUsd', 'openInterestDate']],
  ['overdueRate', ['funding', 'apr']],
] as const)('%s marks its figures and no others', (age, ids) => {
  const marked = (row: MarketRow) =>
    createColumns(context).flatMap(({ id, tone }) => (tone?.(row) === 'old' ? [id] : []));
  expect(marked(rowOf('perpetual', { [age]: overdue }))).toEqual(ids);
  expect(marked(rowOf('perpetual', {}))).toEqual([]);
});

it('every column but the link to orders fits a window of 1440 px', () => {
  const width = createColumns({ ...context, interestDays: '27/29 Nov' })
    .filter(({ id, hidden }) => hidden !== true && id !== 'orders')
    .reduce((sum, column) => sum + column.width, 0);
  expect(width).toBeLessThanOrEqual(1_440);
});

it('with the terms of contracts, every column fits the window that shows them', () => {
  const shown = toWidest(createColumns(context)).filter(({ hidden }) => hidden !== true);
  expect(shown.map(({ id }) => id)).toEqual(expect.arrayContaining(['name', 'strike', 'contractSize', 'hours']));
  expect(shown.reduce((sum, column) => sum + column.width, 0)).toBeLessThanOrEqual(2_540);
});

it('the columns of terms are the same before and after their code has loaded, the days to expiry shown and the others hidden', () => {
  const describe = (columns: ColumnContext['terms']) => columns.map(({ id, hidden }) => [id, hidden === true]);
  const shown = TERM_COLUMNS.map((id) => [id, id !== 'daysLeft']);
  expect(describe(context.terms)).toEqual(shown);
  expect(describe(createPendingColumns(false).terms)).toEqual(shown);
});
