import type { WireOrder } from '../../lib/wire-orders.ts';
import { COLUMNS, ID_PLACE, ROW_PX } from '../columns.ts';
import type { Direction } from '../contender.ts';
import './floor.css';

interface Shown {
  readonly element: HTMLElement;
  readonly texts: readonly Text[];
  index: number;
  order: WireOrder | null;
}

const OVERSCAN = 3;

/**
 * The least that a grid of elements can do: rows are recycled and texts replaced if they differ; there are no roles,
 * keys, selection or movable columns. Any cost of a grid beyond this is the cost of its features.
 */
export class FloorGrid {
  readonly scroller = div('floor-scroller');
  readonly #content = div('floor-content');
  readonly #template = div('floor-row');
  #pool: Shown[] = [];
  #all: readonly WireOrder[] = [];
  #orders: readonly WireOrder[] = [];
  #height = 0;
  direction: Direction = null;
  symbol: string | null = null;
  text = '';

  constructor(root: HTMLElement, orders: readonly WireOrder[]) {
    const head = div('floor-head');
    let x = 0;
    for (const { key, width, kind } of COLUMNS) {
      head.append(toCell(key, x, width, kind));
      this.#template.append(toCell('', x, width, kind));
      x += width;
    }
    this.#template.style.width = this.#content.style.width = `${x}px`;
    this.scroller.append(this.#content);
    root.append(head, this.scroller);
    this.#height = this.scroller.clientHeight;
    this.scroller.addEventListener(
      'scroll',
      () => {
        this.#draw();
      },
      { passive: true },
    );
    this.show(orders);
  }

  show(orders: readonly WireOrder[]): void {
    this.#all = orders;
    this.arrange();
  }

  arrange(): void {
    const kept = this.#all.filter(
      (order) =>
        (this.symbol === null || order.symbol === this.symbol) && (this.text === '' || holdsText(order, this.text)),
    );
    this.#orders = this.direction === null ? kept : sortByPrice(kept, this.direction);
    this.#content.style.height = `${this.#orders.length * ROW_PX}px`;
    this.#draw();
  }

  topId(): string | null {
    if (this.scroller.scrollTop !== 0) return null;
    return this.#pool.find(({ index }) => index === 0)?.texts[ID_PLACE]?.data ?? null;
  }

  #draw(): void {
    const total = this.#orders.length;
    const count = Math.min(total, Math.ceil(this.#height / ROW_PX) + 1 + 2 * OVERSCAN);
    const from = Math.max(0, Math.min(total - count, Math.floor(this.scroller.scrollTop / ROW_PX) - OVERSCAN));
    while (this.#pool.length < count) this.#pool.push(this.#createRow());
    for (const { element } of this.#pool.splice(count)) element.remove();
    for (let index = from; index < from + count; index++) {
      const shown = this.#pool[index % count];
      const order = this.#orders[index];
      if (shown === undefined || order === undefined) continue;
      if (shown.index !== index) shown.element.style.transform = `translateY(${index * ROW_PX}px)`;
      shown.index = index;
      if (shown.order !== order) fill(shown, order);
    }
  }

  #createRow(): Shown {
    const element = this.#template.cloneNode(true) as HTMLElement;
    this.#content.append(element);
    const texts = [...element.children].map((cell) => {
      const text = document.createTextNode('');
      cell.append(text);
      return text;
    });
    return { element, texts, index: -1, order: null };
  }
}

function fill(shown: Shown, order: WireOrder): void {
  const before = shown.order;
  shown.order = order;
  for (let place = 0; place < COLUMNS.length; place++) {
    const column = COLUMNS[place];
    const text = shown.texts[place];
    if (column === undefined || text === undefined || before?.[column.key] === order[column.key]) continue;
    const written = column.format(order);
    if (text.data !== written) text.data = written;
  }
}

function holdsText(order: WireOrder, text: string): boolean {
  return COLUMNS.some(({ key, kind }) => kind === 'text' && String(order[key]).includes(text));
}

function sortByPrice(orders: readonly WireOrder[], direction: 'asc' | 'desc'): WireOrder[] {
  const sign = direction === 'asc' ? 1 : -1;
  const keys = Float64Array.from(orders, ({ price }) => price * sign);
  const indices = Uint32Array.from(orders, (_, index) => index);
  indices.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
  return Array.from(indices).flatMap((index) => orders[index] ?? []);
}

function toCell(text: string, x: number, width: number, kind: string): HTMLElement {
  const cell = div(kind === 'number' ? 'floor-cell floor-number' : 'floor-cell');
  cell.style.cssText = `left:${x}px;width:${width}px`;
  if (text !== '') cell.textContent = text;
  return cell;
}

function div(className: string): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  return element;
}
