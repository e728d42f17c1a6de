import { describe, expect, it } from 'vitest';
import { gridColumns as columns } from '#testing/grid-columns.ts';
import { moveColumn, openLibrary, resizeColumn, sortByColumn } from './change-columns.ts';
import { defaultGridState, type GridState } from '#model/tables/grid.ts';
import type { GridTable } from './grid-props.ts';
import { isLayoutChanged } from './use-stored-grid.tsx';

const defaults = defaultGridState(columns);

/** Returns the state that a change of the table sets, or the state before if it sets none. */
function change(state: GridState, act: (table: GridTable<object>) => void): GridState {
  let after = state;
  const set = (next: GridState): void => {
    after = next;
  };
  act({ columns, state, set });
  return after;
}

const sort = (state: GridState, id: string, adds: boolean): GridState =>
  change(state, (table) => {
    sortByColumn(table, id, adds);
  });
const move = (state: GridState, id: string, step: -1 | 1): GridState =>
  change(state, (table) => {
    moveColumn(table, id, step);
  });
const resize = (state: GridState, id: string, width: number): GridState =>
  change(state, (table) => {
    resizeColumn(table, id, width);
  });
const pin = (state: GridState, id: string, side: 'start' | 'end' | false): GridState =>
  change(state, (table) => openLibrary(table).getColumn(id)?.pin(side));
const show = (state: GridState, id: string, isShown: boolean): GridState =>
  change(state, (table) => openLibrary(table).getColumn(id)?.toggleVisibility(isShown));

describe('sorting', () => {
  it('cycles through descending, ascending and none for numbers; ascending first for texts', () => {
    const once = sort(defaults, 'price', false);
    const twice = sort(once, 'price', false);
    expect([once.sorts, twice.sorts, sort(twice, 'price', false).sorts]).toEqual([
      [{ id: 'price', desc: true }],
      [{ id: 'price', desc: false }],
      [],
    ]);
    expect(sort(defaults, 'side', false).sorts).toEqual([{ id: 'side', desc: false }]);
  });

  it('starts ascending for a number whose small values matter most', () => {
    const near = columns.map((column) => ({ ...column, smallestFirst: column.id === 'price' }));
    const sorted = change(defaults, (table) => {
      sortByColumn({ ...table, columns: near }, 'price', false);
    });
    expect(sorted.sorts).toEqual([{ id: 'price', desc: false }]);
  });

  it('appends a level, changes one in place, and removes one', () => {
    const two = sort(sort(defaults, 'price', false), 'side', true);
    expect(two.sorts).toEqual([
      { id: 'price', desc: true },
      { id: 'side', desc: false },
    ]);
    const changed = sort(two, 'price', true);
    expect(changed.sorts).toEqual([
      { id: 'price', desc: false },
      { id: 'side', desc: false },
    ]);
    expect(sort(changed, 'price', true).sorts).toEqual([{ id: 'side', desc: false }]);
  });

  it('replaces all levels by one column', () => {
    const two = sort(sort(defaults, 'price', false), 'side', true);
    expect(sort(two, 'size', false).sorts).toEqual([{ id: 'size', desc: true }]);
    expect(sort(two, 'price', false).sorts).toEqual([{ id: 'price', desc: false }]);
  });

  it('leaves out columns that cannot be sorted', () => {
    expect(sort(defaults, 'trend', false)).toBe(defaults);
  });

  it('does not change the layout', () => {
    expect(isLayoutChanged(defaults, sort(defaults, 'price', false))).toBe(false);
  });
});

describe('moving a column', () => {
  it('skips hidden columns', () => {
    expect(move(defaults, 'side', 1).order).toEqual(['symbol', 'ack', 'price', 'side', 'size', 'trend']);
    expect(move(defaults, 'price', -1).order).toEqual(['symbol', 'price', 'side', 'ack', 'size', 'trend']);
  });

  it('moves a hidden column among the visible ones', () => {
    expect(move(defaults, 'ack', 1).order).toEqual(['symbol', 'side', 'price', 'ack', 'size', 'trend']);
    expect(move(defaults, 'ack', -1).order).toEqual(['symbol', 'ack', 'side', 'price', 'size', 'trend']);
  });

  it('stays among columns with the same pinning', () => {
    expect(move(defaults, 'side', -1).order).toBe(defaults.order);
    const pinned = pin(defaults, 'price', 'start');
    expect(move(pinned, 'price', -1).pinned.start).toEqual(['price', 'symbol']);
  });

  it('stops at the end', () => {
    expect(move(defaults, 'trend', 1).order).toBe(defaults.order);
  });
});

it('pins to one side at a time, and unpins', () => {
  const end = pin(defaults, 'symbol', 'end');
  expect(end.pinned).toEqual({ start: [], end: ['symbol'] });
  expect(pin(end, 'symbol', false).pinned).toEqual({ start: [], end: [] });
});

it('limits the width', () => {
  expect(resize(defaults, 'side', 3).widths).toEqual({ side: 40 });
  expect(resize(defaults, 'side', 123.4).widths).toEqual({ side: 123 });
  expect(resize(defaults, 'side', 9_999).widths).toEqual({ side: 800 });
});

it('hides and shows; the column hidden last is the last in the list', () => {
  expect(show(defaults, 'price', false).hidden).toEqual(['ack', 'price']);
  expect(show(defaults, 'ack', true).hidden).toEqual([]);
  expect(show(show(show(defaults, 'price', false), 'ack', true), 'ack', false).hidden).toEqual(['price', 'ack']);
});
