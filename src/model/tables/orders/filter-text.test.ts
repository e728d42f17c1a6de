import { describe, expect, it } from 'vitest';
import { describeFilter, describeFilters, toIdFilter, toIdSearch } from './filter-text.ts';
import type { GridFilter } from '../grid.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { NO_BOUNDS, toBoundsFilter, toBoundTexts } from './column-facts.ts';
import { createOrderColumns } from './columns.ts';

it.each([
  [
    { mode: 'has', text: ' 7674 ' },
    { kind: 'has', text: '7674' },
  ],
  [
    { mode: 'starts', text: '7674' },
    { kind: 'starts', text: '7674' },
  ],
  [
    { mode: 'is', text: '7674,\n 7675;7676' },
    { kind: 'is', texts: ['7674', '7675', '7676'] },
  ],
  [{ mode: 'is', text: ' , ' }, null],
  [{ mode: 'has', text: '' }, null],
] as const)('the search %j is the filter %j', (search, filter) => {
  expect(toIdFilter(search)).toEqual(filter);
  if (filter !== null) expect(toIdFilter(toIdSearch(filter))).toEqual(filter);
});

it('other filters are no search for ids', () => {
  expect(toIdSearch({ kind: 'between', from: 1, to: 2 })).toEqual({ mode: 'has', text: '' });
});

const columns = createOrderColumns({ mostDigits: 2, zone: 'chicago', isNarrow: false });

describe('bounds while they are edited', () => {
  it('keep the edited text while it means the same as the filter', () => {
    const written = { from: '5.0', to: '' };
    expect(toBoundTexts(toBoundsFilter(written) ?? undefined, written)).toEqual(written);
  });

  it('are cleared with the filter and stay cleared', () => {
    const written = { from: '5', to: '' };
    const cleared = toBoundTexts(undefined, written);
    expect(cleared).toEqual(NO_BOUNDS);
    expect(toBoundsFilter({ ...cleared, to: '9' })).toEqual({ kind: 'between', from: null, to: 9 });
  });

  it('follow a filter that was set elsewhere', () => {
    expect(toBoundTexts({ kind: 'between', from: 1, to: 2.5 }, NO_BOUNDS)).toEqual({ from: '1', to: '2.5' });
  });
});

describe('descriptions of filters', () => {
  it.each<[string, GridFilter, string]>([
    ['age', { kind: 'between', from: 8, to: null }, 'Age at least 8 hours'],
    ['price', { kind: 'between', from: 875.15, to: 875.15 }, 'Price is 875.15 USD'],
    ['remaining', { kind: 'between', from: 1, to: 3 }, 'Working qty 1 to 3'],
    ['side', { kind: 'is', texts: ['Bid'] }, 'Side is Bid'],
    ['account', { kind: 'is', texts: ['A', 'B', '', 'D'] }, 'Account is A or B or (empty) or D'],
    ['time', { kind: 'has', text: 'T15:0' }, 'Accepted contains T15:0 UTC'],
    ['time', { kind: 'within', from: '', to: '1 h ago' }, 'Accepted more than 1 h ago'],
    ['id', { kind: 'starts', text: '7674' }, 'Order ID starts with 7674'],
    ['underlying', { kind: 'between', from: 1_000_000, to: null }, 'Underlying notional at least 1,000,000 USD'],
    ['difference', { kind: 'between', from: -790.5, to: null }, 'Spread value at least −790.5 USD'],
    ['duplicates', { kind: 'between', from: 1, to: null }, 'Duplicates at least 1'],
  ])('%s filtered by %j reads "%s"', (id, filter, sentence) => {
    expect(describeFilters(columns, { filters: { [id]: filter }, quick: 'x' })).toEqual([
      sentence,
      'Any column contains x',
    ]);
  });

  it('a chip shows the count of many values', () => {
    expect(describeFilter({ kind: 'is', texts: ['A', 'B', 'C', 'D'] })).toBe('is any of 4 values');
  });

  it('an age is filtered in hours', () => {
    const [row] = toRows(readOrders([{ time: '2026-08-17T15:00:00Z' }]));
    expect(row && columns.find(({ id }) => id === 'age')?.value(row)).toBe(9);
  });
});
