import type { ChartTime } from './picture.ts';
import type { ViewWindow } from './view-window.ts';

/** The sessions of the first and the last bar in view; empty: the whole range. In an address, so that a link shows the same part. */
export type Zoom = readonly string[];

export const WHOLE: Zoom = [];

/** The part of a chart that a zoom names; null for the whole range, and where no bar of it is there. */
export function toView([first, last]: Zoom, times: readonly ChartTime[]): ViewWindow | null {
  if (first === undefined || last === undefined) return null;
  const from = times.findIndex((time) => String(time) >= first);
  const to = times.findLastIndex((time) => String(time) <= last);
  return from < 0 || to < from ? null : { from: from - 0.5, to: to + 0.5 };
}

export function toZoom(view: ViewWindow, times: readonly ChartTime[]): Zoom {
  const [from, to] = [Math.max(0, Math.ceil(view.from)), Math.min(times.length - 1, Math.floor(view.to))];
  const [first, last] = [times[from], times[to]];
  const isWhole = from === 0 && to === times.length - 1;
  return isWhole || first === undefined || last === undefined ? WHOLE : [String(first), String(last)];
}
