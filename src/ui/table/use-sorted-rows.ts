import { createSortedRowModel, rowSortingFeature, tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table';
import { useMemo } from 'react';
import { compareValues, type SortValue } from './compare-values.ts';
import type { SortLevel } from './sort-param.ts';
import type { SortableColumn } from './sortable-column.ts';

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

interface SortedRowsOptions<Row> {
  readonly columns: readonly SortableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly sorting: readonly SortLevel[];
  readonly onSort: (sorting: readonly SortLevel[]) => void;
}

/** How the head of a column shows and changes the order. */
export interface ColumnOrder {
  readonly direction: 'asc' | 'desc' | false;
  /** 1 for the first level where there are several, else null. */
  readonly level: number | null;
  /** Adds a level with Shift. */
  readonly toggle: (event: unknown) => void;
}

export interface SortedRows<Row> {
  readonly rows: readonly Row[];
  /** Undefined for a column that cannot be sorted. */
  readonly orderOf: (id: string) => ColumnOrder | undefined;
}

/** Rows in the order asked for; missing values last, whichever way. */
export function useSortedRows<Row extends object>({ columns, rows, sorting, onSort }: SortedRowsOptions<Row>): SortedRows<Row> {
  const definitions = useMemo(() => columns.map(toDefinition), [columns]);
  const state = useMemo(() => ({ sorting: sorting.map((level) => ({ ...level })) }), [sorting]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    state,
    enableSortingRemoval: false,
    onSortingChange: (updater) => {
      onSort(typeof updater === 'function' ? updater(state.sorting) : updater);
    },
  });
  return {
    rows: table.getRowModel().rows.map(({ original }) => original),
    orderOf: (id) => {
      const column = table.getColumn(id);
      const toggle = column?.getToggleSortingHandler();
      if (column === undefined || toggle === undefined || !column.getCanSort()) return undefined;
      return { direction: column.getIsSorted(), level: sorting.length > 1 && column.getIsSorted() !== false ? column.getSortIndex() + 1 : null, toggle };
    },
  };
}

function toDefinition<Row extends object>({ id, numeric = false, sortBy }: SortableColumn<Row>): ColumnDef<typeof features, Row> {
  return {
    id,
    accessorFn: (row) => sortBy?.(row),
    enableSorting: sortBy !== undefined,
    sortDescFirst: numeric,
    sortUndefined: 'last',
    sortFn: (a, b, column) => compareValues(a.getValue<SortValue>(column), b.getValue<SortValue>(column)),
  };
}
