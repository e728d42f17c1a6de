import type { ReactNode } from 'react';
import styles from './price.module.css';

interface MoreButtonProps {
  readonly shown: 'main' | 'all';
  readonly set: (shown: 'main' | 'all') => void;
  /** Id of what it shows more of. */
  readonly controls: string;
  readonly children: ReactNode;
}

/** Where there is no room for all, shows the rest or hides it. */
export function MoreButton({ shown, set, controls, children }: MoreButtonProps) {
  return (
    <button
      type="button"
      className={styles['more']}
      aria-expanded={shown === 'all'}
      aria-controls={controls}
      onClick={() => {
        set(shown === 'all' ? 'main' : 'all');
      }}
    >
      {children}
    </button>
  );
}
