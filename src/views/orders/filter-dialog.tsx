import { useMemo, useState } from 'react';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { LaterDialog } from '#ui/later-dialog.tsx';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import { filterColumn } from '#ui/grid/change-state.ts';
import type { GridFilter, GridState } from '#ui/grid/grid-state.ts';
import { toWordOf } from '#ui/grid/row-filter.ts';
import { toFilterUnit } from './filter-text.ts';
import { BoundsFilter } from './bounds-filter.tsx';
import styles from './orders.module.css';
import { WordsFilter } from './words-filter.tsx';

interface FilterDialogProps {
  /** Where it begins. */
  readonly columnId?: string | undefined;
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly rows: readonly OrderRow[];
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly close: () => void;
}

/** A filter for each column: words to choose from or to look for, numbers to bound. */
export function FilterDialog({ columnId = 'product', columns, rows, state, set, close }: FilterDialogProps) {
  const [id, setId] = useState(columnId);
  const column = columns.find((one) => one.id === id);
  const filter = state.filters[id];
  const put = (next: GridFilter | null): void => {
    set(filterColumn(state, id, next));
  };
  return (
    <LaterDialog title="Filter by a column" close={close}>
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
        {column?.kind === 'number' && <BoundsFilter key={id} filter={filter} put={put} unit={toFilterUnit(column)} />}
        {column?.kind === 'text' && <ColumnWords key={id} column={column} rows={rows} filter={filter} put={put} />}
        {filter !== undefined && (
          <button
            type="button"
            onClick={() => {
              put(null);
            }}
          >
            Let everything through
          </button>
        )}
      </div>
    </LaterDialog>
  );
}

interface ColumnWordsProps {
  readonly column: GridColumn<OrderRow>;
  readonly rows: readonly OrderRow[];
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
}

function ColumnWords({ column, rows, filter, put }: ColumnWordsProps) {
  const words = useMemo(() => countWords(rows, column), [rows, column]);
  return <WordsFilter words={words} filter={filter} put={put} unit={toFilterUnit(column)} />;
}

/** Made once: with options, a text's own comparison makes one each time. */
const collator = new Intl.Collator('en', { numeric: true });

/** Every text of the column with how often it occurs, the most frequent first. */
function countWords(rows: readonly OrderRow[], column: GridColumn<OrderRow>): readonly (readonly [word: string, count: number])[] {
  const counts = new Map<string, number>();
  const wordOf = toWordOf(column);
  for (const row of rows) {
    const word = wordOf(row);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort(([a, left], [b, right]) => right - left || collator.compare(a, b));
}
