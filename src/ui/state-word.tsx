import type { ReactNode } from 'react';
import styles from './state-word.module.css';

/** A word of state with a mark of its own shape, so that colour is not needed to tell them apart. */
export function StateWord({ state, children }: { readonly state: 'good' | 'attention' | 'bad' | 'none'; readonly children: ReactNode }) {
  return (
    <span className={styles['word']} data-state={state}>
      {children}
    </span>
  );
}
