import { useMemo, useRef } from 'react';
import type { KeyBinding } from './keyboard.ts';
import { useKeys } from './use-keys.tsx';
import styles from './search-field.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder?: string;
  /** Heading of its shortcut in the list of shortcuts. */
  readonly group: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Moves the focus to the results. */
  readonly leave: () => void;
}

/** A field that filters a list: `/` focuses it, Enter and arrow down move to the results, Escape clears it. */
export function SearchField({ label, placeholder = 'Filter', group, value, onChange, leave }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const keys = useMemo(
    (): readonly KeyBinding[] => [
      {
        keys: '/',
        label: 'Filter the list',
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
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => {
          onChange(target.value);
        }}
        onKeyDown={(event) => {
          // An input method uses these keys while it composes a character.
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
