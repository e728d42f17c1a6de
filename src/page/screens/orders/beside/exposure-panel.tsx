import { useMemo, useState } from 'react';
import { countOf } from '#model/format/count.ts';
import { type AccountExposure, toExposures } from '#model/orders/order-totals.ts';
import { isPresent, type OrderRow } from '#model/orders/order-row.ts';
import { CsvButton } from '#page/kit/csv-button.tsx';
import type { CellTooltip } from '#model/tables/cell-tooltip.ts';
import { filterColumn, type GridCell } from '#page/kit/grid/grid-props.ts';
import { defaultGridState, type GridColumn, type GridState, sortParam } from '#model/tables/grid.ts';
import { Grid } from '#page/kit/grid/grid.tsx';
import { toRowFilter } from '#model/tables/row-filter.ts';
import { useGridKeys, useGridTooltips } from '#page/kit/grid/use-stored-grid.tsx';
import { useGridRows } from '#page/kit/grid/use-grid-rows.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { formatInAllZones } from '#model/format/format-time.ts';
import { describeFilters } from '#model/tables/orders/filter-text.ts';
import styles from '../shared/orders.module.css';
import type { OrderSnapshot } from '../shared/order-snapshot.ts';
import { EXPOSURE_COLUMNS, toExposureCsv } from '#model/tables/orders/exposure.ts';

interface ExposurePanelProps {
  /** All rows of the list, before filtering. */
  readonly rows: readonly OrderRow[];
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly shown: OrderSnapshot;
  /** Says in a file whether the set is complete. */
  readonly word: string;
  /** Holds updates while the pointer moves over the table. */
  readonly setBusy?: (busy: boolean) => void;
}

const IDS = EXPOSURE_COLUMNS.map(({ id }) => id);
const exposureSort = sortParam('exposure', IDS, [{ id: 'gross', desc: true }]);

/**
 * Shows the resting value of each account, bids and asks separately. The list's filters apply, except the one on the
 * account.
 */
export function ExposurePanel({ rows, columns, state, set, shown, word, setBusy }: ExposurePanelProps) {
  const { account: own, ...filters } = state.filters;
  const exposures = useExposures(rows, columns, { filters, quick: state.quick });
  const { grid, ordered } = useExposureGrid(exposures, shown);
  const readAt = shown.completeness.readTo ?? new Date(shown.receivedAt).toISOString();
  const unvalued = exposures.reduce((sum, { unvalued: count, isPending }) => sum + (isPending ? 0 : count), 0);
  const write = (): string =>
    toExposureCsv(ordered(), {
      readAt,
      set: word,
      filters: describeFilters(columns, { filters, quick: state.quick }),
    });
  if (exposures.length === 0) return <p className={styles['quiet']}>No orders match the filters.</p>;
  return (
    <>
      <p className={styles['caption']}>
        Underlying notional of working orders by account. Enter or a double click shows an account’s orders.
        {unvalued > 0 && ` ${countOf(unvalued, 'order')} without a value ${unvalued === 1 ? 'is' : 'are'} in no sum.`}
      </p>
      <p className={styles['caption']}>
        <CsvButton
          fileName={`exposure-${readAt.replaceAll(':', '').slice(0, 17)}Z`}
          write={write}
          label="Save as CSV"
        />
      </p>
      <div className={styles['gridBox']}>
        <Grid
          label="Exposure by account"
          {...grid}
          opened={own?.kind === 'is' && own.texts.length === 1 ? own.texts[0] : undefined}
          onBusy={setBusy}
          onOpen={({ account }) => {
            set(filterColumn(state, 'account', { kind: 'is', texts: [account] }));
          }}
        />
      </div>
    </>
  );
}

function useExposures(
  rows: readonly OrderRow[],
  columns: readonly GridColumn<OrderRow>[],
  { filters, quick }: Pick<GridState, 'filters' | 'quick'>,
): readonly AccountExposure[] {
  // `filters` is a new object at every render, so its text serves as the key.
  const key = JSON.stringify(filters);
  return useMemo(() => {
    const passes = toRowFilter(columns, { filters: JSON.parse(key) as GridState['filters'], quick });
    return toExposures(rows.filter((row) => isPresent(row) && (passes?.(row) ?? true)));
  }, [rows, columns, key, quick]);
}

function useExposureGrid(exposures: readonly AccountExposure[], { source }: OrderSnapshot) {
  const [sorts, setSorts] = useUrlState(exposureSort);
  const [layout, setLayout] = useState(() => defaultGridState(EXPOSURE_COLUMNS));
  const state = useMemo(() => ({ ...layout, sorts }), [layout, sorts]);
  const set = (next: GridState): void => {
    if (next.sorts !== sorts) setSorts(next.sorts);
    setLayout(next);
  };
  const table = { columns: EXPOSURE_COLUMNS, state, set };
  const rows = useGridRows({ rows: exposures, columns: EXPOSURE_COLUMNS, keyOf, state });
  const letters = useGridKeys(false);
  const explain = useMemo(
    () =>
      ({ row, column }: GridCell<AccountExposure>): CellTooltip => ({
        title: `${column.title} of ${row.account}: ${column.text(row)}`,
        facts: [
          { name: 'Computed', value: column.tooltip ?? 'Counted' },
          {
            name: 'Each order',
            value:
              'Working qty × contract size × market price of the product itself, of the underlying of an ' +
              'option, or of the first leg of a spread',
          },
          { name: 'Orders', value: `${countOf(row.orders, 'working order')}, ${String(row.unvalued)} without a value` },
          { name: 'Endpoint', value: `GET ${source.target}`, code: true },
          { name: 'Received', value: formatInAllZones(source.receivedAt) },
        ],
      }),
    [source],
  );
  const tooltips = useGridTooltips(explain);
  return { grid: { table, rows, letters, filters: false, ...tooltips }, ordered: rows.matching };
}

function keyOf({ account }: AccountExposure): string {
  return account;
}
