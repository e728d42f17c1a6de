import type { ChartTime } from '#model/charts/chart-data.ts';

/** The visible range in bars; ends may lie between and beyond bars. */
export interface ViewWindow {
  readonly from: number;
  readonly to: number;
}

/** Closest zoom. */
const MIN_BARS = 5;
const ZOOM_STEP = 1.25;

/** Returns the whole range: steps at the first time begin one bar earlier, and the last bar extends half a bar. */
export function wholeOf(count: number): ViewWindow {
  return { from: -1, to: Math.max(count, 1) - 0.5 };
}

/**
 * Returns the bar at a logical position: the first bar also left of it, where its step begins; null right of the last.
 */
export function barAt(logical: number, count: number): number | null {
  return logical < count ? Math.max(0, logical) : null;
}

/** Returns the crosshair’s next bar. Without a crosshair, one step in either direction leads to the last bar. */
export function moveCrosshair(crosshair: number | null, by: number, count: number): number | null {
  if (count === 0) return null;
  return clamp((crosshair ?? (by < 0 ? count : count - 2)) + by, 0, count - 1);
}

/** Returns the index of a bar’s time among new times, or null if it is not among them. */
export function findAgain(bar: number, before: readonly ChartTime[], now: readonly ChartTime[]): number | null {
  const time = before[bar];
  const place = time === undefined ? -1 : now.indexOf(time);
  return place < 0 ? null : place;
}

/** Returns the number of bars in one page, at least one. */
export function pageOf({ from, to }: ViewWindow): number {
  return Math.max(1, Math.floor(to - from) - 1);
}

/** Moves the view as little as needed to show a bar, with the interval before it. */
export function reveal(view: ViewWindow, bar: number): ViewWindow {
  const shift = bar - 1 < view.from ? bar - 1 - view.from : bar + 0.5 > view.to ? bar + 0.5 - view.to : 0;
  return shift === 0 ? view : { from: view.from + shift, to: view.to + shift };
}

/** Zooms by steps around a bar, which keeps its place on the screen, or around the middle if the bar is not visible. */
export function zoom(view: ViewWindow, steps: number, bar: number, count: number): ViewWindow {
  const whole = wholeOf(count);
  const width = view.to - view.from;
  const next = clamp(width / ZOOM_STEP ** steps, Math.min(MIN_BARS, width), Math.max(whole.to - whole.from, width));
  const isVisible = bar >= view.from && bar <= view.to;
  const share = isVisible ? (bar - view.from) / width : 0.5;
  return inside(view.from + share * (width - next), next, count);
}

/** Moves the view by a number of bars. */
export function pan({ from, to }: ViewWindow, bars: number, count: number): ViewWindow {
  return inside(from + bars, to - from, count);
}

/** Keeps the view within the range. */
function inside(wanted: number, width: number, count: number): ViewWindow {
  const whole = wholeOf(count);
  const from = clamp(wanted, whole.from, Math.max(whole.from, whole.to - width));
  return { from, to: from + width };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
