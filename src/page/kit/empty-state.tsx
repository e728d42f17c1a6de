import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** Announced at once by screen readers. */
  readonly urgent?: boolean;
  /** Level of its heading: 1 where it replaces a whole screen. */
  readonly level?: 1 | 3;
}

/** Takes the place of data that are missing: says why and, where something can be done, offers it. */
export function EmptyState({ title, children, urgent = false, level = 3 }: EmptyStateProps) {
  const Heading = `h${level}` as const;
  return (
    <section className={styles['empty']} data-level={level} role={urgent ? 'alert' : undefined}>
      <Heading className={styles['title']}>{title}</Heading>
      {children}
    </section>
  );
}
