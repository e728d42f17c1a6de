import type { GridRows } from '#model/tables/arrange-rows.ts';
import type { GridPosition } from './grid-keys.ts';
import type { ColumnPlan } from './plan-columns.ts';

export interface CellRange {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly firstPlace: number;
  readonly lastPlace: number;
}

interface KeyedPosition extends GridPosition {
  readonly key: string | undefined;
  readonly columnId: string | undefined;
}

/** The active cell and the selection, kept by row key and column id so that they survive updates and recycled rows. */
export class Cursor<Row> {
  readonly selected = new Set<string>();
  #at: KeyedPosition = { line: 0, place: 0, key: undefined, columnId: undefined };
  #anchor: KeyedPosition | null = null;
  #rowAnchor: string | null = null;
  /** Called after other rows or cells are selected. */
  onSelected: (() => void) | null = null;
  #reported = '0';

  get spot(): GridPosition {
    return this.#at;
  }

  get key(): string | undefined {
    return this.#at.key;
  }

  /** The row that was last toggled, from which Shift+Space selects. */
  get rowAnchor(): string | null {
    return this.#rowAnchor;
  }

  /** The cells between the range’s anchor and the cursor; null for a single cell. */
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

  moveTo(spot: GridPosition, extend: boolean, rows: GridRows<Row>, plan: ColumnPlan<Row>): void {
    this.#anchor = extend ? (this.#anchor ?? this.#at) : null;
    this.#at = toKeyed(spot, rows, plan);
    this.#report();
  }

  selectAll(rows: GridRows<Row>, plan: ColumnPlan<Row>): void {
    this.#anchor = toKeyed({ line: 0, place: 0 }, rows, plan);
    this.#at = toKeyed({ line: rows.count - 1, place: plan.columns.length - 1 }, rows, plan);
    this.#report();
  }

  /**
   * Finds the same row and column again, or the row now in its place if the row is gone. After a re-sort the range is
   * dropped and, unless the grid has the focus, the cursor returns to the top.
   */
  relocate(rows: GridRows<Row>, plan: ColumnPlan<Row>, sameArrangement = true, isHere = true): void {
    if (!sameArrangement) this.#anchor = null;
    if (!sameArrangement && !isHere) this.#at = { ...this.#at, line: 0, key: undefined };
    this.#at = findAgain(this.#at, rows, plan).held;
    if (this.#anchor !== null) {
      const { held, found } = findAgain(this.#anchor, rows, plan);
      this.#anchor = found ? held : null;
    }
    this.#report();
  }

  drop(): void {
    this.#anchor = null;
    this.#rowAnchor = null;
    this.selected.clear();
    this.#report();
  }

  toggle(key: string): void {
    this.#rowAnchor = key;
    if (!this.selected.delete(key)) this.selected.add(key);
    this.#report();
  }

  /** Adds rows to the selection. */
  add(keys: readonly string[]): void {
    for (const key of keys) this.selected.add(key);
    this.#report();
  }

  /**
   * Calls back if the selection changed. Between two reports rows are only added or only removed, so their number
   * suffices.
   */
  #report(): void {
    const { range } = this;
    const mark = range === null ? String(this.selected.size) : `${range.firstLine}-${range.lastLine}`;
    if (mark === this.#reported) return;
    this.#reported = mark;
    this.onSelected?.();
  }
}

/**
 * Returns the keys of the rows with selected cells, else of the selected rows, without groups and rows not in memory.
 */
export function keysOfSelection<Row>(
  { range, selected }: Pick<Cursor<Row>, 'range' | 'selected'>,
  rows: GridRows<Row>,
): ReadonlySet<string> {
  if (range === null) return new Set(selected);
  const lines = Array.from({ length: range.lastLine - range.firstLine + 1 }, (_, index) => range.firstLine + index);
  return new Set(lines.flatMap((line) => (rows.rowAt(line) === undefined ? [] : (rows.keyAt(line) ?? []))));
}

function toKeyed<Row>({ line, place }: GridPosition, rows: GridRows<Row>, { columns }: ColumnPlan<Row>): KeyedPosition {
  return { line, place, key: line < 0 ? undefined : rows.keyAt(line), columnId: columns[place]?.column.id };
}

function findAgain<Row>(
  held: KeyedPosition,
  rows: GridRows<Row>,
  plan: ColumnPlan<Row>,
): { readonly held: KeyedPosition; readonly found: boolean } {
  const { columns } = plan;
  const at = columns.findIndex(({ column }) => column.id === held.columnId);
  const place = at < 0 ? Math.max(0, Math.min(held.place, columns.length - 1)) : at;
  if (held.line < 0) return { held: toKeyed({ line: -1, place }, rows, plan), found: true };
  const same =
    held.key === undefined
      ? held.line
      : rows.keyAt(held.line) === held.key
        ? held.line
        : rows.lineOf(held.key, held.line);
  const isDropped = same < 0 && held.line < rows.count && rows.keyAt(held.line) === undefined;
  // The row is merely not in memory: its key finds it once it is loaded again.
  if (isDropped) return { held: { ...held, place, columnId: columns[place]?.column.id }, found: true };
  return {
    held: toKeyed({ line: Math.min(same < 0 ? held.line : same, rows.count - 1), place }, rows, plan),
    found: same >= 0,
  };
}
