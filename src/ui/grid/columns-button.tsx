import { lazyOverlay } from '../lazy.tsx';
import type { GridColumn } from './grid-column.ts';
import type { StoredGrid } from './use-stored-grid.ts';

export const LazyColumnsDialog = lazyOverlay(async () => (await import('./columns-dialog.tsx')).ColumnsDialog);

interface ColumnsButtonProps {
  readonly columns: readonly GridColumn<never>[];
  readonly stored: StoredGrid;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** Opens the columns dialog. */
export function ColumnsButton({ columns, stored: { state, set, resetLayout }, isOpen, setOpen }: ColumnsButtonProps) {
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
        <LazyColumnsDialog
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
