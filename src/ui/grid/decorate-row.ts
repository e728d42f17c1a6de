import type { CellRange } from './cursor.ts';
import type { GridSpot } from './grid-keys.ts';
import type { GridMark } from './grid-props.ts';
import type { RowElement } from './row-element.ts';

/** What lies upon the rows: selection, marks, the keyboard's place. */
export interface Decoration {
  readonly selected: ReadonlySet<string>;
  readonly range: CellRange | null;
  readonly spot: GridSpot;
  readonly marks: ReadonlyMap<string, GridMark>;
  readonly columns: readonly { readonly place: number; readonly column: { readonly id: string } }[];
}

/** Most rows have nothing upon them and had nothing before: they are left alone. */
export function decorateRow<Row>(shown: RowElement<Row>, { selected, range, marks, columns }: Decoration, keyAt: (line: number) => string | undefined): void {
  const key = selected.size > 0 || marks.size > 0 ? keyAt(shown.line) : undefined;
  const isSelected = key !== undefined && selected.has(key);
  const mark = key === undefined ? undefined : marks.get(key);
  const inRange = range !== null && shown.line >= range.firstLine && shown.line <= range.lastLine ? range : null;
  const decorated = isSelected || mark !== undefined || inRange !== null;
  if (!decorated && !shown.decorated) return;
  shown.decorated = decorated;
  shown.element.ariaSelected = String(isSelected);
  setOrRemove(shown.element, 'data-mark', typeof mark === 'string' ? mark : undefined);
  for (let index = 0; index < columns.length; index++) {
    const { place, column } = columns[index] ?? { place: -1, column: { id: '' } };
    const cell = shown.cells[index];
    cell?.toggleAttribute('data-range', inRange !== null && place >= inRange.firstPlace && place <= inRange.lastPlace);
    if (cell !== undefined) setOrRemove(cell, 'data-mark', typeof mark === 'object' && mark.has(column.id) ? 'changed' : undefined);
  }
}

function setOrRemove(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** The keyboard's place is named to the grid and not focused itself: an element that shows another row can lose it without a word. */
export function decorateHead(root: HTMLElement, before: HTMLElement | null, now: HTMLElement | null): void {
  if (before !== null) {
    before.removeAttribute('id');
    before.removeAttribute('data-active');
    before.removeAttribute('tabindex');
  }
  if (now === null) {
    root.removeAttribute('aria-activedescendant');
    return;
  }
  now.id = `${root.id}-active`;
  now.setAttribute('data-active', '');
  now.tabIndex = -1;
  root.setAttribute('aria-activedescendant', now.id);
}
