import type { GridRows } from './grid-rows.ts';
import type { GridSpot } from './grid-keys.ts';
import type { ColumnPlan } from './plan-columns.ts';

export interface CellRange {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly firstPlace: number;
  readonly lastPlace: number;
}

interface Held extends GridSpot {
  readonly key: string | undefined;
  readonly columnId: string | undefined;
}

/** Where the keyboard is and what is selected: by keys and columns, so that both outlast updates and recycled rows. */
export class Cursor<Row> {
  readonly selected = new Set<string>();
  #at: Held = { line: 0, place: 0, key: undefined, columnId: undefined };
  #anchor: Held | null = null;

  get spot(): GridSpot {
    return this.#at;
  }

  get key(): string | undefined {
    return this.#at.key;
  }

  /** The cells between where a range began and the cursor; the cursor's own cell alone is no range. */
  get range(): CellRange | null {
    const [a, b] = [this.#anchor, this.#at];
    if (a === null || a.line < 0 || b.line < 0 || (a.line === b.line && a.place === b.place)) return null;
    return {
      firstLine: Math.min(a.line, b.line),
      lastLine: Math.max(a.line, b.line),
      firstPlace: Math.min(a.place, b.place),
      lastPlace: Math.max(a.place, b.place),
    };
  }

  moveTo(spot: GridSpot, extend: boolean, rows: GridRows<Row>, plan: ColumnPlan<Row>): void {
    this.#anchor = extend ? (this.#anchor ?? this.#at) : null;
    this.#at = hold(spot, rows, plan);
  }

  selectAll(rows: GridRows<Row>, plan: ColumnPlan<Row>): void {
    this.#anchor = hold({ line: 0, place: 0 }, rows, plan);
    this.#at = hold({ line: rows.count - 1, place: plan.columns.length - 1 }, rows, plan);
  }

  /**
   * Finds the same row and column again; where the row is gone, whatever stands in its place. After a re-sort the range is
   * dropped and, unless the grid has focus, the cursor returns to the top.
   */
  relocate(rows: GridRows<Row>, plan: ColumnPlan<Row>, sameArrangement = true, isHere = true): void {
    if (!sameArrangement) this.#anchor = null;
    if (!sameArrangement && !isHere) this.#at = { ...this.#at, line: 0, key: undefined };
    this.#at = findAgain(this.#at, rows, plan).held;
    if (this.#anchor === null) return;
    const { held, found } = findAgain(this.#anchor, rows, plan);
    this.#anchor = found ? held : null;
  }

  drop(): void {
    this.#anchor = null;
    this.selected.clear();
  }

  toggle(key: string): void {
    if (!this.selected.delete(key)) this.selected.add(key);
  }
}

function hold<Row>({ line, place }: GridSpot, rows: GridRows<Row>, { columns }: ColumnPlan<Row>): Held {
  return { line, place, key: line < 0 ? undefined : rows.keyAt(line), columnId: columns[place]?.column.id };
}

function findAgain<Row>(held: Held, rows: GridRows<Row>, plan: ColumnPlan<Row>): { readonly held: Held; readonly found: boolean } {
  const { columns } = plan;
  const at = columns.findIndex(({ column }) => column.id === held.columnId);
  const place = at < 0 ? Math.max(0, Math.min(held.place, columns.length - 1)) : at;
  if (held.line < 0) return { held: hold({ line: -1, place }, rows, plan), found: true };
  const same = held.key === undefined ? held.line : rows.keyAt(held.line) === held.key ? held.line : rows.lineOf(held.key, held.line);
  const isDropped = same < 0 && held.line < rows.count && rows.keyAt(held.line) === undefined;
  // Its row is not gone, only out of memory: it is found by its key when it comes back.
  if (isDropped) return { held: { ...held, place, columnId: columns[place]?.column.id }, found: true };
  return { held: hold({ line: Math.min(same < 0 ? held.line : same, rows.count - 1), place }, rows, plan), found: same >= 0 };
}
