import { lazyOverlay } from '../lazy.tsx';
import type { GridTable } from './grid-props.ts';

export const LazyColumnsDialog = lazyOverlay(async () => (await import('./columns-dialog.tsx')).ColumnsDialog);

interface ColumnsButtonProps {
  readonly table: GridTable<never>;
  /** Restores the default layout. */
  readonly reset: () => void;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** Opens the columns dialog. */
export function ColumnsButton({ table, reset, isOpen, setOpen }: ColumnsButtonProps) {
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
          table={table}
          reset={reset}
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}
