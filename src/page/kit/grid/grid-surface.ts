import type { GridMarks, GridOptions, GridTable } from './grid-props.ts';
import { Cursor } from './cursor.ts';
import { activate, type RowElement, RowPool } from './row-pool.ts';
import { barLength, findShift, followBar, placeAt, type ScrollPlace, type ScrollSpace } from './scroll.ts';
import type { GridPosition } from './grid-keys.ts';
import type { GridRows } from '#model/tables/arrange-rows.ts';
import type { GridState } from '#model/tables/grid.ts';
import { createHeadRow, relayHead } from './head-row.ts';
import { type ColumnPlan, columnsInSight, isSameDrawn, type PlannedColumn } from './plan-columns.ts';

/** The content and the state that a grid shows. */
export interface GridScene<Row> {
  readonly plan: ColumnPlan<Row>;
  readonly rows: GridRows<Row>;
  readonly state: GridState;
  /** Changes the state. */
  readonly table: GridTable<Row>;
  readonly marks: GridMarks;
  /** Key of the row shown in a detail panel; empty if there is none. */
  readonly opened: string;
  /** Makes the grid as high as its rows, so that the page scrolls and not the grid. */
  readonly fit: boolean;
}

/** The visible lines, and the number of all lines. */
interface LineWindow {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

const OVERSCAN = 3;
const HEAD_PX = 40;
const DEFAULT_ROW_PX = 28;

/** The DOM of a grid: a header and rows in one scrolling element. */
export class GridSurface<Row> {
  readonly cursor = new Cursor<Row>();
  readonly root: HTMLElement;
  scene: GridScene<Row>;
  active: HTMLElement | null = null;
  /** Called after a new scene is drawn. */
  readonly onShown = new Set<() => void>();
  /** Called after the user moved the active cell to another row. */
  onMoved: (() => void) | null = null;
  readonly #onWindow: (window: LineWindow) => void;
  readonly #head = part('rowgroup', 'head');
  readonly #body = part('rowgroup', 'body');
  readonly #probe = part('presentation', 'probe');
  readonly #pool = new RowPool<Row>(this.#body);
  readonly #watch: ResizeObserver;
  #drawn: readonly PlannedColumn<Row>[] = [];
  #unwatch: readonly (() => void)[] = [];
  #place: ScrollPlace = { bar: 0, top: 0 };
  #rowPx = DEFAULT_ROW_PX;
  /** Cached: reading it from the element would force a layout. */
  #left = 0;
  #width = 0;
  #height = 0;
  #window: LineWindow = { first: -1, last: -1, count: -1 };

  constructor(root: HTMLElement, scene: GridScene<Row>, onWindow: (window: LineWindow) => void) {
    this.root = root;
    this.scene = scene;
    this.#onWindow = onWindow;
    root.append(this.#probe, this.#head, this.#body);
    this.#watch = new ResizeObserver(() => {
      if (this.#measure()) this.#redraw();
    });
    this.#measure();
    this.#layColumns();
    this.cursor.relocate(scene.rows, scene.plan);
    this.#redraw();
    this.#watch.observe(root);
    // The probe is as high as a row, which depends on the density preference.
    this.#watch.observe(this.#probe);
  }

  dispose(): void {
    this.#watch.disconnect();
    this.#stopWatching();
    this.root.replaceChildren();
  }

  /** The columns that are drawn, in the order of a row element's cells. */
  get drawn(): readonly PlannedColumn<Row>[] {
    return this.#drawn;
  }

  get rowElements(): readonly RowElement<Row>[] {
    return this.#pool.elements;
  }

