import { useMemo } from 'react';
import { countOf, formatCount } from '#model/format/count.ts';
import { NO_VALUE } from '#model/format/number.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { LazyDialog } from '#page/kit/lazy.tsx';
import type { GridColumn } from '#model/tables/grid-column.ts';
import type { GridState } from '#model/tables/grid-state.ts';
import {
  countFound,
  isOn,
  QUICK_FILTERS,
  toggleQuickFilter,
  type QuickFilter,
} from '#model/tables/orders/quick-filters.ts';
import styles from '../shared/orders.module.css';

interface QuickFiltersProps {
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly rows: readonly OrderRow[];
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly close: () => void;
}

/** Ready-made filters. Each consists of ordinary filters of columns, so links and saved views keep it. */
export function QuickFiltersDialog({ columns, rows, state, set, close }: QuickFiltersProps) {
  return (
    <LazyDialog title="Quick filters" close={close}>
      {QUICK_FILTERS.map(({ heading, note, filters }) => (
        <section key={heading} className={styles['quick']} aria-label={heading}>
          <h3>
            {heading} {note !== undefined && <small>{note}</small>}
          </h3>
          {filters.map((quick) => (
            <QuickFilterButton key={quick.label} quick={quick} columns={columns} rows={rows} state={state} set={set} />
          ))}
        </section>
      ))}
      <p className={styles['form']}>
        Each count is of all {countOf(rows.length, 'working order')}. Selected filters apply together.
      </p>
    </LazyDialog>
  );
}

interface QuickFilterButtonProps extends Omit<QuickFiltersProps, 'close'> {
  readonly quick: QuickFilter;
}

function QuickFilterButton({ quick, columns, rows, state, set }: QuickFilterButtonProps) {
  const count = useMemo(() => countFound(rows, columns, quick), [rows, columns, quick]);
  const on = isOn(quick, state);
  return (
    <button
      type="button"
      className={styles['quickFilter']}
      aria-pressed={on}
      onClick={() => {
        set(toggleQuickFilter(state, quick, !on));
      }}
    >
      <span>{quick.label}</span>
      {count === null ? (
        <span title="No order has a value in this column, or the values are not loaded yet">{NO_VALUE}</span>
      ) : (
        <span>{formatCount(count)}</span>
      )}
    </button>
  );
}
