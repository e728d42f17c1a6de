import type { DrawingKind } from './drawing.ts';

/** In pixels from the top left of the pane. */
export type Point = readonly [x: number, y: number];

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A drawing as it lies in the pane. */
export interface Shape {
  readonly id: string;
  readonly kind: DrawingKind;
  readonly points: readonly Point[];
  readonly label: Box | null;
}

interface Hit {
  readonly id: string;
  /** Which of its points is pointed at; null for the drawing as a whole. */
  readonly place: number | null;
}

interface Pointing {
  /** How far from a line a pointer still is on it. */
  readonly reach: number;
  /** Is found before those that lie over it. */
  readonly selected: string | null;
}

/** Returns the drawing at a point: of several, the selected one, otherwise the one that is drawn last. */
export function findHit(shapes: readonly Shape[], at: Point, { reach, selected }: Pointing): Hit | null {
  const newestFirst = shapes.toReversed().toSorted((a, b) => Number(b.id === selected) - Number(a.id === selected));
  for (const shape of newestFirst) {
    const { id, kind, points, label } = shape;
    const place = kind === 'level' ? -1 : points.findIndex((point) => distance(point, at) <= reach);
    if (place !== -1) return { id, place };
    if (distanceToLine(shape, at) <= reach || (label !== null && isInside(label, at))) return { id, place: null };
  }
  return null;
}

function distance([x, y]: Point, at: Point): number {
  return Math.hypot(at[0] - x, at[1] - y);
}

function isInside({ left, top, width, height }: Box, [x, y]: Point): boolean {
  return x >= left && x <= left + width && y >= top && y <= top + height;
}

/** A trend line continues to the right end of the pane. */
function distanceToLine({ kind, points: [first, second] }: Shape, at: Point): number {
  if (first === undefined) return Infinity;
  if (kind === 'level') return Math.abs(at[1] - first[1]);
  if (second === undefined) return distance(first, at);
  const [dx, dy] = [second[0] - first[0], second[1] - first[1]];
  const share = ((at[0] - first[0]) * dx + (at[1] - first[1]) * dy) / (dx * dx + dy * dy || 1);
  const along = Math.max(0, kind === 'trend' && dx > 0 ? share : Math.min(1, share));
  return distance([first[0] + along * dx, first[1] + along * dy], at);
}
