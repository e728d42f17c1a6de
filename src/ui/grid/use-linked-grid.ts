import { useState } from 'react';
import type { ComponentProps } from 'react';
import { useNavigator } from '../navigation/navigation.tsx';
import type { ColumnsButton } from './columns-button.tsx';
import type { GridColumn } from './grid-column.ts';
import type { GridProps } from './grid-props.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useGridNotes, type ExplainCell } from './use-grid-notes.tsx';
import type { KeptGrid } from './use-kept-grid.ts';

interface LinkedGridOptions<Row> {
  readonly columns: readonly GridColumn<Row>[];
  readonly kept: KeptGrid;
  /** Has to keep its identity between draws. */
  readonly explain: ExplainCell<Row>;
  /** The screen that a row leads to. */
  readonly toPath: (row: Row) => string;
}

interface LinkedGrid<Row> {
  readonly grid: Omit<GridProps<Row>, 'label' | 'rows'>;
  readonly chooser: ComponentProps<typeof ColumnsButton>;
}

/** A list that the screen filters by itself, whose rows lead to other screens and whose columns are chosen in a dialog. */
export function useLinkedGrid<Row>({ columns, kept, explain, toPath }: LinkedGridOptions<Row>): LinkedGrid<Row> {
  const navigator = useNavigator();
  const letters = useGridKeys(false);
  const notes = useGridNotes(explain);
  const [isOpen, setOpen] = useState(false);
  const grid = {
    columns,
    state: kept.state,
    letters,
    filters: false,
    onState: kept.set,
    onColumnMenu: () => {
      setOpen(true);
    },
    onOpen: (row: Row) => {
      navigator.go(toPath(row));
    },
    ...notes,
  };
  return { grid, chooser: { columns, kept, isOpen, setOpen } };
}
