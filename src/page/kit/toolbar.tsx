import type { ReactNode } from 'react';
import styles from './toolbar.module.css';

interface ToolbarProps {
  /** Name of the screen. */
  readonly title: string;
  /** Controls of the screen. */
  readonly children?: ReactNode;
  /** At the other end: age and completeness. */
  readonly aside?: ReactNode;
}

/** The bar at the top of a screen, with its name and controls. */
export function Toolbar({ title, children, aside }: ToolbarProps) {
  return (
    <div className={styles['bar']}>
      <h1 className={styles['title']}>{title}</h1>
      {children}
      <div className={styles['aside']}>{aside}</div>
    </div>
  );
}
