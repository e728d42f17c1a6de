import { findSpan, heldPages, type PageList } from '#api/page-window/page-list.ts';
import type { HeldPage } from '#api/page-window/page-span.ts';
import type { Order } from '#contract/order.ts';
import { toOrderRows, type OrderRow } from '#domain/orders/order-row.ts';
import type { TermsOf } from '#domain/orders/order-terms.ts';
import { sparseRows, type GridRows } from '#ui/grid/grid-rows.ts';

/** Makes a page's rows when the first of them is looked at, and forgets them with the page. */
export type RowsOf = (page: HeldPage<Order>) => readonly OrderRow[];

export function createRowsOf(termsOf: TermsOf, aheadMs: number): RowsOf {
  const made = new WeakMap<HeldPage<Order>, readonly OrderRow[]>();
  return (page) => {
    const known = made.get(page);
    if (known !== undefined) return known;
    const rows = toOrderRows(page.rows, page.source, termsOf, aheadMs);
    made.set(page, rows);
    return rows;
  };
}

/** What is true of the lines as a whole. */
interface WholeList {
  readonly question: unknown;
  readonly mayGrow: boolean;
}

/** Lines of all that was read, in memory or not. */
export function toAllLines(list: PageList<Order>, rowsOf: RowsOf, whole: WholeList): GridRows<OrderRow> {
  const rowAt = (line: number): OrderRow | undefined => {
    const at = findSpan(list, line);
    const held = list.spans[at]?.held;
    return held ? rowsOf(held)[line - (list.starts[at] ?? 0)] : undefined;
  };
  const lines = sparseRows({ rowCount: list.rowCount, rowAt, keyOf, ...whole });
  return { ...lines, lineOf: (key, near) => (lines.keyAt(near) === key ? near : findLine(list, key, near)) };
}

/** Looks through what is in memory only, the nearest page first. */
function findLine(list: PageList<Order>, key: string, near: number): number {
  const nearest = heldPages(list).toSorted((a, b) => Math.abs(a.start - near) - Math.abs(b.start - near));
  for (const { start, page } of nearest) {
    const index = page.rows.findIndex(({ id }) => id === key);
    if (index >= 0) return start + index;
  }
  return -1;
}

export interface MatchingLines {
  readonly lines: GridRows<OrderRow>;
  /** Where each of them stands among all. */
  readonly places: readonly number[];
}

/** Lines of those in memory that a filter lets through. */
export function toMatchingLines(list: PageList<Order>, rowsOf: RowsOf, test: (row: OrderRow) => boolean, whole: WholeList): MatchingLines {
  const found: OrderRow[] = [];
  const places: number[] = [];
  for (const { start, page } of heldPages(list)) {
    for (const [index, row] of rowsOf(page).entries()) {
      if (!test(row)) continue;
      found.push(row);
      places.push(start + index);
    }
  }
  return { lines: sparseRows({ rowCount: found.length, rowAt: (line) => found[line], keyOf, ...whole }), places };
}

function keyOf({ order }: OrderRow): string {
  return order.id;
}

/** An order in memory with those around it that were read without a hole between; empty where it is not in memory. */
export function toRowsAround(list: PageList<Order>, rowsOf: RowsOf, orderId: string): readonly OrderRow[] {
  const own = list.inMemory.find((at) => list.spans[at]?.held?.rows.some(({ id }) => id === orderId));
  if (own === undefined) return [];
  let [first, last] = [own, own];
  while (list.spans[first - 1]?.held) first--;
  while (list.spans[last + 1]?.held) last++;
  return list.spans.slice(first, last + 1).flatMap(({ held }) => (held === null ? [] : rowsOf(held)));
}

/** Every order in memory, in the order of reading. */
export function toHeldRows(list: PageList<Order>, rowsOf: RowsOf): readonly OrderRow[] {
  return heldPages(list).flatMap(({ page }) => rowsOf(page));
}
