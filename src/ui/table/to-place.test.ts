import { expect, it } from 'vitest';
import { toPlace } from './to-place.ts';

const size = { rows: 72, columns: 18, page: 20 };

it.each([
  ['ArrowDown', { row: 5, column: 3 }],
  ['ArrowUp', { row: 3, column: 3 }],
  ['ArrowLeft', { row: 4, column: 2 }],
  ['ArrowRight', { row: 4, column: 4 }],
  ['Home', { row: 4, column: 0 }],
  ['End', { row: 4, column: 17 }],
  ['PageDown', { row: 24, column: 3 }],
  ['Ctrl+Home', { row: 0, column: 0 }],
  ['Ctrl+End', { row: 71, column: 17 }],
])('%s moves as in any grid', (key, place) => {
  expect(toPlace(key, { row: 4, column: 3 }, size)).toEqual(place);
});

it('stops at the edges', () => {
  expect(toPlace('PageUp', { row: 4, column: 3 }, size)).toEqual({ row: 0, column: 3 });
  expect(toPlace('ArrowRight', { row: 4, column: 17 }, size)).toEqual({ row: 4, column: 17 });
});

it('leaves other keys to others', () => {
  expect(toPlace('Tab', { row: 4, column: 3 }, size)).toBeNull();
});
