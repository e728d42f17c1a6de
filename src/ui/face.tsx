import type { ReactNode } from 'react';
import styles from './face.module.css';

export interface FaceProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Read out at once by a screen reader, for what the user has to know now. */
  readonly urgent?: boolean;
}

/** What stands where data would: says what is the matter and, where there is something to do, offers it. */
export function Face({ title, children, urgent = false }: FaceProps) {
  return (
    <section className={styles['face']} role={urgent ? 'alert' : undefined}>
      <h1 className={styles['title']}>{title}</h1>
      {children}
    </section>
  );
}
