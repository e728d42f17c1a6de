import { useState } from 'react';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import styles from '../shared/markets-screen.module.css';

const LazyTermFilterDialog = lazyOverlay(async () => (await import('./term-filter-dialog.tsx')).TermFilterDialog);

/** Opens the filters of terms. */
export function TermFilterButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={styles['toggle']}
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true);
        }}
      >
        Expiry, call / put
      </button>
      {isOpen && (
        <LazyTermFilterDialog
          close={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}
