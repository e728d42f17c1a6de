import { lazyOverlay } from '#page/kit/lazy.tsx';
import type { RefObject } from 'react';
import type { OrderRow } from '#model/orders/order-row.ts';
import { filterColumn, type GridHandle } from '#page/kit/grid/grid-props.ts';
import type { GridColumn, GridFilter, GridState } from '#model/tables/grid.ts';
import hidden from '#page/kit/hidden.module.css';
import { describeFilter } from '#model/tables/orders/filter-text.ts';
import styles from './orders.module.css';

/** Loaded when first opened, because it contains the fields for every kind of column. */
export const LazyFilterDialog = lazyOverlay(async () => (await import('./filter-dialog.tsx')).FilterDialog);

interface FilterChipsProps {
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly grid: RefObject<GridHandle | null>;
  /** Shown before the chips where there are several lists of them. */
  readonly heading?: string;
  /** Selects the filters that belong in this list of chips. */
  readonly includes?: (columnId: string, filter: GridFilter) => boolean;
}

/** Shows the active filters; a click removes one. */
export function FilterChips({ state, set, columns, grid, heading, includes = includesAll }: FilterChipsProps) {
  const filters = Object.entries(state.filters).filter(([id, filter]) => includes(id, filter));
  if (filters.length === 0) return null;
  return (
    <ul className={styles['chips']} aria-label={heading ?? 'Filters'}>
      {heading !== undefined && (
        <li className={styles['scope']} aria-hidden="true">
          {heading}
        </li>
      )}
      {filters.map(([id, filter]) => {
        const column = columns.find((one) => one.id === id);
        return (
          <li key={id}>
            <button
              type="button"
              className={styles['chip']}
              onClick={({ currentTarget }) => {
                moveFocus(currentTarget, grid);
                set(filterColumn(state, id, null));
              }}
            >
              {column?.title ?? id} <b>{describeFilter(filter, column)}</b>
              <span aria-hidden="true">×</span>
              <span className={hidden['hidden']}>, remove filter</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function includesAll(): boolean {
  return true;
}

/** Moves the focus from a chip that is about to disappear to the next chip, the previous one, or the grid. */
function moveFocus(chip: HTMLElement, grid: FilterChipsProps['grid']): void {
  const item = chip.closest('li');
  const beside = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button');
  if (beside) beside.focus();
  else grid.current?.focus();
}
