import type { RefObject } from 'react';
import type { GridHandle } from '#ui/grid/grid-props.ts';
import type { GridState } from '#ui/grid/grid-state.ts';
import { SearchField } from '#ui/search-field.tsx';

interface QuickFilterProps {
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly grid: RefObject<GridHandle | null>;
}

/** One filter over all that a row says. */
export function QuickFilter({ state, set, grid }: QuickFilterProps) {
  return (
    <SearchField
      label="Filter by anything a row says"
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
