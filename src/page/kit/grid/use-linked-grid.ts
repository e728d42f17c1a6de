import { useState } from 'react';
import type { ComponentProps } from 'react';
import { useNavigator } from '../navigation/navigation.tsx';
import type { ColumnsButton } from './columns-button.tsx';
import type { GridColumn } from '#model/tables/grid-column.ts';
import type { GridProps } from './grid-props.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useGridTooltips, type ExplainCell } from './use-grid-tooltips.tsx';
import type { StoredGrid } from './use-stored-grid.ts';

interface LinkedGridOptions<Row> {
  readonly columns: readonly GridColumn<Row>[];
  readonly stored: StoredGrid;
  /** Must keep its identity between renders. */
  readonly explain: ExplainCell<Row>;
  /** Address of the screen that a row opens. */
  readonly toPath: (row: Row) => string;
}

interface LinkedGrid<Row> {
  readonly grid: Omit<GridProps<Row>, 'label' | 'rows'>;
  readonly columnsButton: ComponentProps<typeof ColumnsButton>;
}

/** A grid whose rows open other screens; the screen filters it, and a dialog chooses its columns. */
export function useLinkedGrid<Row>({ columns, stored, explain, toPath }: LinkedGridOptions<Row>): LinkedGrid<Row> {
  const navigator = useNavigator();
  const letters = useGridKeys(false);
  const tooltips = useGridTooltips(explain);
  const [isOpen, setOpen] = useState(false);
  const table = { columns, state: stored.state, set: stored.set };
  const grid = {
    table,
    letters,
    filters: false,
    onColumnMenu: () => {
      setOpen(true);
    },
    onOpen: (row: Row) => {
      navigator.go(toPath(row));
    },
    ...tooltips,
  };
  return { grid, columnsButton: { table, reset: stored.resetLayout, isOpen, setOpen } };
}
