import { Cursor } from './cursor.ts';
import { decorateHead, decorateRow, type Decoration } from './decorate-row.ts';
import type { GridMark } from './grid-props.ts';
import type { GridRows } from './grid-rows.ts';
import type { GridState } from './grid-state.ts';
import type { GridSpot } from './grid-keys.ts';
import { createHeadRow } from './head-row.ts';
import { columnsInSight, type ColumnPlan, type PlannedColumn } from './plan-columns.ts';
import { createRowElement, createRowTemplate, fillRow, placeRow, type RowElement } from './row-element.ts';
import { barLength, followBar, placeAt, type ScrollPlace, type ScrollSpace } from './scroll-space.ts';

/** What is to be seen. */
export interface GridScene<Row> {
  readonly plan: ColumnPlan<Row>;
  readonly rows: GridRows<Row>;
  readonly state: GridState;
  readonly marks: ReadonlyMap<string, GridMark>;
}

interface SurfaceOptions<Row> {
  readonly root: HTMLElement;
  readonly scene: GridScene<Row>;
  /** After each drawing that was not of the same lines. */
  readonly onWindow: (first: number, last: number) => void;
}

const OVERSCAN = 3;
const HEAD_PX = 40;
const USUAL_ROW_PX = 28;

/**
 * The elements of a grid. As many rows as there is room for are made once; scrolling gives each that leaves the window
 * another line, another text in the same nodes, and a transform. What a browser spends when rows come and go instead is
 * five times this.
 */
export class GridSurface<Row> {
  readonly cursor = new Cursor<Row>();
  readonly root: HTMLElement;
  scene: GridScene<Row>;
  rowPx = USUAL_ROW_PX;
  readonly #onWindow: SurfaceOptions<Row>['onWindow'];
  readonly #head = part('rowgroup', 'head');
  readonly #body = part('rowgroup', 'body');
  readonly #probe = part('presentation', 'probe');
  readonly #watch: ResizeObserver;
  #pool: RowElement<Row>[] = [];
  #drawn: readonly PlannedColumn<Row>[] = [];
  #template: HTMLElement | null = null;
  #place: ScrollPlace = { bar: 0, top: 0 };
  #width = 0;
  #height = 0;
  #window = '';
  #active: HTMLElement | null = null;

