import { expect, it } from 'vitest';
import { step, toCommand, type GridPosition } from './grid-keys.ts';

function press(keys: string, onHead = false) {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const has = (name: string): boolean => parts.includes(name);
  return toCommand(
    {
      key: key === 'Space' ? ' ' : key,
      shiftKey: has('Shift'),
      altKey: has('Alt'),
      ctrlKey: has('Ctrl'),
      metaKey: has('Meta'),
    },
    onHead,
  );
}

it.each([
  ['ArrowDown', { type: 'move', to: 'down', extends: false }],
  ['Shift+ArrowDown', { type: 'move', to: 'down', extends: true }],
  ['Home', { type: 'move', to: 'rowStart', extends: false }],
  ['Ctrl+Home', { type: 'move', to: 'first', extends: false }],
  ['Ctrl+Shift+End', { type: 'move', to: 'last', extends: true }],
  ['PageDown', { type: 'move', to: 'pageDown', extends: false }],
  ['Space', { type: 'select', extends: false }],
  ['Shift+Space', { type: 'select', extends: true }],
  ['Enter', { type: 'open' }],
  ['f', { type: 'filter' }],
  ['i', { type: 'explain' }],
  ['Escape', { type: 'drop' }],
  ['Meta+a', { type: 'all' }],
  ['Ctrl+i', { type: 'explain' }],
  ['Alt+ArrowRight', { type: 'resize', step: 1 }],
  ['Shift+F10', { type: 'menu' }],
])('%s on a cell', (keys, command) => {
  expect(press(keys)).toEqual(command);
});

it.each([
  ['Enter', { type: 'sort', adds: false }],
  ['Shift+Enter', { type: 'sort', adds: true }],
  ['Shift+ArrowLeft', { type: 'moveColumn', step: -1 }],
  ['Alt+ArrowLeft', { type: 'resize', step: -1 }],
  ['ArrowLeft', { type: 'move', to: 'left', extends: false }],
  ['Shift+ArrowDown', { type: 'move', to: 'down', extends: false }],
  ['ContextMenu', { type: 'menu' }],
])('%s on a head', (keys, command) => {
  expect(press(keys, true)).toEqual(command);
});

it.each(['Tab', 'Ctrl+k', 'Ctrl+c', 'Ctrl+f', 'Alt+f', 'g', '/', 'F10', 'Alt+ArrowUp'])('ignores %s', (keys) => {
  expect(press(keys)).toBeNull();
});

it('ignores row commands on a header', () => {
  expect(press('f', true)).toBeNull();
  expect(press('i', true)).toBeNull();
});

it('ignores single letters where they are switched off; Ctrl+I still explains', () => {
  const stroke = { key: 'i', shiftKey: false, altKey: false, ctrlKey: false, metaKey: false };
  expect(['f', 'F', 'i'].map((key) => toCommand({ ...stroke, key }, false, false))).toEqual([null, null, null]);
  expect(toCommand({ ...stroke, ctrlKey: true }, false, false)).toEqual({ type: 'explain' });
  expect(toCommand({ ...stroke, key: 'Enter' }, false, false)).toEqual({ type: 'open' });
});

const size = { lines: 10_000, columns: 17, page: 30 };
const at: GridPosition = { line: 4, place: 3 };

it.each([
  ['up', { line: 3, place: 3 }],
  ['right', { line: 4, place: 4 }],
  ['rowEnd', { line: 4, place: 16 }],
  ['first', { line: 0, place: 0 }],
  ['last', { line: 9_999, place: 16 }],
  ['pageDown', { line: 34, place: 3 }],
  ['pageUp', { line: 0, place: 3 }],
] as const)('%s leads to its place', (to, spot) => {
  expect(step(to, at, size)).toEqual(spot);
});

it('moves from the first line to the header and back, but not by page', () => {
  expect(step('up', { line: 0, place: 0 }, size)).toEqual({ line: -1, place: 0 });
  expect(step('up', { line: -1, place: 0 }, size)).toEqual({ line: -1, place: 0 });
  expect(step('down', { line: -1, place: 2 }, size)).toEqual({ line: 0, place: 2 });
});

it('keeps a range out of the header', () => {
  expect(step('up', { line: 0, place: 0 }, size, 0)).toEqual({ line: 0, place: 0 });
});

it('stays on the header of a grid without rows', () => {
  expect(step('down', { line: -1, place: 0 }, { ...size, lines: 0 })).toEqual({ line: -1, place: 0 });
});

const cells = { lines: 72, columns: 18, page: 20 };

it.each([
  ['ArrowDown', { line: 5, place: 3 }],
  ['ArrowUp', { line: 3, place: 3 }],
  ['ArrowLeft', { line: 4, place: 2 }],
  ['ArrowRight', { line: 4, place: 4 }],
  ['Home', { line: 4, place: 0 }],
  ['End', { line: 4, place: 17 }],
  ['PageDown', { line: 24, place: 3 }],
  ['PageUp', { line: 0, place: 3 }],
  ['Ctrl+Home', { line: 0, place: 0 }],
  ['Ctrl+End', { line: 71, place: 17 }],
])('%s moves among cells that have no head above them', (keys, spot) => {
  const command = press(keys);
  if (command?.type !== 'move') throw new Error(`${keys} moves nothing`);
  expect(step(command.to, at, cells, 0)).toEqual(spot);
});

it('stops at the right edge', () => {
  expect(step('right', { line: 4, place: 17 }, cells, 0)).toEqual({ line: 4, place: 17 });
});
