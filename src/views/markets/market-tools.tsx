import { useMemo, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import type { KeyBinding } from '#ui/keys/keyboard.ts';
import { useKeys } from '#ui/keys/use-keys.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { Segmented } from '#ui/segmented.tsx';
import styles from './markets-screen.module.css';
import { grouping, markedFilter, textFilter, typeFilter, TYPES } from './view-params.ts';

/** What narrows and orders the list. */
export function MarketTools() {
  const [type, setType] = useUrlState(typeFilter);
  const [only, setOnly] = useUrlState(markedFilter);
  const [group, setGroup] = useUrlState(grouping);
  return (
    <>
      <TextFilter />
      <Segmented label="Type" choices={TYPES} value={type} onChange={setType} />
      <Toggle
        text="★ Favourites"
        on={only === 'favourites'}
        set={(on) => {
          setOnly(on ? 'favourites' : 'all');
        }}
      />
      <Toggle
        text="By underlying"
        on={group === 'underlying'}
        set={(on) => {
          setGroup(on ? 'underlying' : 'none');
        }}
      />
    </>
  );
}

function TextFilter() {
  const [text, setText] = useUrlState(textFilter);
  const input = useRef<HTMLInputElement>(null);
  const keys = useMemo(
    (): readonly KeyBinding[] => [
      {
        keys: '/',
        does: 'Filter the list',
        group: 'Markets',
        run: () => {
          input.current?.focus();
          input.current?.select();
        },
      },
    ],
    [],
  );
  useKeys(keys);
  return (
    <span className={styles['search']}>
      <input
        ref={input}
        type="search"
        className={styles['filter']}
        aria-label="Filter by symbol, name or underlying"
        placeholder="Filter"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'Enter') goToFirstRow(event);
          if (event.key === 'Escape') setText('');
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </span>
  );
}

function goToFirstRow(event: KeyboardEvent<HTMLElement>): void {
  const link = event.currentTarget.closest('main')?.querySelector<HTMLElement>('tbody a');
  if (!link) return;
  event.preventDefault();
  link.focus();
}

interface ToggleProps {
  readonly text: string;
  readonly on: boolean;
  readonly set: (on: boolean) => void;
}

function Toggle({ text, on, set }: ToggleProps) {
  return (
    <button
      type="button"
      className={styles['toggle']}
      aria-pressed={on}
      onClick={() => {
        set(!on);
      }}
    >
      {text}
    </button>
  );
}
