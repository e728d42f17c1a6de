import type { Crosshair } from './crosshair.ts';
import type { ChartHandle } from './chart-handle.ts';
import { moveCrosshair, pageOf, pan, reveal, wholeOf, zoom } from './view-window.ts';

export interface ChartState {
  readonly chart: ChartHandle;
  readonly crosshair: Crosshair;
  readonly count: number;
}

export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** Handles a key on a focused chart; returns whether it is one of the chart’s keys. */
export function pressOnChart({ key, ctrlKey, metaKey, altKey }: Press, state: ChartState): boolean {
  if (altKey) return false;
  const modified = ctrlKey || metaKey;
  if (key === 'Escape') return clear(state);
  if (modified && (key === 'ArrowUp' || key === 'ArrowDown')) return zoomBy(state, key === 'ArrowUp' ? 1 : -1);
  const bars = toBars(key, modified, state);
  return bars !== null && walk(state, bars);
}

interface WheelTurn extends Pick<Press, 'ctrlKey' | 'metaKey'> {
  readonly deltaX: number;
  readonly deltaY: number;
  /** Unit of the deltas: 0 is pixels, others are lines or pages. */
  readonly deltaMode: number;
}

/** Pixels per notch of the wheel. */
const NOTCH = 100;

interface WheelTarget {
  readonly width: number;
  /** The plain wheel zooms: the page does not need it for scrolling. */
  readonly zooms: boolean;
}

/** Handles the wheel over a chart; returns false where the page should scroll instead. */
export function wheelOnChart(
  { ctrlKey, metaKey, deltaX, deltaY, deltaMode }: WheelTurn,
  state: ChartState,
  { width, zooms }: WheelTarget,
): boolean {
  const unit = deltaMode === 0 ? NOTCH : 1;
  const isUpright = Math.abs(deltaX) <= Math.abs(deltaY);
  if (ctrlKey || metaKey || (zooms && isUpright)) return zoomBy(state, Math.min(1, Math.max(-1, -deltaY / unit)));
  const view = state.chart.view();
  if (view === null || isUpright) return false;
  state.chart.setView(pan(view, (((deltaX / unit) * NOTCH) / width) * (view.to - view.from), state.count));
  return true;
}

/** By how many bars a key moves the crosshair; null where it does not. */
function toBars(key: string, modified: boolean, { chart, count }: ChartState): number | null {
  const view = chart.view();
  const step = modified && view !== null ? pageOf(view) : 1;
  return (
    new Map([
      ['ArrowLeft', -step],
      ['ArrowRight', step],
      ['Home', -count],
      ['End', count],
    ]).get(key) ?? null
  );
}

export function resetView({ chart, crosshair, count }: ChartState): void {
  chart.setView(wholeOf(count));
  chart.fitValues();
  crosshair.set(null);
  chart.point(null);
}

function walk({ chart, crosshair, count }: ChartState, by: number): boolean {
  const bar = moveCrosshair(crosshair.read(), by, count);
  crosshair.set(bar);
  const view = chart.view();
  if (bar !== null && view !== null) {
    const next = reveal(view, bar);
    if (next !== view) chart.setView(next);
  }
  chart.point(bar);
  return true;
}

function zoomBy({ chart, crosshair, count }: ChartState, steps: number): boolean {
  const view = chart.view();
  if (view !== null) chart.setView(zoom(view, steps, crosshair.read() ?? count - 1, count));
  return true;
}

function clear({ chart, crosshair }: ChartState): boolean {
  if (crosshair.read() === null) return false;
  crosshair.set(null);
  chart.point(null);
  return true;
}
