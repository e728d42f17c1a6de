import type { OrderRow } from '#model/orders/order-row.ts';
import { filterColumn, type GridTable } from '#page/kit/grid/grid-props.ts';
import type { Command } from '#page/kit/commands.tsx';
import { QUICK_FILTERS, toggleQuickFilter } from '#model/tables/orders/quick-filters.ts';
import type { SavedView } from './saved-views.ts';
import type { ListControl } from '../list-state/use-list-state.ts';

/** Returns a command for each account that shows only its orders. */
export function accountCommands(
  rows: readonly OrderRow[],
  { state, set }: Pick<ListControl, 'state' | 'set'>,
): readonly Command[] {
  const accounts = [...new Set(rows.map(({ order }) => order.account_id))].sort();
  return accounts.map((account) => ({
    group: 'Accounts',
    label: account,
    remark: 'Show only this account',
    run: () => {
      set(filterColumn(state, 'account', { kind: 'is', texts: [account] }));
    },
  }));
}

/**
 * Returns a command for each column that sorts by it. The code for that is loaded by the grid after its first paint.
 */
export function columnCommands(table: GridTable<OrderRow>, notLoaded: () => void): readonly Command[] {
  return table.columns.map((column) => ({
    group: 'Columns',
    label: column.title,
    remark: 'Sort by this column',
    run: () => {
      import('#page/kit/grid/change-columns.ts').then(({ sortByColumn }) => {
        sortByColumn(table, column.id, false);
      }, notLoaded);
    },
  }));
}

/** Returns a command for each quick filter. */
export function quickFilterCommands({ state, set }: Pick<ListControl, 'state' | 'set'>): readonly Command[] {
  return QUICK_FILTERS.flatMap(({ heading, filters }) =>
    filters.map((quick) => ({
      group: 'Quick filters',
      label: `${heading}: ${quick.label}`,
      remark: 'Show only these orders',
      run: () => {
        set(toggleQuickFilter(state, quick, true));
      },
    })),
  );
}

/** Returns a command for each saved view that opens it. */
export function viewCommands(views: readonly SavedView[], { open }: Pick<ListControl, 'open'>): readonly Command[] {
  return views.map((view) => ({
    group: 'Saved views',
    label: view.name,
    remark: 'Open this saved view',
    run: () => {
      open(view);
    },
  }));
}
