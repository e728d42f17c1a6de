import type { GridRows } from './grid-rows.ts';

/** A line that is to keep its place on the screen. */
interface Anchor {
  readonly key: string | undefined;
  readonly line: number;
}

interface Sight {
  /** The first line that is whole in sight, and how many are. */
  readonly first: number;
  readonly count: number;
  readonly atTop: boolean;
  /** Where the keyboard is, if it is among the rows. */
  readonly focus: Anchor | null;
}

/** How many lines the rows in sight have moved by: the keyboard's line, else the first that is still there; the top of a list stays its top. */
export function findShift<Row>(before: GridRows<Row>, now: GridRows<Row>, { first, count, atTop, focus }: Sight): number {
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
