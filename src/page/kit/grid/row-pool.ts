import type { GridGroup, GridRows } from '#model/tables/arrange-rows.ts';
import type { PlannedColumn } from './plan-columns.ts';
import { formatCount } from '#model/format/count.ts';
import type { CellWidget } from '#model/tables/grid.ts';
import type { CellRange } from './cursor.ts';
import type { GridMarks } from './grid-props.ts';

/** Sets an attribute, or removes it if the value is undefined. */
function setAttribute(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** The lines to draw, and where. */
interface DrawRequest<Row> {
  readonly rows: GridRows<Row>;
  readonly from: number;
  readonly count: number;
  readonly rowPx: number;
  /** Offset between lines and scroll bar, if the bar is scaled. */
  readonly shift: number;
  /** Number of nested groupings. */
  readonly groupings: number;
  readonly decoration: Decoration;
}

/**
 * Creates as many row elements as fit, once. An element that scrolls out of view is reused for another line: it gets
 * new texts in the same nodes, and a transform. Creating and removing elements instead costs five times as much.
 */
export class RowPool<Row> {
  readonly #body: HTMLElement;
  #pool: RowElement<Row>[] = [];
  #columns: readonly PlannedColumn<Row>[] = [];
  #template: HTMLElement | null = null;

  constructor(body: HTMLElement) {
    this.#body = body;
  }

  get elements(): readonly RowElement<Row>[] {
    return this.#pool;
  }

  /** Discards all elements, because other columns need other cells. */
  setColumns(columns: readonly PlannedColumn<Row>[], width: number): void {
    this.#columns = columns;
    this.#template = createRowTemplate(columns, width);
    this.#fit(0);
  }

  draw({ rows, from, count, rowPx, shift, groupings, decoration }: DrawRequest<Row>): void {
    this.#fit(count);
    for (let line = from; line < from + count; line++) {
      // Lines that stay visible keep their element.
      const shown = this.#pool[line % count];
      if (shown === undefined) continue;
      placeRow(shown, line, line * rowPx - shift);
      fillRow(shown, rows, this.#columns);
      levelRow(shown, groupings);
      decorateRow(shown, decoration, rows.keyAt);
    }
  }

  /** Rewrites the cells of one column. */
  refill(planned: PlannedColumn<Row>): void {
    const index = this.#columns.indexOf(planned);
    for (const shown of this.#pool) refillCell(shown, index, planned);
  }

  #fit(count: number): void {
    while (this.#template !== null && this.#pool.length < count) {
      const made = createRowElement<Row>(this.#template, this.#columns);
      this.#pool.push(made);
      this.#body.append(made.element);
    }
    for (const { element } of this.#pool.splice(count)) element.remove();
  }

  elementOf(line: number): HTMLElement | undefined {
    return this.#pool.find((shown) => shown.line === line)?.element;
  }

  lineOf(row: Element): number | undefined {
    return this.#pool.find(({ element }) => element === row)?.line;
  }
}

/** A recycled row element, and what it currently shows. */
export interface RowElement<Row> {
  readonly element: HTMLElement;
  readonly cells: readonly HTMLElement[];
  readonly texts: readonly Text[];
  /** The widgets of cells with content beyond text. */
  readonly widgets: readonly (CellWidget<Row> | undefined)[];
  readonly written: string[];
  /** Whether a cell's text is too long for it. */
  readonly long: boolean[];
  readonly tones: (string | undefined)[];
  line: number;
  y: number;
  row: Row | undefined;
  group: GridGroup<Row> | undefined;
  /** aria-level in the tree of groups; null without groups. */
  level: number | null;
  /** Whether selection or marks have set attributes on it. */
  decorated: boolean;
}

const PADDING_PX = 16;

/**
 * Creates the row that all others are cloned from, so that constant attributes are written once. Inline styles use
 * physical properties and no variables: only then can browsers change a value without matching all rules again, which
 * is half of the style cost of scrolling.
 */
function createRowTemplate<Row>(columns: readonly PlannedColumn<Row>[], width: number): HTMLElement {
  const row = document.createElement('div');
  row.role = 'row';
  row.ariaSelected = 'false';
  row.style.width = `${width}px`;
  for (const planned of columns) {
    const cell = document.createElement('div');
    cell.role = 'gridcell';
    placeCell(cell, planned);
    cell.toggleAttribute('data-flashes', planned.column.flashes === true);
    row.append(cell);
  }
  return row;
}

export function placeCell<Row>(cell: HTMLElement, { column, place, x, width, pin, edge }: PlannedColumn<Row>): void {
  cell.ariaColIndex = String(place + 1);
  cell.dataset['column'] = column.id;
  cell.dataset['kind'] = column.kind;
  if (pin !== null) cell.dataset['pin'] = pin;
  cell.toggleAttribute('data-edge', edge);
  cell.style.width = `${width}px`;
  cell.style[pin === 'end' ? 'right' : 'left'] = `${x}px`;
}

function createRowElement<Row>(template: HTMLElement, columns: readonly PlannedColumn<Row>[]): RowElement<Row> {
  const element = template.cloneNode(true) as HTMLElement;
  const cells = [...element.children] as HTMLElement[];
  const texts = cells.map((cell) => cell.appendChild(document.createTextNode('')));
  const widgets = columns.map(({ column }) => column.draw?.());
  return {
    element,
    cells,
    texts,
    widgets,
    written: [],
    long: [],
    tones: [],
    line: -1,
    y: NaN,
    row: undefined,
    group: undefined,
    level: null,
    decorated: false,
  };
}

function placeRow<Row>(shown: RowElement<Row>, line: number, y: number): void {
  if (shown.line !== line) {
    shown.line = line;
    // The header is the first row.
    shown.element.setAttribute('aria-rowindex', String(line + 2));
  }
  if (shown.y === y) return;
  shown.y = y;
  shown.element.style.transform = `translateY(${y}px)`;
}

/** Writes a line into a row element, but only texts that differ. */
function fillRow<Row>(shown: RowElement<Row>, rows: GridRows<Row>, columns: readonly PlannedColumn<Row>[]): void {
  const row = rows.rowAt(shown.line);
  if (row !== undefined && row === shown.row) return;
  const group = row === undefined ? rows.groupAt(shown.line) : undefined;
  if (group !== undefined && group === shown.group) return;
  if (group !== shown.group) toGroupRow(shown, group, columns);
  if (row === undefined || shown.row === undefined)
    shown.element.toggleAttribute('data-pending', row === undefined && group === undefined);
  shown.row = row;
  shown.group = group;
  if (row === undefined) fillWithout(shown, group, columns);
  else fillWith(shown, row, columns);
}

/** Sets the level of a row, which is one below the innermost group. */
function levelRow<Row>(shown: RowElement<Row>, groupings: number): void {
  const level = groupings === 0 ? null : (shown.group?.depth ?? groupings) + 1;
  if (level === shown.level) return;
  shown.level = level;
  shown.element.ariaLevel = level === null ? null : String(level);
}

function fillWith<Row>(shown: RowElement<Row>, row: Row, columns: readonly PlannedColumn<Row>[]): void {
  // A plain loop: this runs for every cell of every row that scrolls by.
  for (let index = 0; index < columns.length; index++) {
    const planned = columns[index];
    if (planned === undefined) continue;
    fillCell(shown, index, row, planned);
  }
}

function fillCell<Row>(shown: RowElement<Row>, index: number, row: Row, { column, width }: PlannedColumn<Row>): void {
  if (column.draw === undefined) writeCell(shown, index, column.text(row), width);
  else showWidget(shown, index, row, column.text(row), width);
  if (column.tone !== undefined) writeTone(shown, index, column.tone(row));
  if (column.bar !== undefined) writeBar(shown, index, column.bar(row));
}

/** Rewrites one cell of an unchanged row. */
function refillCell<Row>(shown: RowElement<Row>, index: number, planned: PlannedColumn<Row>): void {
  if (shown.row !== undefined) fillCell(shown, index, shown.row, planned);
}

function showWidget<Row>(shown: RowElement<Row>, index: number, row: Row, text: string, width: number): void {
  const widget = shown.widgets[index];
  if (widget === undefined) return;
  widget.show(row, text);
  clip(shown, index, text, width);
  if (widget.element.parentNode !== null) return;
  write(shown, index, '');
  shown.cells[index]?.append(widget.element);
}

/** Fills an element that shows a group, or a row not in memory. */
function fillWithout<Row>(
  shown: RowElement<Row>,
  group: GridGroup<Row> | undefined,
  columns: readonly PlannedColumn<Row>[],
): void {
  for (const [index, planned] of columns.entries()) {
    const text = group === undefined ? pendingText(index) : groupText(group, planned, index);
    shown.widgets[index]?.element.remove();
    writeCell(shown, index, text, index === 0 && group !== undefined ? spillWidth(columns) : planned.width);
    if (planned.column.tone !== undefined) writeTone(shown, index, undefined);
    if (planned.column.bar !== undefined) writeBar(shown, index, null);
  }
}

function pendingText(index: number): string {
  return index === 0 ? '…' : '';
}

function toGroupRow<Row>(
  { element, cells }: RowElement<Row>,
  group: GridGroup<Row> | undefined,
  columns: readonly PlannedColumn<Row>[],
): void {
  element.toggleAttribute('data-group', group !== undefined);
  element.ariaExpanded = group === undefined ? null : String(group.open);
  const [title] = cells;
  const [first, next] = columns;
  // The title of a group is cut where its first subtotal begins. A pinned cell beside it would be moved.
  if (title !== undefined && first !== undefined && (next?.pin ?? null) === null)
    title.style.width = `${group === undefined ? first.width : spillWidth(columns)}px`;
}

/** Returns the width into which a group’s title may overflow: the empty cells beside it, up to the first subtotal. */
function spillWidth<Row>(columns: readonly PlannedColumn<Row>[]): number {
  let width = 0;
  for (const { column, width: own } of columns) {
    if (width > 0 && column.subtotal !== undefined) break;
    width += own;
  }
  return width;
}

function groupText<Row>(group: GridGroup<Row>, { column }: PlannedColumn<Row>, index: number): string {
  if (index === 0)
    return `${'   '.repeat(group.depth)}${group.open ? '▾' : '▸'} ${group.text} · ${formatCount(group.count)}`;
  return column.subtotal?.(group.rows()).text ?? '';
}

function writeCell<Row>(shown: RowElement<Row>, index: number, text: string, width: number): void {
  if (shown.written[index] === text) return;
  write(shown, index, text);
  clip(shown, index, text, width);
}

function write<Row>({ written, texts }: RowElement<Row>, index: number, text: string): void {
  written[index] = text;
  const node = texts[index];
  if (node !== undefined) node.data = text;
}

function clip<Row>(shown: RowElement<Row>, index: number, text: string, width: number): void {
  // Clipping a cell costs as much as drawing it, so only texts too long for their column are clipped.
  const isLong = roughWidth(text) > width - PADDING_PX;
  if (shown.long[index] === isLong) return;
  shown.long[index] = isLong;
  shown.cells[index]?.toggleAttribute('data-long', isLong);
}

function writeTone<Row>(shown: RowElement<Row>, index: number, tone: string | undefined): void {
  if (shown.tones[index] === tone) return;
  shown.tones[index] = tone;
  const cell = shown.cells[index];
  if (cell !== undefined) setAttribute(cell, 'data-tone', tone);
}

function writeBar<Row>(shown: RowElement<Row>, index: number, share: number | null): void {
  const cell = shown.cells[index];
  cell?.toggleAttribute('data-bar', share !== null);
  if (cell !== undefined) cell.style.backgroundSize = share === null ? '' : `${share * 100}% 16px`;
}

/** Widths in the data font. Letters count as capitals, of which symbols consist. */
const DIGIT_PX = 7.8;
const LETTER_PX = 8.5;
const NARROW_PX = 3.3;

const WIDTHS = new Float64Array(128).fill(LETTER_PX);
for (const [characters, px] of [
  ['0123456789-+/', DIGIT_PX],
  [' .,:', NARROW_PX],
] as const) {
  for (const character of characters) WIDTHS[character.charCodeAt(0)] = px;
}

/** Estimates the width of a text in the data font, because measuring it would force a layout. */
function roughWidth(text: string): number {
  let px = 0;
  for (let at = 0; at < text.length; at++) px += WIDTHS[text.charCodeAt(at)] ?? DIGIT_PX;
  return px;
}

interface DecoratedColumn {
  readonly place: number;
  readonly column: { readonly id: string };
}

/** State shown on top of rows: selection, marks, and the open row. */
interface Decoration {
  readonly selected: ReadonlySet<string>;
  readonly range: CellRange | null;
  readonly marks: GridMarks;
  readonly opened: string;
  readonly columns: readonly DecoratedColumn[];
}

/** Decorates a row. Most rows have no decoration and had none before, so they are skipped. */
function decorateRow<Row>(
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

/** Returns the key of a line; empty if it has none, or nothing depends on it. */
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

/** Marks the active cell by aria-activedescendant rather than focus, which a recycled element would lose silently. */
export function activate(root: HTMLElement, before: HTMLElement | null, now: HTMLElement | null): void {
  for (const name of ['id', 'data-active', 'tabindex']) before?.removeAttribute(name);
  setAttribute(root, 'aria-activedescendant', now === null ? undefined : `${root.id}-active`);
  if (now === null) return;
  now.id = `${root.id}-active`;
  now.tabIndex = -1;
  now.setAttribute('data-active', '');
}