  get linesInSight(): number {
    return Math.max(1, Math.floor(this.#inSight / this.#rowPx));
  }

  get #inSight(): number {
    return Math.max(0, this.#height - HEAD_PX);
  }

  get #space(): ScrollSpace {
    return { total: this.scene.rows.count * this.#rowPx, inSight: this.#inSight };
  }

  /** The active row, or all rows of the active group. */
  get activeRows(): readonly Row[] {
    const { rows } = this.scene;
    const row = rows.rowAt(this.cursor.spot.line);
    return row === undefined ? (rows.groupAt(this.cursor.spot.line)?.rows() ?? []) : [row];
  }

  show(scene: GridScene<Row>): void {
    const before = this.scene;
    this.scene = scene;
    const newColumns = before.plan !== scene.plan;
    if (newColumns) this.#layColumns();
    else if (before.state.grouping !== scene.state.grouping) this.#layHead();
    else if (before.state.sorts !== scene.state.sorts)
      relayHead(this.#head, this.#drawn, before.state.sorts, scene.state);
    if (newColumns || before.rows !== scene.rows) this.#follow(before.rows);
    this.draw();
    if (before.rows !== scene.rows) this.#refillAgeing();
    for (const notify of this.onShown) notify();
  }

  /**
   * Places new rows: after a refresh, rows stay where they are on screen; after a rearrangement, the grid starts at its
   * top.
   */
  #follow(before: GridRows<Row>): void {
    const { rows, plan } = this.scene;
    const { spot, key } = this.cursor;
    const isHere = this.root.contains(document.activeElement);
    const focus = isHere && spot.line >= 0 ? { ...spot, key } : null;
    const first = Math.ceil(this.#place.top / this.#rowPx);
    const same = before.arrangement === rows.arrangement;
    const shift = same
      ? findShift(before, rows, { first, count: this.linesInSight, atTop: this.#place.top === 0, focus })
      : 0;
    this.cursor.relocate(rows, plan, same, isHere);
    this.#layOut();
    this.#goToTop(same ? this.#place.top + shift * this.#rowPx : 0);
    if (!same && focus !== null) this.#revealLine(this.cursor.spot.line);
  }

  /** Returns whether any size has changed. */
  #measure(): boolean {
    const before = [this.#width, this.#height, this.#rowPx].join();
    this.#width = this.root.clientWidth;
    this.#height = this.root.clientHeight;
    this.#rowPx = this.#probe.offsetHeight || DEFAULT_ROW_PX;
    return before !== [this.#width, this.#height, this.#rowPx].join();
  }

  #redraw(): void {
    this.#layOut();
    this.#goToTop(this.#place.top);
    this.#scrollColumns();
    this.draw();
  }

  #layColumns(): void {
    const { plan } = this.scene;
    this.#drawn = columnsInSight(plan, this.#left, this.#width);
    this.#pool.setColumns(this.#drawn, plan.width);
    this.#watchColumns();
    this.#layHead();
    this.#head.style.inlineSize = this.#body.style.inlineSize = `${plan.width}px`;
    this.root.ariaColCount = String(plan.columns.length);
  }

  /** Rewrites the cells of a column when its content changes without its rows. */
  #watchColumns(): void {
    this.#stopWatching();
    this.#unwatch = this.#drawn.flatMap(
      (planned) =>
        planned.column.watch?.(() => {
          this.#pool.refill(planned);
        }) ?? [],
    );
  }

  /** Rewrites cells whose text changes with time, because rows that stay the same objects are not written again. */
  #refillAgeing(): void {
    for (const planned of this.#drawn) if (planned.column.ages === true) this.#pool.refill(planned);
  }

  #stopWatching(): void {
    for (const stop of this.#unwatch) stop();
  }

  #layHead(): void {
    this.#head.replaceChildren(createHeadRow(this.#drawn, this.scene.plan.width, this.scene.state));
  }

  #scrollColumns(): void {
    const { plan } = this.scene;
    this.root.toggleAttribute('data-slid', this.#left > 0);
    if (!isSameDrawn(this.#drawn, columnsInSight(plan, this.#left, this.#width))) this.#layColumns();
  }

  #layOut(): void {
    this.#body.style.blockSize = `${barLength(this.#space)}px`;
    if (this.scene.fit) this.#fitRows();
    // If the plan is wider than the viewport, pinned columns stay while the others scroll.
    this.root.toggleAttribute('data-wide', this.scene.plan.width > this.#width);
    this.root.ariaRowCount = this.scene.rows.mayGrow === true ? '-1' : String(this.scene.rows.count + 1);
  }

  #fitRows(): void {
    this.#height = HEAD_PX + this.#space.total;
    const scrollBar = this.root.offsetHeight - this.root.clientHeight;
    this.root.style.blockSize = `${this.#height + scrollBar}px`;
  }

  #goToTop(top: number): void {
    const place = placeAt(this.#space, top);
    if (place.top === this.#place.top && place.bar === this.#place.bar) return;
    this.#place = place;
    this.root.scrollTop = place.bar;
  }

  /** Handles a scroll event. */
  scrolled(): void {
    const { scrollTop, scrollLeft } = this.root;
    this.#left = scrollLeft;
    this.#scrollColumns();
    // Browsers round scroll positions.
    if (Math.abs(scrollTop - this.#place.bar) >= 1) this.#place = followBar(this.#space, this.#place, scrollTop);
    this.draw();
  }

  /** Moves a scaled scroll bar to its exact place after scrolling. */
  rest(): void {
    if (this.#space.total === barLength(this.#space)) return;
    this.#goToTop(this.#place.top);
    this.draw();
  }

  draw(): void {
    const { rows, state, marks, opened } = this.scene;
    const { selected, range } = this.cursor;
    const rowPx = this.#rowPx;
    const first = Math.floor(this.#place.top / rowPx);
    const count = Math.min(rows.count, Math.ceil(this.#inSight / rowPx) + 1 + 2 * OVERSCAN);
    const from = Math.max(0, Math.min(rows.count - count, first - OVERSCAN));
    const shift = Math.round(this.#place.top - this.#place.bar);
    this.#pool.draw({
      rows,
      from,
      count,
      rowPx,
      shift,
      groupings: state.grouping.length,
      decoration: { selected, range, marks, opened, columns: this.#drawn },
    });
    this.#activate();
    this.#reportWindow(first, Math.min(rows.count - 1, first + this.linesInSight));
  }

  #activate(): void {
    const { line, place } = this.cursor.spot;
    const row = line < 0 ? this.#head.firstElementChild : this.#pool.elementOf(line);
    const cell = row?.children[this.#drawn.findIndex((planned) => planned.place === place)];
    const active = cell instanceof HTMLElement ? cell : null;
    if (active !== this.active) activate(this.root, this.active, active);
    this.active = active;
  }

  #reportWindow(first: number, last: number): void {
    const { count } = this.scene.rows;
    const before = this.#window;
    if (before.first === first && before.last === last && before.count === count) return;
    this.#window = { first, last, count };
    this.#onWindow(this.#window);
  }

  /** Makes a position active and scrolls it into view. */
  moveTo(spot: GridPosition, extend: boolean): void {
    const { key } = this.cursor;
    this.cursor.moveTo(spot, extend, this.scene.rows, this.scene.plan);
    this.reveal(spot);
    this.draw();
    if (this.cursor.key !== key) this.onMoved?.();
  }

  /** Scrolls as little as needed to show a position fully. */
  reveal({ line, place }: GridPosition): void {
    this.#revealLine(line);
    const { columns, startWidth, endWidth } = this.scene.plan;
    const planned = columns[place];
    if (planned?.pin !== null) return;
    const right = planned.x + planned.width;
    if (planned.x < this.#left + startWidth) this.#scrollTo(planned.x - startWidth);
    else if (right > this.#left + this.#width - endWidth) this.#scrollTo(right + endWidth - this.#width);
  }

  #scrollTo(left: number): void {
    this.root.scrollLeft = left;
    this.#left = this.root.scrollLeft;
    this.#scrollColumns();
  }

  #revealLine(line: number): void {
    const y = line * this.#rowPx;
    if (line < 0) return;
    if (y < this.#place.top) this.#goToTop(y);
    else if (y + this.#rowPx > this.#place.top + this.#inSight) this.#goToTop(y + this.#rowPx - this.#inSight);
  }

  /** Returns the position that an element shows. */
  spotOf(target: EventTarget | null): GridPosition | null {
    const cell = target instanceof Element ? target.closest('[role=gridcell], [role=columnheader]') : null;
    const row = cell?.parentElement;
    if (cell === null || row === null || row === undefined) return null;
    const line = row.parentElement === this.#head ? -1 : this.#pool.lineOf(row);
    const planned = this.#drawn[[...row.children].indexOf(cell)];
    return line === undefined || planned === undefined ? null : { line, place: planned.place };
  }
}

function part(role: string, name: string): HTMLElement {
  const element = document.createElement('div');
  element.role = role;
  element.dataset['part'] = name;
  return element;
}

/** The options of a grid, replaced at each render of its screen. */
export interface GridHost<Row> {
  options: GridOptions<Row>;
}

const NEAR_SCREENS = 2;

/** Reports the visible lines to the screen, and when the end is near. */
export function createWindowReporter<Row>(host: GridHost<Row>): (window: LineWindow) => void {
  let reportedNear: number | null = null;
  return ({ first, last, count }) => {
    const { onWindow, onNearEnd } = host.options;
    onWindow?.(first, last);
    const reach = NEAR_SCREENS * (last - first + 1);
    const near = count - last <= reach ? count : null;
    if (near === reportedNear) return;
    reportedNear = near;
    if (near !== null) onNearEnd?.();
  };
}
