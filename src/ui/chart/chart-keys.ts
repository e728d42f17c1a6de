import type { Cursor } from './cursor.ts';
import type { Drawing } from './drawing.ts';
import { moveCursor, pageOf, reveal, wholeOf, zoom } from './view-window.ts';

export interface ChartState {
  readonly drawing: Drawing;
  readonly cursor: Cursor;
  readonly count: number;
}

export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** What a key does to a chart that has the keyboard; false where it is none of its keys. */
export function pressOnChart({ key, ctrlKey, metaKey, altKey }: Press, state: ChartState): boolean {
  if (altKey) return false;
  const modified = ctrlKey || metaKey;
  if (key === 'Escape') return clear(state);
  if (modified && (key === 'ArrowUp' || key === 'ArrowDown')) return zoomBy(state, key === 'ArrowUp' ? 'in' : 'out');
  const bars = toBars(key, modified, state);
  return bars !== null && walk(state, bars);
}

/** How far a key moves the cursor; null where it does not. */
function toBars(key: string, modified: boolean, { drawing, count }: ChartState): number | null {
  const view = drawing.view();
  const step = modified && view !== null ? pageOf(view) : 1;
  return new Map([
    ['ArrowLeft', -step],
    ['ArrowRight', step],
    ['Home', -count],
    ['End', count],
  ]).get(key) ?? null;
}

export function resetView({ drawing, cursor, count }: ChartState): void {
  drawing.setView(wholeOf(count));
  drawing.fitValues();
  cursor.set(null);
  drawing.point(null);
}

function walk({ drawing, cursor, count }: ChartState, by: number): boolean {
  const bar = moveCursor(cursor.read(), by, count);
  cursor.set(bar);
  const view = drawing.view();
  if (bar !== null && view !== null) {
    const next = reveal(view, bar);
    if (next !== view) drawing.setView(next);
  }
  drawing.point(bar);
  return true;
}

function zoomBy({ drawing, cursor, count }: ChartState, direction: 'in' | 'out'): boolean {
  const view = drawing.view();
  if (view !== null) drawing.setView(zoom(view, direction, cursor.read() ?? count - 1, count));
  return true;
}

function clear({ drawing, cursor }: ChartState): boolean {
  if (cursor.read() === null) return false;
  cursor.set(null);
  drawing.point(null);
  return true;
}
