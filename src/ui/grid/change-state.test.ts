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
const usual = defaultGridState(columns);

it('begins as the columns say', () => {
  expect(usual).toMatchObject({ order: ['symbol', 'side', 'ack', 'price', 'size'], hidden: ['ack'], pinned: { start: ['symbol'], end: [] }, sorts: [] });
});

describe('sorting', () => {
  const price = { id: 'price', kind: 'number' } as const;
  const side = { id: 'side', kind: 'text' } as const;

  it('goes down, up and away for numbers; up, down and away for texts', () => {
    const once = sortByColumn(usual, price, false);
    const twice = sortByColumn(once, price, false);
    expect([once.sorts, twice.sorts, sortByColumn(twice, price, false).sorts]).toEqual([[{ id: 'price', desc: true }], [{ id: 'price', desc: false }], []]);
    expect(sortByColumn(usual, side, false).sorts).toEqual([{ id: 'side', desc: false }]);
  });

  it('adds a level after the others, and turns one where it stands', () => {
    const two = sortByColumn(sortByColumn(usual, price, false), side, true);
    expect(two.sorts).toEqual([{ id: 'price', desc: true }, { id: 'side', desc: false }]);
    expect(sortByColumn(two, price, true).sorts).toEqual([{ id: 'price', desc: false }, { id: 'side', desc: false }]);
  });

  it('puts one column in the place of all levels', () => {
    const two = sortByColumn(sortByColumn(usual, price, false), side, true);
    expect(sortByColumn(two, { id: 'size', kind: 'number' }, false).sorts).toEqual([{ id: 'size', desc: true }]);
  });
});

describe('moving a column', () => {
  it('goes past what is not to be seen there', () => {
    expect(moveColumn(usual, 'side', 1).order).toEqual(['symbol', 'ack', 'price', 'side', 'size']);
  });

  it('stays among columns that are pinned alike', () => {
    expect(moveColumn(usual, 'side', -1).order).toEqual(usual.order);
    const pinned = pinColumn(usual, 'price', 'start');
    expect(moveColumn(pinned, 'price', -1).pinned.start).toEqual(['price', 'symbol']);
  });

  it('stops at the end', () => {
    expect(moveColumn(usual, 'size', 1).order).toEqual(usual.order);
  });
});

it('pins to one side at a time, and frees again', () => {
  const end = pinColumn(usual, 'symbol', 'end');
  expect(end.pinned).toEqual({ start: [], end: ['symbol'] });
  expect(pinColumn(end, 'symbol', null).pinned).toEqual({ start: [], end: [] });
});

it('keeps a width within what can be read and reached', () => {
  expect(resizeColumn(usual, 'side', 3).widths).toEqual({ side: 40 });
  expect(resizeColumn(usual, 'side', 123.4).widths).toEqual({ side: 123 });
  expect(resizeColumn(usual, 'side', 9_999).widths).toEqual({ side: 800 });
});

it('hides and shows', () => {
  expect(showColumn(usual, 'price', false).hidden).toEqual(['ack', 'price']);
  expect(showColumn(usual, 'ack', true).hidden).toEqual([]);
});

it('filters by a column, and no longer', () => {
  const filtered = filterColumn(usual, 'side', { kind: 'is', texts: ['Bid'] });
  expect(filtered.filters).toEqual({ side: { kind: 'is', texts: ['Bid'] } });
  expect(filterColumn(filtered, 'side', null).filters).toEqual({});
});

it('closes a group, and opens it again', () => {
  const closed = toggleGroup(usual, '/Bid');
  expect([...closed.closed]).toEqual(['/Bid']);
  expect(toggleGroup(closed, '/Bid').closed.size).toBe(0);
});
