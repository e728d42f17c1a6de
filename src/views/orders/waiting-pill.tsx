import type { Dispatch, SetStateAction } from 'react';
import styles from './orders.module.css';
import type { FollowedBook, Held } from './use-order-book.ts';

interface WaitingPillProps {
  readonly following: FollowedBook;
  readonly held: Held;
  readonly setPaused: Dispatch<SetStateAction<boolean>>;
}

/** Whether changes are let in, how many wait, and how many have not been seen. */
export function WaitingPill({ following: { book, waiting, takeIn, see }, held, setPaused }: WaitingPillProps) {
  const paused = held === 'paused';
  const unseen = book.marks.size - book.gone.length + book.goneCount;
  return (
    <span className={styles['live']}>
      <button
        type="button"
        className={styles['toggle']}
        aria-pressed={paused}
        aria-keyshortcuts="p"
        onClick={() => {
          setPaused(!paused);
        }}
      >
        {paused ? 'Paused' : 'Pause'} <kbd aria-hidden="true">P</kbd>
      </button>
      <button type="button" className={styles['pill']} data-any={waiting > 0} aria-keyshortcuts="w" title={WHY[held ?? 'none']} onClick={takeIn} disabled={waiting === 0}>
        {waiting} waiting <kbd aria-hidden="true">W</kbd>
      </button>
      <button type="button" className={styles['pill']} data-any={unseen > 0} aria-keyshortcuts="u" onClick={see} disabled={unseen === 0}>
        {unseen} unseen <kbd aria-hidden="true">U</kbd>
      </button>
    </span>
  );
}

const WHY = {
  paused: 'Changes wait because the list is paused.',
  busy: 'Changes wait while the pointer or the keyboard is in the list: rows do not move under it.',
  none: 'Changes come in as they are read.',
} as const;
