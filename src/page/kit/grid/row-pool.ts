import { decorateRow, type Decoration } from './decorate-row.ts';
import type { GridRows } from '#model/tables/grid-rows.ts';
import type { PlannedColumn } from './plan-columns.ts';
import {
  createRowElement,
  createRowTemplate,
  fillRow,
  levelRow,
  placeRow,
  refillCell,
  type RowElement,
} from './row-element.ts';

/** The lines to draw, and where. */
interface DrawRequest<Row> {
  readonly rows: GridRows<Row>;
  readonly from: number;
  readonly count: number;
  readonly rowPx: number;
  /** Offset between lines and scroll bar, where the bar is scaled. */
  readonly shift: number;
  /** Number of nested groupings. */
  readonly groupings: number;
  readonly decoration: Decoration;
}

/**
 * As many row elements as fit, created once. An element that scrolls out of view is reused for another line: new texts in
 * the same nodes, and a transform. Creating and removing elements instead costs five times as much.
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

  /** Discards all elements: other columns need others. */
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
