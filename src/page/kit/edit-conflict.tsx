import type { ReactNode } from 'react';
import { useAnnounced } from './live-region.tsx';
import styles from './edit-conflict.module.css';

interface EditConflictProps {
  readonly title: string;
  /** What becomes of what the user entered. */
  readonly own: string;
  /** What somebody else has made of it, and what can be done. */
  readonly children: ReactNode;
}

/** Somebody else has changed what a form edits while it was open. */
export function EditConflict({ title, own, children }: EditConflictProps) {
  useAnnounced(title, true);
  return (
    <div role="group" aria-label="Changed meanwhile" className={styles['conflict']}>
      <p>
        <strong>{title}</strong> {own}
      </p>
      {children}
    </div>
  );
}
