/** Browsers limit elements to 17 to 33 million px; a million rows are 28 million. */
const MAX_BAR_PX = 12_000_000;

/** Within this many screens of either end the lines follow the bar proportionally, so that both reach the end together. */
const EDGE_SCREENS = 40;
/** A smaller step is the wheel or a key; a larger one a drag of the scroll bar. */
const STEP_SCREENS = 3;

export interface ScrollSpace {
  readonly total: number;
  readonly inSight: number;
}

/** Position of the scroll bar and position among all lines, which differ where the bar is scaled. */
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

/** The position after the scroll bar moved: small steps move the lines by the same number of px. */
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

/** The position that shows a given top. */
export function placeAt(space: ScrollSpace, top: number): ScrollPlace {
  const end = ends(space);
  const within = Math.max(0, Math.min(end.top, top));
  return { bar: end.top === end.bar ? within : (within / end.top) * end.bar, top: within };
}
