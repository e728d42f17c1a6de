import { type ReactNode, type RefObject, useId, useState } from 'react';
import type { GridHandle } from '#page/kit/grid/grid-props.ts';
import type { GridState } from '#model/tables/grid.ts';
import { SearchField } from '#page/kit/search-field.tsx';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import history from './history.module.css';
import styles from './orders.module.css';

/** Explains the accepted forms of time in a field. */
export const TIME_HINT =
  'A day or a time such as 2026-08-17 09:30, today, yesterday, or 15 min, 1 h, 2 d or 1 w ago. UTC.';

interface DialogButtonProps {
  readonly name: string;
  readonly open: () => void;
}

/** A toolbar button that opens a dialog. */
export function DialogButton({ name, open }: DialogButtonProps) {
  return (
    <button type="button" aria-haspopup="dialog" onClick={open}>
      {name}
    </button>
  );
}

interface QuickFilterProps {
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly grid: RefObject<GridHandle | null>;
  /** The rows that the filter applies to, if not all. */
  readonly scope?: string;
}

/** Filters by the text of the whole row. */
export function QuickFilter({ state, set, grid, scope }: QuickFilterProps) {
  return (
    <SearchField
      label={scope === undefined ? 'Filter by any text in a row' : `Filter ${scope} by any text in a row`}
      placeholder={scope === undefined ? 'Filter' : `Filter ${scope}`}
      group="Orders"
      value={state.quick}
      onChange={(quick) => {
        set({ ...state, quick });
      }}
      leave={() => {
        grid.current?.focus();
      }}
    />
  );
}

/** Groups filter fields, initially collapsed on a phone. */
export function FoldedFilters({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState(() => !matchMedia(NARROW).matches);
  return (
    <details
      className={history['query']}
      open={open}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
      }}
    >
      <summary>{title}</summary>
      <div className={history['fields']} role="group" aria-label={title}>
        {children}
      </div>
    </details>
  );
}

/** Hides rarely used controls behind a button on a phone, so that the list starts high on the screen. */
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
