import type { Ink } from '#model/charts/chart-data.ts';
import type { AxisLabel, Canvas, Attached } from './layers.ts';
import { moveCrosshair, pageOf, pan, reveal, type ViewWindow, wholeOf, zoom } from './view-window.ts';
import { createListeners } from '../listeners.ts';
import { type RefObject, useEffect, useLayoutEffect } from 'react';

/** Imperative handle of a rendered chart. */
export interface ChartHandle {
  readonly view: () => ViewWindow | null;
  readonly setView: (view: ViewWindow) => void;
  /** Whether the user has set the view, by pointer or keys. */
  readonly isSet: () => boolean;
  /** Listens to changes of the view. */
  readonly onMove: (listener: () => void) => () => void;
  /** Fits the price axes to the visible values. */
  readonly fitValues: () => void;
  /** Moves the crosshair to a bar, or hides it; its level is the bar’s own unless another is given. */
  readonly point: (bar: number | null, level?: number) => void;
  /** Returns what is at a place of the first pane, in pixels from its top left; null elsewhere. */
  readonly placeAt: (x: number, y: number) => Place | null;
  /** Adds a drawing over the first pane, with labels at its axis. */
  readonly addLayer: <Content>(
    draw: (canvas: Canvas, attached: Attached, content: Content) => void,
    toLabels: (content: Content) => readonly AxisLabel[],
  ) => ChartLayer<Content>;
  /** Returns the value at the crosshair in the first pane; null elsewhere. */
  readonly level: () => number | null;
  /** Returns the current colour of an ink, or of the chart’s background. */
  readonly colorOf: (ink: Ink | 'background') => string;
  readonly toCanvas: () => HTMLCanvasElement;
}

/** A place in the first pane of a chart. */
export interface Place {
  readonly bar: number;
  readonly level: number;
}

/** A drawing that the user of a chart has added to it. */
export interface ChartLayer<Content> {
  readonly show: (content: Content) => void;
  readonly remove: () => void;
}

/** The bar under the crosshair. Kept outside React state because it changes with every pointer move. */
export interface Crosshair {
  readonly read: () => number | null;
  readonly set: (bar: number | null) => void;
  /** Sets the bar under the pointer, which may be another as soon as the data or the view change. */
  readonly follow: (bar: number | null) => void;
  /** Whether the crosshair follows the pointer; otherwise it keeps its bar. */
  readonly isFollowing: () => boolean;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createCrosshair(): Crosshair {
  const { notify, subscribe } = createListeners();
  let bar: number | null = null;
  let isFollowing = false;
  const change = (next: number | null): void => {
    if (next === bar) return;
    bar = next;
    notify();
  };
  return {
    read: () => bar,
    set: (next) => {
      isFollowing = false;
      change(next);
    },
    follow: (next) => {
      isFollowing = true;
      change(next);
    },
    isFollowing: () => isFollowing,
    subscribe,
  };
}

interface ChartState {
  readonly chart: ChartHandle;
  readonly crosshair: Crosshair;
  readonly count: number;
}

/** A key that is pressed. */
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
  /** Whether the plain wheel zooms, because the page does not need it for scrolling. */
  readonly zooms: boolean;
}

/**
 * Handles the wheel over a chart; returns false if the page should scroll instead.
 *
 * @internal Exported for its test.
 */
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

/** Returns by how many bars a key moves the crosshair, or null if it does not. */
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

/** Binds Alt shortcuts anywhere on the page, by key code, because with Alt many keys type another character. */
export function useAltKeys(keys: Readonly<Record<string, () => void>>): void {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const run = keys[event.code];
      if (run === undefined || !event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', listen);
    return () => {
      window.removeEventListener('keydown', listen);
    };
  }, [keys]);
}

/** Whether an element around the chart scrolls: the wheel then scrolls it, unless the chart has the focus. */
function isInScroller(element: Element): boolean {
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    if (around.scrollHeight > around.clientHeight && ['auto', 'scroll'].includes(getComputedStyle(around).overflowY))
      return true;
  }
  return document.documentElement.scrollHeight > document.documentElement.clientHeight;
}

/** Handles the wheel without React’s onWheel, which is passive and cannot prevent scrolling and browser zoom. */
export function useWheel(
  stage: RefObject<HTMLElement | null>,
  { chart, crosshair, count }: Omit<ChartState, 'chart'> & { readonly chart: ChartState['chart'] | null },
): void {
  useEffect(() => {
    const element = stage.current;
    if (element === null || chart === null) return undefined;
    const onWheel = (event: WheelEvent): void => {
      const zooms = element === document.activeElement || !isInScroller(element);
      if (wheelOnChart(event, { chart, crosshair, count }, { width: element.clientWidth, zooms }))
        event.preventDefault();
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      element.removeEventListener('wheel', onWheel);
    };
  }, [stage, chart, crosshair, count]);
}
