import type { ReactNode } from 'react';
import styles from './orders.module.css';

interface PanelFrameProps {
  readonly title: string;
  readonly isWide?: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** The frame of a panel beside a list. */
export function PanelFrame({ title, isWide = false, close, children }: PanelFrameProps) {
  return (
    <aside className={styles['beside']} data-wide={isWide} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      {children}
    </aside>
  );
}
