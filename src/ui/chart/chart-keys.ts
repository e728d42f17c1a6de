import type { Cursor } from './cursor.ts';
import type { Drawing } from './drawing.ts';
import { moveCursor, pageOf, pan, reveal, wholeOf, zoom } from './view-window.ts';

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
  if (modified && (key === 'ArrowUp' || key === 'ArrowDown')) return zoomBy(state, key === 'ArrowUp' ? 1 : -1);
  const bars = toBars(key, modified, state);
  return bars !== null && walk(state, bars);
}

interface Turn extends Pick<Press, 'ctrlKey' | 'metaKey'> {
  readonly deltaX: number;
  readonly deltaY: number;
  /** Other than zero: not in pixels but in lines or pages. */
  readonly deltaMode: number;
}

/** Pixels of a notch of the wheel. */
const NOTCH = 100;

/** What the wheel does over a chart so wide; false where the turn is the page's, to scroll. */
export function turnOnChart({ ctrlKey, metaKey, deltaX, deltaY, deltaMode }: Turn, state: ChartState, width: number): boolean {
  const unit = deltaMode === 0 ? NOTCH : 1;
  if (ctrlKey || metaKey) return zoomBy(state, Math.min(1, Math.max(-1, -deltaY / unit)));
  const view = state.drawing.view();
  if (view === null || Math.abs(deltaX) <= Math.abs(deltaY)) return false;
  state.drawing.setView(pan(view, (((deltaX / unit) * NOTCH) / width) * (view.to - view.from), state.count));
  return true;
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

function zoomBy({ drawing, cursor, count }: ChartState, steps: number): boolean {
  const view = drawing.view();
  if (view !== null) drawing.setView(zoom(view, steps, cursor.read() ?? count - 1, count));
  return true;
}

function clear({ drawing, cursor }: ChartState): boolean {
  if (cursor.read() === null) return false;
  cursor.set(null);
  drawing.point(null);
  return true;
}
