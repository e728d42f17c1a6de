import type { RefObject } from 'react';
import type { GridHandle } from '#ui/grid/grid-props.ts';
import type { GridState } from '#ui/grid/grid-state.ts';
import { SearchField } from '#ui/search-field.tsx';

interface QuickFilterProps {
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly grid: RefObject<GridHandle | null>;
}

/** A filter on the text of the whole row. */
export function QuickFilter({ state, set, grid }: QuickFilterProps) {
  return (
    <SearchField
      label="Filter by any text in a row"
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
