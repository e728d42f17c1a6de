import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import styles from './orders.module.css';

/** On a phone, controls that are used rarely are behind a button, so that the list begins high on the screen. */
export function FoldedTools({ children }: { readonly children: ReactNode }) {
  const isNarrow = useMedia(NARROW);
  const [open, setOpen] = useState(false);
  const id = useId();
  if (!isNarrow) return children;
  return (
    <>
      <button
        type="button"
        className={styles['toggle']}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => {
          setOpen(!open);
        }}
      >
        Tools
      </button>
      <div id={id} className={styles['folded']} hidden={!open}>
        {children}
      </div>
    </>
  );
}
