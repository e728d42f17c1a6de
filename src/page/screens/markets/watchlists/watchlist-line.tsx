import { useEffect, useRef, useState } from 'react';
import { countOf } from '#model/format/count.ts';
import { NameForm } from './name-form.tsx';
import type { Watchlist } from './watchlist-store.ts';
import styles from './watchlists.module.css';

interface WatchlistLineProps {
  readonly list: Watchlist;
  readonly isShown: boolean;
  /** The last list cannot be deleted. */
  readonly isLast: boolean;
  readonly show: () => void;
  /** Why it cannot have a name, or null. */
  readonly whyNot: (name: string) => string | null;
  readonly rename: (name: string) => void;
  readonly remove: () => void;
}

type Mode = 'plain' | 'renaming' | 'deleting';

export function WatchlistLine({
  list: { name, products },
  isShown,
  isLast,
  show,
  whyNot,
  rename,
  remove,
}: WatchlistLineProps) {
  const [mode, setMode] = useState<Mode>('plain');
  const button = useReturnedFocus(mode === 'plain');
  const leave = (): void => {
    setMode('plain');
  };
  if (mode === 'renaming') {
    return (
      <li>
        <NameForm
          label={`New name of ${name}`}
          labelHidden
          action="Save"
          initial={name}
          whyNot={whyNot}
          cancel={leave}
          save={(next) => {
            rename(next);
            leave();
          }}
        />
      </li>
    );
  }
  if (mode === 'deleting') {
    return (
      <li>
        <span className={styles['question']}>
          Delete “{name}” with {countOf(products.length, 'product')}?
        </span>
        <button type="button" onClick={remove}>
          Delete
        </button>
        <button type="button" autoFocus onClick={leave}>
          Keep
        </button>
      </li>
    );
  }
  return (
    <li>
      <button ref={button} type="button" className={styles['list']} aria-current={isShown} onClick={show}>
        <span className={styles['name']}>{name}</span>{' '}
        <span className={styles['count']}>{countOf(products.length, 'product')}</span>
      </button>
      <button
        type="button"
        aria-label={`Rename ${name}`}
        onClick={() => {
          setMode('renaming');
        }}
      >
        Rename
      </button>
      {!isLast && (
        <button
          type="button"
          aria-label={`Delete ${name}`}
          onClick={() => {
            if (products.length === 0) remove();
            else setMode('deleting');
          }}
        >
          Delete
        </button>
      )}
    </li>
  );
}

/** The focus comes back to the line when its form is left. */
function useReturnedFocus(isPlain: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasPlain = useRef(isPlain);
  useEffect(() => {
    if (isPlain && !wasPlain.current) button.current?.focus();
    wasPlain.current = isPlain;
  }, [isPlain]);
  return button;
}
