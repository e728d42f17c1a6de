import { useState } from 'react';
import type { ReactNode } from 'react';
import { NARROW } from '#page/kit/use-media.ts';
import styles from './history.module.css';

/** Fields of filters, folded away on a phone. */
export function FoldedFilters({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState(() => !matchMedia(NARROW).matches);
  return (
    <details
      className={styles['query']}
      open={open}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
      }}
    >
      <summary>{title}</summary>
      <div className={styles['fields']} role="group" aria-label={title}>
        {children}
      </div>
    </details>
  );
}
