import type { GridRows } from '#model/tables/arrange-rows.ts';

/** A line that keeps its place on the screen. */
interface Anchor {
  readonly key: string | undefined;
  readonly line: number;
}

interface Viewport {
  /** The first fully visible line, and how many there are. */
  readonly first: number;
  readonly count: number;
  readonly atTop: boolean;
  /** The active row, if the focus is on one. */
  readonly focus: Anchor | null;
}

/**
 * Returns by how many lines the visible rows moved, measured at the active row, else at the first row still present. A
 * list at its top stays at its top.
 */
export function findShift<Row>(
  before: GridRows<Row>,
  now: GridRows<Row>,
  { first, count, atTop, focus }: Viewport,
): number {
  if (focus !== null && focus.line >= first && focus.line < first + count) return shiftOf(focus, now) ?? 0;
  if (atTop) return 0;
  for (let line = first; line < Math.min(first + count, before.count); line++) {
    const shift = shiftOf({ key: before.keyAt(line), line }, now);
    if (shift !== null) return shift;
  }
  return 0;
}

function shiftOf<Row>({ key, line }: Anchor, rows: GridRows<Row>): number | null {
  if (key === undefined) return null;
  const found = rows.lineOf(key, Math.max(0, Math.min(line, rows.count - 1)));
  return found < 0 ? null : found - line;
}

/** Browsers limit elements to 17 to 33 million px; a million rows are 28 million. */
const MAX_BAR_PX = 12_000_000;

/**
 * Within this many screens of either end the lines follow the bar proportionally, so that both reach the end together.
 */
const EDGE_SCREENS = 40;
/** Smaller steps come from the wheel or a key, larger ones from dragging the scroll bar. */
const STEP_SCREENS = 3;

export interface ScrollSpace {
  readonly total: number;
  readonly inSight: number;
}

/** Position of the scroll bar and position among all lines, which differ if the bar is scaled. */
export interface ScrollPlace {
  readonly bar: number;
  readonly top: number;
}

export function barLength({ total }: ScrollSpace): number {
  return Math.min(total, MAX_BAR_PX);
}

function ends(space: ScrollSpace): ScrollPlace {
  return { bar: Math.max(0, barLength(space) - space.inSight), top: Math.max(0, space.total - space.inSight) };
}

/** Returns the position after the scroll bar moved: small steps move the lines by the same number of px. */
export function followBar(space: ScrollSpace, from: ScrollPlace, bar: number): ScrollPlace {
  const end = ends(space);
  if (end.top === end.bar) return { bar, top: bar };
  const step = bar - from.bar;
  if (Math.abs(step) > STEP_SCREENS * space.inSight) return { bar, top: (bar / end.bar) * end.top };
  const top = from.top + step * stepRatio(space, from, step);
  return { bar, top: Math.max(0, Math.min(end.top, top)) };
}

function stepRatio(space: ScrollSpace, from: ScrollPlace, step: number): number {
  const end = ends(space);
  const left = step < 0 ? from : { bar: end.bar - from.bar, top: end.top - from.top };
  return left.bar > 0 && left.bar < EDGE_SCREENS * space.inSight ? left.top / left.bar : 1;
}

/** Returns the position that shows a given top. */
export function placeAt(space: ScrollSpace, top: number): ScrollPlace {
  const end = ends(space);
  const within = Math.max(0, Math.min(end.top, top));
  return { bar: end.top === end.bar ? within : (within / end.top) * end.bar, top: within };
}
