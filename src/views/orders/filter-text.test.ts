import { describe, expect, it } from 'vitest';
import type { GridFilter } from '#ui/grid/grid-state.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { NO_BOUNDS, toBoundsFilter, toBoundTexts } from './bounds-text.ts';
import { createOrderColumns } from './columns.ts';
import { describeFilter, describeFilters } from './filter-text.ts';

const columns = createOrderColumns({ mostDigits: 2, zone: 'chicago', isNarrow: false });

describe('bounds as they are written', () => {
  it('stay as somebody writes them while they are the filter', () => {
    const written = { from: '5.0', to: '' };
    expect(toBoundTexts(toBoundsFilter(written) ?? undefined, written)).toEqual(written);
  });

  it('are gone with the filter, and do not come back with the next', () => {
    const written = { from: '5', to: '' };
    const cleared = toBoundTexts(undefined, written);
    expect(cleared).toEqual(NO_BOUNDS);
    expect(toBoundsFilter({ ...cleared, to: '9' })).toEqual({ kind: 'between', from: null, to: 9 });
  });

  it('are those of a filter that somebody else has put there', () => {
    expect(toBoundTexts({ kind: 'between', from: 1, to: 2.5 }, NO_BOUNDS)).toEqual({ from: '1', to: '2.5' });
  });
});

describe('filters in words', () => {
  it.each<[string, GridFilter, string]>([
    ['age', { kind: 'between', from: 8, to: null }, 'Age at least 8 hours'],
    ['price', { kind: 'between', from: 875.15, to: 875.15 }, 'Price is 875.15 USD'],
    ['remaining', { kind: 'between', from: 1, to: 3 }, 'Remaining 1 to 3'],
    ['side', { kind: 'is', texts: ['Bid'] }, 'Side is Bid'],
    ['account', { kind: 'is', texts: ['A', 'B', '', 'D'] }, 'Account is A or B or (empty) or D'],
    ['time', { kind: 'has', text: 'T15:0' }, 'Time has T15:0 UTC'],
  ])('%s filtered by %j are told as "%s"', (id, filter, sentence) => {
    expect(describeFilters(columns, { filters: { [id]: filter }, quick: 'x' })).toEqual([sentence, 'Anything has x']);
  });

  it('a chip has no room for many words', () => {
    expect(describeFilter({ kind: 'is', texts: ['A', 'B', 'C', 'D'] })).toBe('is one of 4');
  });

  it('an age is bounded in the hours that are told of it', () => {
    const [row] = toRows(readOrders([{ time: '2026-08-17T15:00:00Z' }]));
    expect(row && columns.find(({ id }) => id === 'age')?.value(row)).toBe(9);
  });
});
