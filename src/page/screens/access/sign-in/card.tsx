import { useId } from 'react';
import type { ReactNode } from 'react';
import styles from './sign-in.module.css';

interface CardProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A page with one thing to do, without the screens. */
export function Card({ title, children }: CardProps) {
  const id = useId();
  return (
    <main className={styles['page']}>
      <section className={styles['card']} aria-labelledby={id}>
        <p className={styles['brand']}>Perpdesk</p>
        <h1 id={id}>{title}</h1>
        {children}
      </section>
    </main>
  );
}
