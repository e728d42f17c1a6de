import type { OrderRow } from '#domain/orders/order-row.ts';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import { filterColumn } from '#ui/grid/change-state.ts';
import type { GridState } from '#ui/grid/grid-state.ts';
import { describeFilter } from './filter-text.ts';
import styles from './orders.module.css';

interface FilterChipsProps {
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly columns: readonly GridColumn<OrderRow>[];
}

/** What the list is narrowed by; each is taken off by a click. */
export function FilterChips({ state, set, columns }: FilterChipsProps) {
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
              onClick={() => {
                set(filterColumn(state, id, null));
              }}
            >
              {column?.title ?? id} <b>{describeFilter(filter, column)}</b>
              <span aria-hidden="true">×</span>
              <span className={styles['hidden']}>, take off</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
