import type { ChartTime } from '#model/charts/picture.ts';
import type { ViewWindow } from './view-window.ts';

/**
 * The sessions of the first and the last bar in view, and how many bars the view begins before the one and ends after the
 * other, where that is not half a bar each. Empty: the whole range. In an address, so that a link shows exactly the same part.
 */
export type Zoom = readonly string[];

export const WHOLE: Zoom = [];
const EDGES = ['0.5', '0.5'];

/** The part of a chart that a zoom names; null for the whole range, and where no bar of it is there. */
export function toView([first, last, ...edges]: Zoom, times: readonly ChartTime[]): ViewWindow | null {
  if (first === undefined || last === undefined) return null;
  const from = times.findIndex((time) => String(time) >= first);
  const to = times.findLastIndex((time) => String(time) <= last);
  const [before, after] = readEdges(edges);
  return from < 0 || to < from || to + after <= from - before ? null : { from: from - before, to: to + after };
}

export function toZoom(view: ViewWindow, times: readonly ChartTime[]): Zoom {
  const [from, to] = [Math.max(0, Math.ceil(view.from)), Math.min(times.length - 1, Math.floor(view.to))];
  const [first, last] = [times[from], times[to]];
  const isWhole = from === 0 && to === times.length - 1;
  if (isWhole || first === undefined || last === undefined) return WHOLE;
  const edges = [from - view.from, view.to - to].map((bars) => String(Number(bars.toFixed(2))));
  return [String(first), String(last), ...(edges.join() === EDGES.join() ? [] : edges)];
}

function readEdges(edges: readonly string[]): readonly [number, number] {
  const [before = Number.NaN, after = Number.NaN] = (edges.length === 0 ? EDGES : edges).map(Number);
  return Number.isFinite(before) && Number.isFinite(after) ? [before, after] : [0.5, 0.5];
}
