/** A period of time, in epoch milliseconds. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Shortest window, so that a mark in it can still be reached. */
const LEAST = MINUTE;

/**
 * Divides the whole into pages of one length, counted back from its end, and returns the page that contains an instant,
 * cut to the whole.
 */
export function toWindow(whole: TimeWindow, at: number, length: number): TimeWindow {
  const page = Math.max(0, Math.floor((whole.to - at) / length));
  const end = page === 0 ? whole.to : whole.to - page * length;
  const to = Math.max(end, whole.from + Math.min(length, LEAST));
  return { from: Math.min(Math.max(whole.from, to - length), to - LEAST), to };
}

const STEPS = [1, 2, 5, 10, 15, 30]
  .map((count) => count * SECOND)
  .concat([1, 2, 5, 10, 15, 30].map((count) => count * MINUTE))
  .concat([1, 2, 3, 6, 12].map((count) => count * HOUR));

/** Returns the shortest usual step that divides a window into at most this many. */
export function toStep({ from, to }: TimeWindow, most: number): number {
  const least = (to - from) / most;
  return STEPS.find((step) => step >= least) ?? Math.ceil(least / DAY) * DAY;
}

/** Returns the position of an instant in a window, from 0 to 1. */
export function toShare(at: number, { from, to }: TimeWindow): number {
  return Math.min(1, Math.max(0, (at - from) / (to - from)));
}

/** Returns the instant at a position of a window, rounded to the second and within the window. */
export function toInstantAt(share: number, { from, to }: TimeWindow): number {
  const at = Math.round((from + Math.min(1, Math.max(0, share)) * (to - from)) / SECOND) * SECOND;
  return Math.min(to, Math.max(from, at));
}
