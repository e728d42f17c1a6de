import type { GridRows } from '#model/tables/grid-rows.ts';

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

/** By how many lines the visible rows moved: measured at the active row, else at the first row still present; a list at its top stays at its top. */
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
