import { findSpan, type LoadedPage, loadedPages, type PageList } from '#page/client/page-window/page-list.ts';
import type { Order } from '#contract/exchange/order.ts';
import { type OrderRow, toOrderRows } from '#model/orders/order-row.ts';
import type { TermsOf } from '#model/orders/order-terms.ts';
import { type GridRows, sparseRows } from '#model/tables/arrange-rows.ts';
import { useEffect, useMemo, useRef } from 'react';
import { addCodes } from '#model/orders/order-fields.ts';
import { useVenueOffset } from '#page/client/react/use-desk-status.ts';
import type { WindowView } from '#page/client/page-window/page-window.ts';
import type { GridColumn, GridState } from '#model/tables/grid.ts';
import { toRowFilter } from '#model/tables/row-filter.ts';
import { type HistoryQuery, toLocalFilter } from '#model/tables/orders/history-query.ts';

/** Returns the rows of a page, created on first use and dropped with the page. */
type RowsOf = (page: LoadedPage<Order>) => readonly OrderRow[];

function createRowsOf(termsOf: TermsOf, offsetMs: number): RowsOf {
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

/** Creates lines for all rows read, whether in memory or not. */
function toAllLines(list: PageList<Order>, rowsOf: RowsOf, identity: ListIdentity): GridRows<OrderRow> {
  const rowAt = (line: number): OrderRow | undefined => {
    const at = findSpan(list, line);
    const held = list.spans[at]?.loaded;
    return held ? rowsOf(held)[line - (list.starts[at] ?? 0)] : undefined;
  };
  const lines = sparseRows({ rowCount: list.rowCount, rowAt, keyOf, ...identity });
  return { ...lines, lineOf: (key, near) => (lines.keyAt(near) === key ? near : findLine(list, key, near)) };
}

/** Finds a line by key among the rows in memory, nearest page first. */
function findLine(list: PageList<Order>, key: string, near: number): number {
  const nearest = loadedPages(list).toSorted((a, b) => Math.abs(a.start - near) - Math.abs(b.start - near));
  for (const { start, page } of nearest) {
    const index = page.rows.findIndex(({ id }) => id === key);
    if (index >= 0) return start + index;
  }
  return -1;
}

interface MatchingLines {
  readonly lines: GridRows<OrderRow>;
  /** The index of each line among all rows. */
  readonly rowIndexes: readonly number[];
}

/** Creates lines for the rows in memory that match a filter. */
function toMatchingLines(
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

/** Returns an order with the contiguous rows around it; empty if the order is not in memory. */
export function toRowsAround(list: PageList<Order>, rowsOf: RowsOf, orderId: string): readonly OrderRow[] {
  const own = list.inMemory.find((at) => list.spans[at]?.loaded?.rows.some(({ id }) => id === orderId));
  if (own === undefined) return [];
  let [first, last] = [own, own];
  while (list.spans[first - 1]?.loaded) first--;
  while (list.spans[last + 1]?.loaded) last++;
  return list.spans.slice(first, last + 1).flatMap(({ loaded }) => (loaded === null ? [] : rowsOf(loaded)));
}

/** Returns all orders in memory, in list order. */
export function toLoadedRows(list: PageList<Order>, rowsOf: RowsOf): readonly OrderRow[] {
  return loadedPages(list).flatMap(({ page }) => rowsOf(page));
}

/** Facts about all rows read so far. They only grow, so that columns do not shift while pages come and go. */
export interface LoadedFacts {
  readonly mostDigits: number;
  /** The codes of accounts, firms and connections. */
  readonly codes: ReadonlySet<string>;
}

export const NO_FACTS: LoadedFacts = { mostDigits: 2, codes: new Set() };

/** Adds the facts of new pages. */
export function useLoadedFacts(
  list: PageList<Order>,
  terms: TermsOf | null,
  facts: LoadedFacts,
  setFacts: (facts: LoadedFacts) => void,
): void {
  const seenPages = useRef(new WeakSet<object>());
  useEffect(() => {
    if (terms === null) return;
    const seen = seenPages.current;
    let { mostDigits, codes } = facts;
    for (const { page } of loadedPages(list).filter((loaded) => !seen.has(loaded.page))) {
      seen.add(page);
      for (const order of page.rows) mostDigits = Math.max(mostDigits, terms(order).digits);
      codes = addCodes(codes, page.rows);
    }
    if (mostDigits > facts.mostDigits || codes !== facts.codes) setFacts({ mostDigits, codes });
  }, [list, terms, facts, setFacts]);
}

export interface HistoryLines {
  readonly lines: GridRows<OrderRow>;
  readonly rowsOf: RowsOf;
  /** Whether the page applies a filter that the exchange does not support. */
  readonly isFiltered: boolean;
  /** Returns the index of a line's row among all rows read. */
  readonly rowIndexOf: (line: number) => number;
  /** The filter applied by the page; null if there is none. */
  readonly test: ((row: OrderRow) => boolean) | null;
}

interface LinesInputs {
  readonly list: WindowView<Order>['list'];
  readonly terms: TermsOf;
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly state: GridState;
  readonly query: HistoryQuery;
  /** Whether more rows may follow. */
  readonly mayGrow: boolean;
}

export function useHistoryLines({ list, terms, columns, state, query, mayGrow }: LinesInputs): HistoryLines {
  const { filters, quick } = state;
  const offsetMs = useVenueOffset();
  const rowsOf = useMemo(() => createRowsOf(terms, offsetMs), [terms, offsetMs]);
  const test = useMemo(() => toRowFilter(columns, toLocalFilter({ filters, quick })), [columns, filters, quick]);
  return useMemo(() => {
    const identity = { query, mayGrow };
    const common = { rowsOf, test, isFiltered: test !== null };
    if (test === null) return { ...common, lines: toAllLines(list, rowsOf, identity), rowIndexOf: (line) => line };
    const { lines, rowIndexes } = toMatchingLines(list, rowsOf, test, identity);
    return { ...common, lines, rowIndexOf: (line) => rowIndexes[line] ?? 0 };
  }, [list, rowsOf, test, query, mayGrow]);
}
