import type { CellRange } from './cursor.ts';
import type { GridMarks } from './grid-props.ts';
import type { RowElement } from './row-pool.ts';
import { setAttribute } from './set-attribute.ts';

interface DecoratedColumn {
  readonly place: number;
  readonly column: { readonly id: string };
}

/** State shown on top of rows: selection, marks, and the open row. */
export interface Decoration {
  readonly selected: ReadonlySet<string>;
  readonly range: CellRange | null;
  readonly marks: GridMarks;
  readonly opened: string;
  readonly columns: readonly DecoratedColumn[];
}

/** Most rows have no decoration and had none before: they are skipped. */
export function decorateRow<Row>(
  shown: RowElement<Row>,
  decoration: Decoration,
  keyAt: (line: number) => string | undefined,
): void {
  const { selected, marks, opened } = decoration;
  const key = keyOn(shown.line, decoration, keyAt);
  const isSelected = selected.has(key);
  const isOpened = key !== '' && key === opened;
  const mark = marks.get(key);
  const range = rangeOn(shown.line, decoration.range);
  const decorated = isSelected || isOpened || mark !== undefined || range !== null;
  if (!decorated && !shown.decorated) return;
  shown.decorated = decorated;
  shown.element.ariaSelected = String(isSelected);
  // Not aria-selected: the open row is not part of what is copied.
  setAttribute(shown.element, 'aria-current', isOpened ? 'true' : undefined);
  setAttribute(shown.element, 'data-mark', typeof mark === 'string' ? mark : undefined);
  decorateCells(shown, decoration.columns, range, typeof mark === 'object' ? mark : NOTHING);
}

/** Empty where there is no key, or nothing that depends on it. */
function keyOn(
  line: number,
  { selected, marks, opened }: Decoration,
  keyAt: (line: number) => string | undefined,
): string {
  return opened !== '' || selected.size > 0 || marks.size > 0 ? (keyAt(line) ?? '') : '';
}

const NOTHING: ReadonlySet<string> = new Set();

function rangeOn(line: number, range: CellRange | null): CellRange | null {
  return range !== null && line >= range.firstLine && line <= range.lastLine ? range : null;
}

function decorateCells<Row>(
  { cells }: RowElement<Row>,
  columns: readonly DecoratedColumn[],
  range: CellRange | null,
  changed: ReadonlySet<string>,
): void {
  for (const [index, { place, column }] of columns.entries()) {
    const cell = cells[index];
    if (cell === undefined) continue;
    const inRange = range !== null && place >= range.firstPlace && place <= range.lastPlace;
    cell.toggleAttribute('data-range', inRange);
    setAttribute(cell, 'aria-selected', inRange ? 'true' : undefined);
    setAttribute(cell, 'data-mark', changed.has(column.id) ? 'changed' : undefined);
  }
}

/** Uses aria-activedescendant rather than focus: a recycled element would lose the focus silently. */
export function activate(root: HTMLElement, before: HTMLElement | null, now: HTMLElement | null): void {
  for (const name of ['id', 'data-active', 'tabindex']) before?.removeAttribute(name);
  setAttribute(root, 'aria-activedescendant', now === null ? undefined : `${root.id}-active`);
  if (now === null) return;
  now.id = `${root.id}-active`;
  now.tabIndex = -1;
  now.setAttribute('data-active', '');
}
