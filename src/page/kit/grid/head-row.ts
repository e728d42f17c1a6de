import type { GridState } from '#model/tables/grid.ts';
import { placeCell } from './row-pool.ts';
import type { PlannedColumn } from './plan-columns.ts';

type HeadState = Pick<GridState, 'sorts' | 'grouping'>;

/** Creates the header row. It is created again whenever the columns change. */
export function createHeadRow<Row>(
  columns: readonly PlannedColumn<Row>[],
  width: number,
  state: HeadState,
): HTMLElement {
  const row = document.createElement('div');
  row.role = 'row';
  row.ariaRowIndex = '1';
  row.style.inlineSize = `${width}px`;
  for (const planned of columns) row.append(createHead(planned, state));
  return row;
}

/** Recreates only the headers of columns that are sorted before or after a change of sorting. */
export function relayHead<Row>(
  head: HTMLElement,
  columns: readonly PlannedColumn<Row>[],
  before: GridState['sorts'],
  state: HeadState,
): void {
  const cells = head.querySelectorAll('[role=columnheader]');
  for (const [index, planned] of columns.entries()) {
    if ([...before, ...state.sorts].some(({ id }) => id === planned.column.id))
      cells[index]?.replaceWith(createHead(planned, state));
  }
}

function createHead<Row>(planned: PlannedColumn<Row>, { sorts, grouping }: HeadState): HTMLElement {
  const { column } = planned;
  const head = document.createElement('div');
  head.role = 'columnheader';
  placeCell(head, planned);
  const level = sorts.findIndex(({ id }) => id === column.id);
  const sort = sorts[level];
  if (column.unsorted !== true) head.ariaSort = sort === undefined ? 'none' : sort.desc ? 'descending' : 'ascending';
  if (column.tooltip !== undefined) {
    head.title = column.tooltip;
    head.setAttribute('aria-description', column.tooltip);
  }
  const title = span('title', column.title);
  title.toggleAttribute('data-unseen', column.titleHidden === true);
  head.append(title);
  if (sort !== undefined) head.append(arrowOf(sort.desc, sorts.length > 1 ? level + 1 : null));
  const unit = (grouping.length > 0 ? column.groupedUnit?.(grouping) : undefined) ?? column.unit;
  if (unit !== undefined) head.append(span('unit', unit));
  const edge = span('edge', '');
  edge.ariaHidden = 'true';
  head.append(edge);
  return head;
}

function arrowOf(desc: boolean, level: number | null): HTMLElement {
  const arrow = span('arrow', `${desc ? '▼' : '▲'}${level ?? ''}`);
  arrow.ariaHidden = 'true';
  return arrow;
}

function span(part: string, text: string): HTMLElement {
  const element = document.createElement('span');
  element.dataset['part'] = part;
  element.textContent = text;
  return element;
}
