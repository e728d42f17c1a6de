import { useEffect, useMemo, useRef } from 'react';
import { heldPages, type PageList } from '#api/page-window/page-list.ts';
import { useVenueAhead } from '#api/react-venue-time.ts';
import type { WindowView } from '#api/page-window/page-window.ts';
import type { Order } from '#contract/order.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';
import type { TermsOf } from '#domain/orders/order-terms.ts';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import type { GridRows } from '#ui/grid/grid-rows.ts';
import type { GridState } from '#ui/grid/grid-state.ts';
import { toRowFilter } from '#ui/grid/row-filter.ts';
import { withCodesOf } from '../private-codes.ts';
import { createRowsOf, toAllLines, toMatchingLines, type RowsOf } from './history-rows.ts';
import { toLocalFilter, type Question } from './question.ts';
import type { Seen } from './seen.ts';

export interface HistoryLines {
  readonly lines: GridRows<OrderRow>;
  readonly rowsOf: RowsOf;
  /** Whether a filter that the venue does not know leaves out some of what is in memory. */
  readonly isFiltered: boolean;
  /** Where a line stands among all that was read. */
  readonly placeOf: (line: number) => number;
  /** What the filters of this page let through; null: everything. */
  readonly test: ((row: OrderRow) => boolean) | null;
}

interface LinesParts {
  readonly list: WindowView<Order>['list'];
  readonly terms: TermsOf;
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly state: GridState;
  readonly question: Question;
  /** Whether more may follow. */
  readonly mayGrow: boolean;
}

export function useHistoryLines({ list, terms, columns, state, question, mayGrow }: LinesParts): HistoryLines {
  const { filters, quick } = state;
  const aheadMs = useVenueAhead();
  const rowsOf = useMemo(() => createRowsOf(terms, aheadMs), [terms, aheadMs]);
  const test = useMemo(() => toRowFilter(columns, toLocalFilter({ filters, quick })), [columns, filters, quick]);
  return useMemo(() => {
    const whole = { question, mayGrow };
    const common = { rowsOf, test, isFiltered: test !== null };
    if (test === null) return { ...common, lines: toAllLines(list, rowsOf, whole), placeOf: (line) => line };
    const { lines, places } = toMatchingLines(list, rowsOf, test, whole);
    return { ...common, lines, placeOf: (line) => places[line] ?? 0 };
  }, [list, rowsOf, test, question, mayGrow]);
}

/** Takes note of what new pages say of digits and codes. */
export function useSeen(list: PageList<Order>, terms: TermsOf | null, seen: Seen, setSeen: (seen: Seen) => void): void {
  const noted = useRef(new WeakSet<object>());
  useEffect(() => {
    if (terms === null) return;
    const known = noted.current;
    const fresh = heldPages(list).filter(({ page }) => !known.has(page));
    let { mostDigits } = seen;
    let { codes } = seen;
    for (const { page } of fresh) {
      known.add(page);
      for (const { product_id: product } of page.rows) mostDigits = Math.max(mostDigits, terms(product).digits);
      codes = withCodesOf(codes, page.rows);
    }
    if (mostDigits > seen.mostDigits || codes !== seen.codes) setSeen({ mostDigits, codes });
  }, [list, terms, seen, setSeen]);
}
