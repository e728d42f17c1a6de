import { useMemo } from 'react';
import { useVenueOffset } from '#page/client/react/use-venue-time.ts';
import type { WindowView } from '#page/client/page-window/page-window.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import type { TermsOf } from '#model/orders/order-terms.ts';
import type { GridColumn } from '#model/tables/grid-column.ts';
import type { GridRows } from '#model/tables/grid-rows.ts';
import type { GridState } from '#model/tables/grid-state.ts';
import { toRowFilter } from '#model/tables/row-filter.ts';
import { createRowsOf, toAllLines, toMatchingLines, type RowsOf } from './history-rows.ts';
import { toLocalFilter, type HistoryQuery } from '#model/tables/orders/history-query.ts';

export interface HistoryLines {
  readonly lines: GridRows<OrderRow>;
  readonly rowsOf: RowsOf;
  /** Whether a filter of this page applies, which the exchange does not support. */
  readonly isFiltered: boolean;
  /** The index of a line’s row among all rows read. */
  readonly rowIndexOf: (line: number) => number;
  /** The filter of this page; null if there is none. */
  readonly test: ((row: OrderRow) => boolean) | null;
}

interface LinesParts {
  readonly list: WindowView<Order>['list'];
  readonly terms: TermsOf;
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly state: GridState;
  readonly query: HistoryQuery;
  /** Whether more may follow. */
  readonly mayGrow: boolean;
}

export function useHistoryLines({ list, terms, columns, state, query, mayGrow }: LinesParts): HistoryLines {
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
