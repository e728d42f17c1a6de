import type { RefObject } from 'react';
import type { GridHandle } from '#page/kit/grid/grid-props.ts';
import type { GridState } from '#model/tables/grid-state.ts';
import { SearchField } from '#page/kit/controls/search-field.tsx';

interface QuickFilterProps {
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly grid: RefObject<GridHandle | null>;
  /** Which rows it applies to, where that is not all of them. */
  readonly scope?: string;
}

/** A filter on the text of the whole row. */
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
