import { useMemo, useRef } from 'react';
import type { RefObject } from 'react';
import type { GridHandle } from '#ui/grid/grid-props.ts';
import type { GridState } from '#ui/grid/grid-state.ts';
import type { KeyBinding } from '#ui/keys/keyboard.ts';
import { useKeys } from '#ui/keys/use-keys.tsx';
import styles from './orders.module.css';

interface QuickFilterProps {
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly grid: RefObject<GridHandle | null>;
}

/** One filter over all that a row says. */
export function QuickFilter({ state, set, grid }: QuickFilterProps) {
  const input = useRef<HTMLInputElement>(null);
  const keys = useMemo(
    (): readonly KeyBinding[] => [
      {
        keys: '/',
        does: 'Filter the list',
        group: 'Orders',
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
        aria-label="Filter by anything a row says"
        placeholder="Filter"
        value={state.quick}
        onChange={({ target }) => {
          set({ ...state, quick: target.value });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') set({ ...state, quick: '' });
          if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
          event.preventDefault();
          grid.current?.focus();
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </span>
  );
}
