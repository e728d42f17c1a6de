import type { ReactNode } from 'react';
import styles from '../shared/orders.module.css';

interface ReservedProps {
  readonly widest: string;
  readonly children: ReactNode;
}

/** As wide as its widest text from the start: a count that grows by itself could begin a line more, which moves the list. */
export function Reserved({ widest, children }: ReservedProps) {
  return (
    <span className={styles['reserved']} data-widest={widest}>
      {children}
    </span>
  );
}
