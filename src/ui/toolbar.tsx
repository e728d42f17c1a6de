import type { ReactNode } from 'react';
import styles from './toolbar.module.css';

interface ToolbarProps {
  /** Name of the screen. */
  readonly title: string;
  /** What the screen's state is set with. */
  readonly children?: ReactNode;
  /** Stands at the other end: how old, how complete. */
  readonly aside?: ReactNode;
}

/** The one bar of a screen: it names it and holds its state. */
export function Toolbar({ title, children, aside }: ToolbarProps) {
  return (
    <div className={styles['bar']}>
      <h1 className={styles['title']}>{title}</h1>
      {children}
      <div className={styles['aside']}>{aside}</div>
    </div>
  );
}
