import type { ReactNode } from 'react';
import styles from './status-badge.module.css';

/** A status with a mark whose shape differs by state, so that it does not depend on colour. */
export function StatusBadge({
  state,
  children,
}: {
  readonly state: 'good' | 'attention' | 'bad' | 'none';
  readonly children: ReactNode;
}) {
  return (
    <span className={styles['badge']} data-state={state}>
      {children}
    </span>
  );
}
