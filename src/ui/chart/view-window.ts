import type { ChartTime } from './picture.ts';

/** The part of a picture that is seen, in bars from its first; ends may lie between bars and beyond them. */
export interface ViewWindow {
  readonly from: number;
  readonly to: number;
}

/** Closer than this there is nothing more to see. */
const FEWEST_BARS = 5;
const ZOOM_STEP = 1.25;

/** The whole picture: what stands at its first time may begin a bar before, and the last bar is half a bar further. */
export function wholeOf(count: number): ViewWindow {
  return { from: -1, to: Math.max(count, 1) - 0.5 };
}

/** Where the cursor goes from a bar, or from none, which is beside the last. */
export function moveCursor(cursor: number | null, by: number, count: number): number | null {
  if (count === 0) return null;
  return clamp((cursor ?? (by < 0 ? count : count - 2)) + by, 0, count - 1);
}

/** The place of a bar's time once the times are others; null where it is none of them. */
export function findAgain(bar: number, before: readonly ChartTime[], now: readonly ChartTime[]): number | null {
  const time = before[bar];
  const place = time === undefined ? -1 : now.indexOf(time);
  return place < 0 ? null : place;
}

/** Bars that one page holds: never none. */
export function pageOf({ from, to }: ViewWindow): number {
  return Math.max(1, Math.floor(to - from) - 1);
}

/** The same width, moved as little as it takes for a bar to be seen whole, with the interval that it may be drawn over. */
export function reveal(view: ViewWindow, bar: number): ViewWindow {
  const shift = bar - 1 < view.from ? bar - 1 - view.from : bar + 0.5 > view.to ? bar + 0.5 - view.to : 0;
  return shift === 0 ? view : { from: view.from + shift, to: view.to + shift };
}

/** By so many steps closer to a bar, or further from it, which stays where it is on the screen; from the middle where the bar is out of sight. */
export function zoom(view: ViewWindow, steps: number, bar: number, count: number): ViewWindow {
  const whole = wholeOf(count);
  const width = view.to - view.from;
  const next = clamp(width / ZOOM_STEP ** steps, Math.min(FEWEST_BARS, width), Math.max(whole.to - whole.from, width));
  const isSeen = bar >= view.from && bar <= view.to;
  const share = isSeen ? (bar - view.from) / width : 0.5;
  return inside(view.from + share * (width - next), next, count);
}

/** To the side by so many bars. */
export function pan({ from, to }: ViewWindow, bars: number, count: number): ViewWindow {
  return inside(from + bars, to - from, count);
}

/** There is nothing to see beside the picture. */
function inside(wanted: number, width: number, count: number): ViewWindow {
  const whole = wholeOf(count);
  const from = clamp(wanted, whole.from, Math.max(whole.from, whole.to - width));
  return { from, to: from + width };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
