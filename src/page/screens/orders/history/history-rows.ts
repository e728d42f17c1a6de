import { findSpan, loadedPages, type PageList } from '#page/client/page-window/page-list.ts';
import type { LoadedPage } from '#page/client/page-window/page-span.ts';
import type { Order } from '#contract/exchange/order.ts';
import { toOrderRows, type OrderRow } from '#model/orders/order-row.ts';
import type { TermsOf } from '#model/orders/order-terms.ts';
import { sparseRows, type GridRows } from '#model/tables/grid-rows.ts';

/** Makes the rows of a page on first use; they are dropped with the page. */
export type RowsOf = (page: LoadedPage<Order>) => readonly OrderRow[];

export function createRowsOf(termsOf: TermsOf, offsetMs: number): RowsOf {
  const made = new WeakMap<LoadedPage<Order>, readonly OrderRow[]>();
  return (page) => {
    const known = made.get(page);
    if (known !== undefined) return known;
    const rows = toOrderRows(page.rows, page.source, termsOf, offsetMs);
    made.set(page, rows);
    return rows;
  };
}

interface ListIdentity {
  readonly query: unknown;
  readonly mayGrow: boolean;
}

/** Lines of all rows read, in memory or not. */
export function toAllLines(list: PageList<Order>, rowsOf: RowsOf, identity: ListIdentity): GridRows<OrderRow> {
  const rowAt = (line: number): OrderRow | undefined => {
    const at = findSpan(list, line);
    const held = list.spans[at]?.loaded;
    return held ? rowsOf(held)[line - (list.starts[at] ?? 0)] : undefined;
  };
  const lines = sparseRows({ rowCount: list.rowCount, rowAt, keyOf, ...identity });
  return { ...lines, lineOf: (key, near) => (lines.keyAt(near) === key ? near : findLine(list, key, near)) };
}

/** Searches only rows in memory, the nearest page first. */
function findLine(list: PageList<Order>, key: string, near: number): number {
  const nearest = loadedPages(list).toSorted((a, b) => Math.abs(a.start - near) - Math.abs(b.start - near));
  for (const { start, page } of nearest) {
    const index = page.rows.findIndex(({ id }) => id === key);
    if (index >= 0) return start + index;
  }
  return -1;
}

export interface MatchingLines {
  readonly lines: GridRows<OrderRow>;
  /** The index of each line among all rows. */
  readonly rowIndexes: readonly number[];
}

/** Lines of the rows in memory that match a filter. */
export function toMatchingLines(
  list: PageList<Order>,
  rowsOf: RowsOf,
  test: (row: OrderRow) => boolean,
  identity: ListIdentity,
): MatchingLines {
  const found: OrderRow[] = [];
  const rowIndexes: number[] = [];
  for (const { start, page } of loadedPages(list)) {
    for (const [index, row] of rowsOf(page).entries()) {
      if (!test(row)) continue;
      found.push(row);
      rowIndexes.push(start + index);
    }
  }
  return {
    lines: sparseRows({ rowCount: found.length, rowAt: (line) => found[line], keyOf, ...identity }),
    rowIndexes,
  };
}

function keyOf({ order }: OrderRow): string {
  return order.id;
}

/** An order and the rows around it without gaps; empty if it is not in memory. */
export function toRowsAround(list: PageList<Order>, rowsOf: RowsOf, orderId: string): readonly OrderRow[] {
  const own = list.inMemory.find((at) => list.spans[at]?.loaded?.rows.some(({ id }) => id === orderId));
  if (own === undefined) return [];
  let [first, last] = [own, own];
  while (list.spans[first - 1]?.loaded) first--;
  while (list.spans[last + 1]?.loaded) last++;
  return list.spans.slice(first, last + 1).flatMap(({ loaded }) => (loaded === null ? [] : rowsOf(loaded)));
}

/** All orders in memory, in list order. */
export function toLoadedRows(list: PageList<Order>, rowsOf: RowsOf): readonly OrderRow[] {
  return loadedPages(list).flatMap(({ page }) => rowsOf(page));
}
