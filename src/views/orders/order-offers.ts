import type { OrderRow } from '#domain/orders/order-row.ts';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import { filterColumn, sortByColumn } from '#ui/grid/change-state.ts';
import type { Offer } from '#ui/offers.tsx';
import type { ListControl } from './use-list-state.ts';

/** Each account of the rows, to see its orders only. */
export function offerAccounts(rows: readonly OrderRow[], { state, set }: Pick<ListControl, 'state' | 'set'>): readonly Offer[] {
  const accounts = [...new Set(rows.map(({ order }) => order.account_id))].sort();
  return accounts.map((account) => ({
    group: 'Accounts',
    label: account,
    remark: 'only its orders',
    run: () => {
      set(filterColumn(state, 'account', { kind: 'is', texts: [account] }));
    },
  }));
}

/** Each column, to sort by it. */
export function offerColumns(columns: readonly GridColumn<OrderRow>[], { state, set }: Pick<ListControl, 'state' | 'set'>): readonly Offer[] {
  return columns.map((column) => ({
    group: 'Columns',
    label: column.title,
    remark: 'sort by it',
    run: () => {
      set(sortByColumn(state, column, false));
    },
  }));
}
