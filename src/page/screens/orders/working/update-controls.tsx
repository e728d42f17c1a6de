import type { Dispatch, SetStateAction } from 'react';
import { countOf, formatCount } from '#model/format/count.ts';
import styles from '../shared/orders.module.css';
import { Reserved } from './reserved.tsx';
import type { LiveOrders, HoldReason } from './use-live-orders.ts';

interface UpdateControlsProps {
  readonly live: LiveOrders;
  readonly held: HoldReason;
  readonly setPaused: Dispatch<SetStateAction<boolean>>;
}

/** Pauses updates, applies pending ones, and clears the marks of changes. */
export function UpdateControls({
  live: { tracked, pending, applyPending, markAllSeen },
  held,
  setPaused,
}: UpdateControlsProps) {
  const paused = held === 'paused';
  const unseen = tracked.marks.size - tracked.gone.length + tracked.goneCount;
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
        <Reserved widest="Paused">{paused ? 'Paused' : 'Pause'}</Reserved> <kbd aria-hidden="true">P</kbd>
      </button>
      <button
        type="button"
        className={styles['pill']}
        data-any={pending > 0}
        aria-keyshortcuts="w"
        title={PENDING_TITLES[held ?? 'none']}
        onClick={applyPending}
        disabled={pending === 0}
      >
        <Reserved widest="9,999 pending">{formatCount(pending)} pending</Reserved> <kbd aria-hidden="true">W</kbd>
      </button>
      <button
        type="button"
        className={styles['pill']}
        data-any={unseen > 0}
        aria-keyshortcuts="u"
        onClick={markAllSeen}
        disabled={unseen === 0}
      >
        <Reserved widest="9,999 new changes">{countOf(unseen, 'new change')}</Reserved> <kbd aria-hidden="true">U</kbd>
      </button>
    </span>
  );
}

const PENDING_TITLES = {
  paused: 'Updates are held because the list is paused.',
  held: 'Updates are held while the pointer moves over the list, so that rows do not move away from it.',
  none: 'Updates are applied as they arrive.',
} as const;
