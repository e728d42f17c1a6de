import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import hidden from './hidden.module.css';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  readonly children: ReactNode;
  /** Hides the header; the title is then for screen readers only. */
  readonly bare?: boolean;
}

/** A modal window, open for as long as it is rendered. */
export function Dialog({ title, close, children, bare = false }: DialogProps) {
  return (
    <Base.Root
      open
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={styles['backdrop']} />
        <Base.Popup className={styles['popup']}>
          <header className={bare ? hidden['hidden'] : styles['header']}>
            <Base.Title className={styles['title']}>{title}</Base.Title>
            {!bare && <Base.Close className={styles['close']}>Close</Base.Close>}
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
