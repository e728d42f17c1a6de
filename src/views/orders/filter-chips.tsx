import type { RefObject } from 'react';
import type { OrderRow } from '#domain/orders/order-row.ts';
import type { GridHandle } from '#ui/grid/grid-props.ts';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import { filterColumn } from '#ui/grid/change-state.ts';
import type { GridState } from '#ui/grid/grid-state.ts';
import hidden from '#ui/hidden.module.css';
import { describeFilter } from './filter-text.ts';
import styles from './orders.module.css';

interface FilterChipsProps {
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly grid: RefObject<GridHandle | null>;
}

/** What the list is narrowed by; each is taken off by a click. */
export function FilterChips({ state, set, columns, grid }: FilterChipsProps) {
  const filters = Object.entries(state.filters);
  if (filters.length === 0) return null;
  return (
    <ul className={styles['chips']} aria-label="Filters">
      {filters.map(([id, filter]) => {
        const column = columns.find((one) => one.id === id);
        return (
          <li key={id}>
            <button
              type="button"
              className={styles['chip']}
              onClick={({ currentTarget }) => {
                keepKeyboard(currentTarget, grid);
                set(filterColumn(state, id, null));
              }}
            >
              {column?.title ?? id} <b>{describeFilter(filter, column)}</b>
              <span aria-hidden="true">×</span>
              <span className={hidden['hidden']}>, take off</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** A chip goes when it is pressed: the next has the keyboard then, or the one before it, or else the list. */
function keepKeyboard(chip: HTMLElement, grid: FilterChipsProps['grid']): void {
  const item = chip.closest('li');
  const beside = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button');
  if (beside) beside.focus();
  else grid.current?.focus();
}
