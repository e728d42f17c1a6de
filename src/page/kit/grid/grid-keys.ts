/** A command to the grid. */
export type GridCommand =
  | { readonly type: 'move'; readonly to: Direction; readonly extends: boolean }
  | { readonly type: 'select'; readonly extends: boolean }
  | { readonly type: 'sort'; readonly adds: boolean }
  | { readonly type: 'resize' | 'moveColumn'; readonly step: -1 | 1 }
  | { readonly type: 'open' | 'filter' | 'explain' | 'all' | 'menu' | 'drop' };

export type Direction =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'rowStart'
  | 'rowEnd'
  | 'first'
  | 'last'
  | 'pageUp'
  | 'pageDown';

export interface GridStroke {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};
const PAGES: Readonly<Record<string, Direction>> = {
  Home: 'rowStart',
  End: 'rowEnd',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
};
const ENDS: Readonly<Record<string, Direction>> = { Home: 'first', End: 'last' };
const SIDES: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * Returns the command of a key on a cell or header; null for other keys, and for single letters that are switched off.
 */
export function toCommand(stroke: GridStroke, onHead: boolean, letters = true): GridCommand | null {
  const { key, shiftKey, altKey } = stroke;
  const modified = stroke.ctrlKey || stroke.metaKey;
  if (altKey) return modified || shiftKey ? null : toResize(key);
  if (modified) return toModified(key, shiftKey);
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return { type: 'menu' };
  return onHead ? toHeadCommand(key, shiftKey) : ((letters ? LETTERS[key] : undefined) ?? toCellCommand(key, shiftKey));
}

function toResize(key: string): GridCommand | null {
  const step = SIDES[key];
  return step === undefined ? null : { type: 'resize', step };
}

function toModified(key: string, extendsRange: boolean): GridCommand | null {
  const to = ENDS[key];
  if (to !== undefined) return { type: 'move', to, extends: extendsRange };
  return extendsRange ? null : (MODIFIED[key.toLowerCase()] ?? null);
}

const MODIFIED: Readonly<Record<string, GridCommand>> = { a: { type: 'all' }, i: { type: 'explain' } };

function toHeadCommand(key: string, shift: boolean): GridCommand | null {
  const step = SIDES[key];
  if (shift && step !== undefined) return { type: 'moveColumn', step };
  if (key === 'Enter' || key === ' ') return { type: 'sort', adds: shift };
  return toMove(key, false);
}

function toMove(key: string, extendsRange: boolean): GridCommand | null {
  const to = ARROWS[key] ?? PAGES[key];
  return to === undefined ? null : { type: 'move', to, extends: extendsRange };
}

const LETTERS: Readonly<Record<string, GridCommand>> = {
  f: { type: 'filter' },
  F: { type: 'filter' },
  i: { type: 'explain' },
};
const CELL_KEYS: Readonly<Record<string, GridCommand>> = { Enter: { type: 'open' }, Escape: { type: 'drop' } };

function toCellCommand(key: string, shift: boolean): GridCommand | null {
  if (key === ' ') return { type: 'select', extends: shift };
  return CELL_KEYS[key] ?? toMove(key, shift);
}

export interface GridSize {
  readonly lines: number;
  readonly columns: number;
  readonly page: number;
}

/** A cell by line and column index; line -1 is the header. */
export interface GridPosition {
  readonly line: number;
  readonly place: number;
}

const STEPS: Readonly<Record<Direction, (at: GridPosition, size: GridSize) => GridPosition>> = {
  up: ({ line, place }) => ({ line: line - 1, place }),
  down: ({ line, place }) => ({ line: line + 1, place }),
  left: ({ line, place }) => ({ line, place: place - 1 }),
  right: ({ line, place }) => ({ line, place: place + 1 }),
  rowStart: ({ line }) => ({ line, place: 0 }),
  rowEnd: ({ line }, { columns }) => ({ line, place: columns - 1 }),
  first: () => ({ line: 0, place: 0 }),
  last: (_, { lines, columns }) => ({ line: lines - 1, place: columns - 1 }),
  pageUp: ({ line, place }, { page }) => ({ line: Math.max(Math.min(line, 0), line - page), place }),
  pageDown: ({ line, place }, { page }) => ({ line: line + page, place }),
};

/** Returns the position one step in a direction, clamped to the grid; `lowest` keeps ranges out of the header. */
export function step(to: Direction, at: GridPosition, size: GridSize, lowest = -1): GridPosition {
  const { line, place } = STEPS[to](at, size);
  return {
    line: Math.max(Math.min(lowest, size.lines - 1), Math.min(size.lines - 1, line)),
    place: Math.max(0, Math.min(size.columns - 1, place)),
  };
}
