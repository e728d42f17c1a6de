import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** Whether screen readers announce it at once. */
  readonly urgent?: boolean;
  /** Level of the heading: 1 if it replaces a whole screen. */
  readonly level?: 1 | 3;
}

/** Stands in for missing data: it says why they are missing and offers a remedy, if there is one. */
export function EmptyState({ title, children, urgent = false, level = 3 }: EmptyStateProps) {
  const Heading = `h${level}` as const;
  return (
    <section className={styles['empty']} data-level={level} role={urgent ? 'alert' : undefined}>
      <Heading className={styles['title']}>{title}</Heading>
      {children}
    </section>
  );
}