  constructor({ root, scene, onWindow }: SurfaceOptions<Row>) {
    this.root = root;
    this.scene = scene;
    this.#onWindow = onWindow;
    root.append(this.#probe, this.#head, this.#body);
    this.#measure();
    this.#watch = new ResizeObserver(() => {
      this.#measure();
      this.#layOut();
      this.draw();
    });
    this.#layColumns();
    this.cursor.relocate(scene.rows, scene.plan);
    this.#layOut();
    this.draw();
    this.#watch.observe(root);
    this.#watch.observe(this.#probe);
  }

  dispose(): void {
    this.#watch.disconnect();
    this.root.replaceChildren();
  }

  get columns(): readonly PlannedColumn<Row>[] {
    return this.#drawn;
  }

  get linesInSight(): number {
    return Math.max(1, Math.floor(this.#inSight / this.rowPx));
  }

  get #inSight(): number {
    return Math.max(0, this.#height - HEAD_PX);
  }

  get #space(): ScrollSpace {
    return { total: this.scene.rows.count * this.rowPx, inSight: this.#inSight };
  }

  show(scene: GridScene<Row>): void {
    const before = this.scene;
    this.scene = scene;
    const newColumns = before.plan !== scene.plan || before.state.sorts !== scene.state.sorts;
    if (newColumns) this.#layColumns();
    if (newColumns || before.rows !== scene.rows) this.#follow(before.rows);
    this.draw();
  }

  /** New rows: the same ones stay where they are on the screen, unless it was the reader who arranged them anew. */
  #follow(before: GridRows<Row>): void {
    const { rows, plan } = this.scene;
    const same = before.arrangement === rows.arrangement;
    const focused = this.root.contains(document.activeElement) && this.cursor.spot.line >= 0;
    const anchor = same ? this.#anchorOf(before, focused) : null;
    this.cursor.relocate(rows, plan);
    this.#layOut();
    if (anchor !== null) {
      const line = rows.lineOf(anchor.key, Math.min(anchor.line, rows.count - 1));
      if (line >= 0 && line !== anchor.line) this.#goToTop(this.#place.top + (line - anchor.line) * this.rowPx);
    } else if (!same) {
      this.#goToTop(0);
      if (focused) this.reveal(this.cursor.spot);
    }
  }

  /** The line that is not to move: the keyboard's, else the first in sight; the top of a list stays its top. */
  #anchorOf(before: GridRows<Row>, focused: boolean): { readonly key: string; readonly line: number } | null {
    const first = Math.ceil(this.#place.top / this.rowPx);
    const { line, key } = { line: this.cursor.spot.line, key: this.cursor.key };
    if (focused && key !== undefined && line >= first && line < first + this.linesInSight) return { key, line };
    if (this.#place.top === 0) return null;
    for (let near = first; near < first + this.linesInSight; near++) {
      const found = near < before.count ? before.keyAt(near) : undefined;
      if (found !== undefined && this.scene.rows.lineOf(found, Math.min(near, this.scene.rows.count - 1)) >= 0) return { key: found, line: near };
    }
    return null;
  }

  #measure(): void {
    this.#width = this.root.clientWidth;
    this.#height = this.root.clientHeight;
    this.rowPx = this.#probe.offsetHeight || USUAL_ROW_PX;
  }

  #layColumns(): void {
    const { plan, state } = this.scene;
    this.#drawn = columnsInSight(plan, this.root.scrollLeft, this.#width);
    this.#template = createRowTemplate(this.#drawn, plan.width);
    this.#head.replaceChildren(createHeadRow(this.#drawn, plan.width, state));
    this.#head.style.inlineSize = this.#body.style.inlineSize = `${plan.width}px`;
    this.root.style.setProperty('--start', `${plan.startWidth}px`);
    for (const { element } of this.#pool.splice(0)) element.remove();
    this.root.ariaColCount = String(plan.columns.length);
  }

  #layOut(): void {
    const { rows } = this.scene;
    this.#body.style.blockSize = `${barLength(this.#space)}px`;
    this.root.ariaRowCount = String(rows.count + 1);
    this.#goToTop(this.#place.top);
  }

  #goToTop(top: number): void {
    const place = placeAt(this.#space, top);
    if (place.top !== this.#place.top || place.bar !== this.#place.bar) {
      this.#place = place;
      this.root.scrollTop = place.bar;
    }
  }

  /** The reader scrolled. */
  scrolled(): void {
    const { scrollTop, scrollLeft } = this.root;
    if (this.scene.plan.columns.length !== this.#drawn.length || this.#drawn.length > 0) this.#scrollColumns(scrollLeft);
    if (Math.abs(scrollTop - this.#place.bar) >= 1) this.#place = followBar(this.#space, this.#place, scrollTop);
    this.draw();
  }

  #scrollColumns(left: number): void {
    const wanted = columnsInSight(this.scene.plan, left, this.#width);
    if (wanted.length === this.#drawn.length && wanted[0] === this.#drawn[0] && wanted.at(-1) === this.#drawn.at(-1) && wanted[wanted.length >> 1] === this.#drawn[wanted.length >> 1]) return;
    this.#layColumns();
  }

  draw(): void {
    const { rows } = this.scene;
    const first = Math.floor(this.#place.top / this.rowPx);
    const count = Math.min(rows.count, Math.ceil(this.#inSight / this.rowPx) + 1 + 2 * OVERSCAN);
    const from = Math.max(0, Math.min(rows.count - count, first - OVERSCAN));
    this.#fitPool(count);
    const shift = Math.round(this.#place.top - this.#place.bar);
    const decoration = this.#decoration();
    for (let line = from; line < from + count; line++) {
      // Lines that stay in the window keep their element, whichever way the window moves.
      const shown = this.#pool[line % count];
      if (shown === undefined) continue;
      placeRow(shown, line, line * this.rowPx - shift);
      fillRow(shown, rows, this.#drawn);
      decorateRow(shown, decoration, rows.keyAt);
    }
    this.#activate(decoration);
    this.#tellWindow(first, Math.min(rows.count - 1, first + this.linesInSight));
  }

  #decoration(): Decoration {
    const { selected, range, spot } = this.cursor;
    return { selected, range, spot, marks: this.scene.marks, columns: this.#drawn };
  }

  #fitPool(count: number): void {
    const template = this.#template;
    if (template === null) return;
    while (this.#pool.length < count) {
      const made = createRowElement<Row>(template);
      this.#pool.push(made);
      this.#body.append(made.element);
    }
    for (const { element } of this.#pool.splice(count)) element.remove();
  }

  #activate({ spot, columns }: Decoration): void {
    const row = spot.line < 0 ? this.#head.firstElementChild : this.#pool.find(({ line }) => line === spot.line)?.element;
    const index = columns.findIndex(({ place }) => place === spot.place);
    const cell = row?.children[index];
    const active = cell instanceof HTMLElement ? cell : null;
    if (active !== this.#active) decorateHead(this.root, this.#active, active);
    this.#active = active;
  }

  #tellWindow(first: number, last: number): void {
    const name = `${first} ${last} ${this.scene.rows.count}`;
    if (name === this.#window) return;
    this.#window = name;
    this.#onWindow(first, last);
  }

  get activeElement(): HTMLElement | null {
    return this.#active;
  }

  /** Scrolls as little as shows a spot whole. */
  reveal({ line, place }: GridSpot): void {
    if (line >= 0) {
      const y = line * this.rowPx;
      if (y < this.#place.top) this.#goToTop(y);
      else if (y + this.rowPx > this.#place.top + this.#inSight) this.#goToTop(y + this.rowPx - this.#inSight);
    }
    this.#revealColumn(place);
  }

  #revealColumn(place: number): void {
    const { columns, startWidth, endWidth } = this.scene.plan;
    const planned = columns[place];
    if (planned === undefined || planned.pin !== null) return;
    const left = this.root.scrollLeft;
    if (planned.x < left + startWidth) this.root.scrollLeft = planned.x - startWidth;
    else if (planned.x + planned.width > left + this.#width - endWidth) this.root.scrollLeft = planned.x + planned.width + endWidth - this.#width;
    this.#scrollColumns(this.root.scrollLeft);
  }

  toTop(): void {
    this.#goToTop(0);
    this.draw();
  }

  /** The spot that an element of the grid shows. */
  spotOf(target: EventTarget | null): GridSpot | null {
    const cell = target instanceof Element ? target.closest('[role=gridcell], [role=columnheader]') : null;
    const row = cell?.parentElement;
    if (cell === null || row === null || row === undefined) return null;
    const line = row.parentElement === this.#head ? -1 : this.#pool.find(({ element }) => element === row)?.line;
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
