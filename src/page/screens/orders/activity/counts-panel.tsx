import { useMemo, useState } from 'react';
import type { ApiResponse } from '#model/response.ts';
import type { ActivityGroup, DeskJournalActivity } from '#contract/desk/journal.ts';
import { isRatioWithheld } from '#model/orders/journal-figures.ts';
import { ExportMenu } from '#page/kit/export-menu.tsx';
import type { CellTooltip } from '#model/tables/cell-tooltip.ts';
import { filterColumn, type GridCell } from '#page/kit/grid/grid-props.ts';
import { defaultGridState, type GridColumn, type GridState, sortParam } from '#model/tables/grid.ts';
import { Grid } from '#page/kit/grid/grid.tsx';
import { useGridKeys, useGridTooltips } from '#page/kit/grid/use-stored-grid.tsx';
import { useGridRows } from '#page/kit/grid/use-grid-rows.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { LazyColumnsDialog } from '#page/kit/grid/columns-button.tsx';
import { DialogButton } from '../shared/list-tools.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { formatInAllZones } from '#model/format/format-time.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import { toCountsCsv } from './activity-csv.ts';
import type { ActivityScope } from './activity-scope.ts';
import { groupingParam, type Grouping } from '#model/tables/orders/activity-window.ts';
import { createCountsColumns, describeTotal, FIELDS } from '#model/tables/orders/counts-columns.ts';
import { describeCoverage } from '#model/tables/orders/coverage.ts';
import styles from './activity.module.css';

const GROUPING_NAMES: readonly (readonly [Grouping, string])[] = [
  ['account', 'Account'],
  ['product', 'Product'],
  ['both', 'Account × product'],
];

const SORTABLE = createCountsColumns({
  grouping: 'both',
  isRatioWithheld: false,
  hasReturned: true,
}).map(({ id }) => id);
const countsSort = sortParam('counts', SORTABLE, [{ id: 'placed', desc: true }]);

interface CountsPanelProps {
  readonly response: ApiResponse<DeskJournalActivity>;
  readonly list: ListControl;
  readonly scope: ActivityScope;
}

/**
 * Counts what was placed, changed, filled and closed in the window, by account or product. Opening a row filters the
 * changes by it.
 */
export function CountsPanel({ response, list, scope }: CountsPanelProps) {
  const [grouping, setGrouping] = useUrlState(groupingParam);
  const [zone] = useZone();
  const { value } = response;
  const { resetLayout, ...grid } = useCounts(response, grouping);
  const [isChoosing, setChoosing] = useState(false);
  const select = ({ account_id: account, symbol }: ActivityGroup): void => {
    const byAccount =
      account === null ? list.state : filterColumn(list.state, 'account', { kind: 'is', texts: [account] });
    list.set(symbol === null ? byAccount : filterColumn(byAccount, 'product', { kind: 'is', texts: [symbol] }));
  };
  return (
    <section className={styles['counts']} aria-label="Counts">
      <div className={styles['line']}>
        <Segmented label="By" choices={GROUPING_NAMES} value={grouping} onChange={setGrouping} />
        <DialogButton
          name="Columns of counts"
          open={() => {
            setChoosing(true);
          }}
        />
        <ExportMenu
          of="counts"
          fileName={`activity-${(value.to ?? '').replaceAll(':', '').slice(0, 17)}`}
          write={(form) => toCountsCsv(form, response, scope)}
        />
      </div>
      <p className={styles['note']}>{describeCoverage(value, zone)}</p>
      <p className={styles['note']}>{describeTotal(value.total)}.</p>
      <div className={styles['grid']}>
        <Grid label="Counts of changes" filters={false} onOpen={select} {...grid} />
      </div>
      {isChoosing && (
        <LazyColumnsDialog
          table={grid.table}
          reset={resetLayout}
          close={() => {
            setChoosing(false);
          }}
        />
      )}
      <p className={styles['total']}>
        <b>Total</b> {describeShown(grid.table, value.total)}
      </p>
    </section>
  );
}

/** Returns the total of each column that is shown. */
function describeShown(
  { columns, state }: { readonly columns: readonly GridColumn<ActivityGroup>[]; readonly state: GridState },
  total: DeskJournalActivity['total'],
): string {
  const all: ActivityGroup = { ...NO_KEYS, ...total };
  return columns
    .filter(({ id, kind }) => kind === 'number' && !state.hidden.includes(id))
    .map((column) => `${column.title} ${column.text(all)}${column.unit === '%' ? ' %' : ''}`)
    .join(' · ');
}

const NO_KEYS = {
  symbol: null,
  product_id: null,
  product_type: null,
  clearing_firm_code: null,
  account_id: null,
  connection_id: null,
} as const;

function useCounts(response: ApiResponse<DeskJournalActivity>, grouping: Grouping) {
  const isWithheld = isRatioWithheld(response.value);
  const hasReturned = response.value.total.returned > 0;
  const columns = useMemo(
    () => createCountsColumns({ grouping, isRatioWithheld: isWithheld, hasReturned }),
    [grouping, isWithheld, hasReturned],
  );
  const [sorts, setSorts] = useUrlState(countsSort);
  const [layout, setLayout] = useState<GridState | null>(null);
  const [laidOut, setLaidOut] = useState(grouping);
  if (laidOut !== grouping) {
    setLaidOut(grouping);
    setLayout(null);
  }
  const state = useMemo(
    () => ({
      ...(layout ?? defaultGridState(columns)),
      sorts: sorts.filter(({ id }) => columns.some((column) => column.id === id)),
    }),
    [layout, columns, sorts],
  );
  const set = (next: GridState): void => {
    if (next.sorts !== state.sorts) setSorts(next.sorts);
    setLayout(next);
  };
  const rows = useGridRows({ rows: response.value.groups, columns, keyOf, state });
  const explain = useMemo(() => (cell: GridCell<ActivityGroup>) => explainCount(cell, response), [response]);
  const resetLayout = (): void => {
    setLayout(null);
  };
  return {
    resetLayout,
    table: { columns, state, set },
    rows,
    letters: useGridKeys(false),
    ...useGridTooltips(explain),
  };
}

function keyOf({ account_id: account, product_id: product }: ActivityGroup): string {
  return `${account ?? ''} ${String(product ?? '')}`;
}

function explainCount(
  { row, column }: GridCell<ActivityGroup>,
  { value, target, receivedAt }: ApiResponse<DeskJournalActivity>,
): CellTooltip {
  const fields = FIELDS[column.id] ?? [];
  return {
    title: `${column.title}: ${column.text(row)}`,
    facts: [
      ...(column.tooltip === undefined ? [] : [{ name: 'Meaning', value: column.tooltip }]),
      { name: 'Time', value: describeCoverage(value, 'utc') ?? '–' },
      {
        name: fields.length === 1 ? 'Field' : 'Fields',
        value: fields.map((field) => `${field} ${String(row[field] ?? 'null')}`).join('\n'),
        code: true,
      },
      { name: 'Endpoint', value: `GET ${target}`, code: true },
      { name: 'Received', value: formatInAllZones(receivedAt) },
    ],
  };
}
