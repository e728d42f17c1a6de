import { describe, expect, it } from 'vitest';
import { filterColumn, moveColumn, pinColumn, resizeColumn, showColumn, sortByColumn, toggleGroup } from './change-state.ts';
import { defaultGridState } from './grid-state.ts';

const columns = [
  { id: 'symbol', kind: 'text', width: 90, pinned: 'start' },
  { id: 'side', kind: 'text', width: 50 },
  { id: 'ack', kind: 'text', width: 90, hidden: true },
  { id: 'price', kind: 'number', width: 90 },
  { id: 'size', kind: 'number', width: 90 },
] as const;
const defaults = defaultGridState(columns);

it('starts with the defaults of the columns', () => {
  expect(defaults).toMatchObject({ order: ['symbol', 'side', 'ack', 'price', 'size'], hidden: ['ack'], pinned: { start: ['symbol'], end: [] }, sorts: [] });
});

describe('sorting', () => {
  const price = { id: 'price', kind: 'number' } as const;
  const side = { id: 'side', kind: 'text' } as const;

  it('cycles through descending, ascending and none for numbers; ascending first for texts', () => {
    const once = sortByColumn(defaults, price, false);
    const twice = sortByColumn(once, price, false);
    expect([once.sorts, twice.sorts, sortByColumn(twice, price, false).sorts]).toEqual([[{ id: 'price', desc: true }], [{ id: 'price', desc: false }], []]);
    expect(sortByColumn(defaults, side, false).sorts).toEqual([{ id: 'side', desc: false }]);
  });

  it('appends a level, and changes one in place', () => {
    const two = sortByColumn(sortByColumn(defaults, price, false), side, true);
    expect(two.sorts).toEqual([{ id: 'price', desc: true }, { id: 'side', desc: false }]);
    expect(sortByColumn(two, price, true).sorts).toEqual([{ id: 'price', desc: false }, { id: 'side', desc: false }]);
  });

  it('replaces all levels by one column', () => {
    const two = sortByColumn(sortByColumn(defaults, price, false), side, true);
    expect(sortByColumn(two, { id: 'size', kind: 'number' }, false).sorts).toEqual([{ id: 'size', desc: true }]);
  });
});

describe('moving a column', () => {
  it('skips hidden columns', () => {
    expect(moveColumn(defaults, 'side', 1).order).toEqual(['symbol', 'ack', 'price', 'side', 'size']);
  });

  it('stays among columns with the same pinning', () => {
    expect(moveColumn(defaults, 'side', -1).order).toEqual(defaults.order);
    const pinned = pinColumn(defaults, 'price', 'start');
    expect(moveColumn(pinned, 'price', -1).pinned.start).toEqual(['price', 'symbol']);
  });

  it('stops at the end', () => {
    expect(moveColumn(defaults, 'size', 1).order).toEqual(defaults.order);
  });
});

it('pins to one side at a time, and unpins', () => {
  const end = pinColumn(defaults, 'symbol', 'end');
  expect(end.pinned).toEqual({ start: [], end: ['symbol'] });
  expect(pinColumn(end, 'symbol', null).pinned).toEqual({ start: [], end: [] });
});

it('limits the width', () => {
  expect(resizeColumn(defaults, 'side', 3).widths).toEqual({ side: 40 });
  expect(resizeColumn(defaults, 'side', 123.4).widths).toEqual({ side: 123 });
  expect(resizeColumn(defaults, 'side', 9_999).widths).toEqual({ side: 800 });
});

it('hides and shows', () => {
  expect(showColumn(defaults, 'price', false).hidden).toEqual(['ack', 'price']);
  expect(showColumn(defaults, 'ack', true).hidden).toEqual([]);
});

it('adds and removes a filter', () => {
  const filtered = filterColumn(defaults, 'side', { kind: 'is', texts: ['Bid'] });
  expect(filtered.filters).toEqual({ side: { kind: 'is', texts: ['Bid'] } });
  expect(filterColumn(filtered, 'side', null).filters).toEqual({});
});

it('closes and opens a group', () => {
  const closed = toggleGroup(defaults, '/Bid');
  expect([...closed.closed]).toEqual(['/Bid']);
  expect(toggleGroup(closed, '/Bid').closed.size).toBe(0);
});
