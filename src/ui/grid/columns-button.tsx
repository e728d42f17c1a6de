import type { GridColumn } from './grid-column.ts';
import { LaterColumnsDialog } from './later-columns-dialog.tsx';
import type { KeptGrid } from './use-kept-grid.ts';

interface ColumnsButtonProps {
  readonly columns: readonly GridColumn<never>[];
  readonly kept: KeptGrid;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** Opens the choice of columns. */
export function ColumnsButton({ columns, kept: { state, set, resetLayout }, isOpen, setOpen }: ColumnsButtonProps) {
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true);
        }}
      >
        Columns
      </button>
      {isOpen && (
        <LaterColumnsDialog
          columns={columns}
          state={state}
          set={set}
          reset={resetLayout}
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}
