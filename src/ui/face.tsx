import type { ReactNode } from 'react';
import styles from './face.module.css';

export interface FaceProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Read out at once by a screen reader, for what the user has to know now. */
  readonly urgent?: boolean;
  /** Of its heading: 1 where it stands in place of a whole screen. */
  readonly level?: 1 | 3;
}

/** What stands where data would: says what is the matter and, where there is something to do, offers it. */
export function Face({ title, children, urgent = false, level = 1 }: FaceProps) {
  const Heading = `h${level}` as const;
  return (
    <section className={styles['face']} data-level={level} role={urgent ? 'alert' : undefined}>
      <Heading className={styles['title']}>{title}</Heading>
      {children}
    </section>
  );
}
