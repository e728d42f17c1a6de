import { expect, it } from 'vitest';
import { filterColumn, toggleGroup } from './grid-props.ts';
import { defaultGridState } from '#model/tables/grid.ts';

const columns = [
  { id: 'symbol', kind: 'text', width: 90, pinned: 'start' },
  { id: 'side', kind: 'text', width: 50 },
  { id: 'ack', kind: 'text', width: 90, hidden: true },
] as const;
const defaults = defaultGridState(columns);

it('starts with the defaults of the columns', () => {
  expect(defaults).toMatchObject({
    order: ['symbol', 'side', 'ack'],
    hidden: ['ack'],
    pinned: { start: ['symbol'], end: [] },
    sorts: [],
  });
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
