/** Browsers end an element at 17 to 33 million px; a million rows are 28 million. */
const TALLEST_PX = 12_000_000;

/** Screens from either end within which a scaled scroll bar is followed exactly, so that both ends meet. */
const EDGE_SCREENS = 40;
/** Less than this many screens at once is the wheel or a key; more is the scroll bar dragged. */
const STEP_SCREENS = 3;

export interface ScrollSpace {
  readonly total: number;
  readonly inSight: number;
}

/** Where the reader is: the scroll bar's place, and the place among all lines, which differ where the bar is scaled. */
export interface ScrollPlace {
  readonly bar: number;
  readonly top: number;
}

export function barLength({ total }: ScrollSpace): number {
  return Math.min(total, TALLEST_PX);
}

function ends(space: ScrollSpace): ScrollPlace {
  return { bar: Math.max(0, barLength(space) - space.inSight), top: Math.max(0, space.total - space.inSight) };
}

/** The place for a scroll bar moved from where it was: small steps move the lines as many px. */
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

/** The place that shows a top, with the scroll bar where it belongs. */
export function placeAt(space: ScrollSpace, top: number): ScrollPlace {
  const end = ends(space);
  const within = Math.max(0, Math.min(end.top, top));
  return { bar: end.top === end.bar ? within : (within / end.top) * end.bar, top: within };
}
