import type { RefObject } from 'react';
import type { OrderRow } from '#model/orders/order-row.ts';
import type { GridHandle } from '#page/kit/grid/grid-props.ts';
import type { GridColumn } from '#model/tables/grid-column.ts';
import { filterColumn } from '#page/kit/grid/change-state.ts';
import type { GridFilter, GridState } from '#model/tables/grid-state.ts';
import hidden from '#page/kit/hidden.module.css';
import { describeFilter } from '#model/tables/orders/filter-text.ts';
import styles from '../shared/orders.module.css';

interface FilterChipsProps {
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly grid: RefObject<GridHandle | null>;
  /** Shown before them, where there are several lists. */
  readonly heading?: string;
  /** Which filters are in this list. */
  readonly includes?: (columnId: string, filter: GridFilter) => boolean;
}

/** The active filters; a click removes one. */
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

/** A pressed chip disappears: focus moves to the next chip, the one before it, or the list. */
function moveFocus(chip: HTMLElement, grid: FilterChipsProps['grid']): void {
  const item = chip.closest('li');
  const beside = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button');
  if (beside) beside.focus();
  else grid.current?.focus();
}
