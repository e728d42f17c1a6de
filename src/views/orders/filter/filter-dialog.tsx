import { useMemo, useState } from 'react';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { LazyDialog } from '#ui/lazy.tsx';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import { filterColumn } from '#ui/grid/change-state.ts';
import type { GridFilter, GridState } from '#ui/grid/grid-state.ts';
import { toWordOf } from '#ui/grid/row-filter.ts';
import { toFilterUnit } from './filter-text.ts';
import { NumberFilter } from './number-filter.tsx';
import styles from '../orders.module.css';
import { TextFilter } from './text-filter.tsx';

interface FilterDialogProps {
  /** The column that is selected first. */
  readonly columnId?: string | undefined;
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly rows: readonly OrderRow[];
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly close: () => void;
}

export function FilterDialog({ columnId = 'product', columns, rows, state, set, close }: FilterDialogProps) {
  const [id, setId] = useState(columnId);
  const column = columns.find((one) => one.id === id);
  const filter = state.filters[id];
  const put = (next: GridFilter | null): void => {
    set(filterColumn(state, id, next));
  };
  return (
    <LazyDialog title="Filter by column" close={close}>
      <div className={styles['form']}>
        <label className={styles['choice']}>
          Column
          <select
            value={id}
            onChange={({ target }) => {
              setId(target.value);
            }}
          >
            {columns.map(({ id: value, title }) => (
              <option key={value} value={value}>
                {title}
                {state.filters[value] === undefined ? '' : ' (filtered)'}
              </option>
            ))}
          </select>
        </label>
        {column?.kind === 'number' && <NumberFilter key={id} filter={filter} put={put} unit={toFilterUnit(column)} />}
        {column?.kind === 'text' && <ColumnValues key={id} column={column} rows={rows} filter={filter} put={put} />}
        {filter !== undefined && (
          <button
            type="button"
            onClick={() => {
              put(null);
            }}
          >
            Clear filter
          </button>
        )}
      </div>
    </LazyDialog>
  );
}

interface ColumnValuesProps {
  readonly column: GridColumn<OrderRow>;
  readonly rows: readonly OrderRow[];
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
}

function ColumnValues({ column, rows, filter, put }: ColumnValuesProps) {
  const words = useMemo(() => countValues(rows, column), [rows, column]);
  return <TextFilter words={words} filter={filter} put={put} unit={toFilterUnit(column)} />;
}

const collator = new Intl.Collator('en', { numeric: true });

/** The values of the column with their counts, the most frequent first. */
function countValues(rows: readonly OrderRow[], column: GridColumn<OrderRow>): readonly (readonly [word: string, count: number])[] {
  const counts = new Map<string, number>();
  const wordOf = toWordOf(column);
  for (const row of rows) {
    const word = wordOf(row);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort(([a, left], [b, right]) => right - left || collator.compare(a, b));
}
