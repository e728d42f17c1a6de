import { useMemo, useRef } from 'react';
import type { KeyBinding } from './keys/keyboard.ts';
import { useKeys } from './keys/use-keys.tsx';
import styles from './search-field.module.css';

interface SearchFieldProps {
  readonly label: string;
  /** Of the keys that the sheet of keys lists. */
  readonly group: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Gives the keyboard to what was found. */
  readonly leave: () => void;
}

/** The one field that filters a list: `/` leads to it, Enter and the arrow down to what it found, Escape empties it. */
export function SearchField({ label, group, value, onChange, leave }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const keys = useMemo(
    (): readonly KeyBinding[] => [
      {
        keys: '/',
        does: 'Filter the list',
        group,
        run: () => {
          input.current?.focus();
          input.current?.select();
        },
      },
    ],
    [group],
  );
  useKeys(keys);
  return (
    <span className={styles['search']}>
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder="Filter"
        value={value}
        onChange={({ target }) => {
          onChange(target.value);
        }}
        onKeyDown={(event) => {
          // The keys are those of who composes a character.
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Escape') onChange('');
          if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
          event.preventDefault();
          leave();
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </span>
  );
}
