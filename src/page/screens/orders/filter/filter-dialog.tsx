import { useMemo, useState } from 'react';
import { countOf, formatCount } from '#model/format/count.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { Dialog } from '#page/kit/dialog.tsx';
import type { GridColumn } from '#model/tables/grid-column.ts';
import { filterColumn } from '#page/kit/grid/change-state.ts';
import type { GridFilter, GridState } from '#model/tables/grid-state.ts';
import { countMatches, countValues, findExtent } from '#model/tables/orders/column-facts.ts';
import { describeFilter, toFilterUnit } from '#model/tables/orders/filter-text.ts';
import { IdFilter } from './id-filter.tsx';
import { NumberFilter } from './number-filter.tsx';
import styles from '../shared/orders.module.css';
import { TextFilter } from './text-filter.tsx';
import { TimeFilter } from './time-filter.tsx';

interface FilterDialogProps {
  /** The column that is selected first. */
  readonly columnId?: string | undefined;
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly rows: readonly OrderRow[];
  /** What a row is. */
  readonly noun: string;
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly close: () => void;
  /** Who applies the filter of a column, where that differs: a sentence. */
  readonly describeScope?: (columnId: string, filter: GridFilter | undefined) => string;
}

export function FilterDialog({
  columnId = 'product',
  columns,
  rows,
  noun,
  state,
  set,
  close,
  describeScope,
}: FilterDialogProps) {
  const [id, setId] = useState(columnId);
  const column = columns.find((one) => one.id === id);
  const filter = state.filters[id];
  const put = (next: GridFilter | null): void => {
    set(filterColumn(state, id, next));
  };
  return (
    <Dialog title="Filter by column" close={close}>
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
        {describeScope !== undefined && <p className={styles['hint']}>{describeScope(id, filter)}</p>}
        {column !== undefined && <ColumnFilter key={id} column={column} rows={rows} filter={filter} put={put} />}
        {column !== undefined && filter !== undefined && (
          <>
            <Matches column={column} rows={rows} noun={noun} filter={filter} />
            <button
              type="button"
              onClick={() => {
                put(null);
              }}
            >
              Clear filter
            </button>
          </>
        )}
      </div>
    </Dialog>
  );
}

interface ColumnFilterProps {
  readonly column: GridColumn<OrderRow>;
  readonly rows: readonly OrderRow[];
  readonly filter: GridFilter | undefined;
  readonly put: (filter: GridFilter | null) => void;
}

/** The filter that suits what the column holds: times, ids, numbers or one of a few values. */
function ColumnFilter({ column, rows, filter, put }: ColumnFilterProps) {
  if (column.within !== undefined) return <TimeFilter filter={filter} put={put} />;
  if (column.unique === true) return <IdFilter filter={filter} put={put} />;
  if (column.kind === 'number') return <ColumnNumbers column={column} rows={rows} filter={filter} put={put} />;
  return <ColumnValues column={column} rows={rows} filter={filter} put={put} />;
}

function ColumnNumbers({ column, rows, filter, put }: ColumnFilterProps) {
  const extent = useMemo(() => findExtent(rows, column), [rows, column]);
  return <NumberFilter filter={filter} put={put} unit={toFilterUnit(column)} extent={extent} />;
}

function ColumnValues({ column, rows, filter, put }: ColumnFilterProps) {
  const words = useMemo(() => countValues(rows, column), [rows, column]);
  return <TextFilter words={words} filter={filter} put={put} unit={toFilterUnit(column)} />;
}

interface MatchesProps extends Pick<ColumnFilterProps, 'column' | 'rows'> {
  readonly noun: string;
  readonly filter: GridFilter;
}

/** Says what the filter is, whatever it was set by, and what it finds. */
function Matches({ column, rows, noun, filter }: MatchesProps) {
  const count = useMemo(() => countMatches(rows, [column], { [column.id]: filter }), [rows, column, filter]);
  return (
    <p className={styles['matches']}>
      {column.title} <b>{describeFilter(filter, column)}</b>: {formatCount(count)} of {countOf(rows.length, noun)}
    </p>
  );
}
