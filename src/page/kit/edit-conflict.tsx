import type { ReactNode } from 'react';
import { useAnnounced } from './live-region.tsx';
import styles from './edit-conflict.module.css';

interface EditConflictProps {
  readonly title: string;
  /** What happens to the user’s own edits. */
  readonly own: string;
  /** The other version, and what the user can do. */
  readonly children: ReactNode;
}

/** A notice that another person changed the record while its form was open. */
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
