import { useEffect, useMemo, useRef, useState } from 'react';
import { isPresent, toFacts, type OrderRow } from '#domain/orders/order-row.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import type { GridHandle } from '#ui/grid/grid-props.ts';
import type { GridTable } from '#ui/grid/grid-table.ts';
import { Grid } from '#ui/grid/grid.tsx';
import { toRowFilter } from '#ui/grid/row-filter.ts';
import { useGridKeys } from '#ui/grid/use-grid-keys.ts';
import { useGridRows } from '#ui/grid/use-grid-rows.ts';
import { useGridTooltips } from '#ui/grid/use-grid-tooltips.tsx';
import { lazyOverlay } from '#ui/lazy.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { useProvideCommands } from '#ui/commands.tsx';
import { useLoadErrorToast } from '#ui/toast.tsx';
import { useStable } from '#ui/use-stable.ts';
import { useAnnouncedCount } from '#ui/live-region.tsx';
import { NoMatches } from '#panels/no-matches.tsx';
import type { Column } from '../column-kinds.ts';
import { useFollowCursor } from '../detail/use-follow-cursor.ts';
import { usePrivateCodes } from '../list-state/private-codes.ts';
import { LinkFace } from '../list-state/link-face.tsx';
import { useListState } from '../list-state/use-list-state.ts';
import { columnCommands } from '../order-commands.ts';
import styles from '../orders.module.css';
import { orderParam, panelParam } from '../url-params.ts';
import { useEscape } from '../use-escape.ts';
import { keyOfOrder } from '../use-order-columns.ts';
import { PanelButtons, WorkingTools, type OpenDialog } from '../working/working-tools.tsx';
import type { Compared } from './compared.ts';
import { explainPastCell } from './explain-past-cell.ts';
import { PastFooter } from './past-footer.tsx';
import { PastPanel } from './past-panel.tsx';
import { toStepFilter, type StepFilter } from './step-filter.ts';
import type { PastBook } from './use-book.ts';

const ExportPastDialog = lazyOverlay(async () => (await import('./export-past-dialog.tsx')).ExportPastDialog);

interface PastListProps {
  readonly book: PastBook;
  /** Its rows, and those that a comparison adds. */
  readonly rows: readonly OrderRow[];
  readonly columns: readonly Column[];
  readonly compared?: Compared;
  /** What the list is filtered by, for whoever goes from change to change. */
  readonly onFilter: (filter: StepFilter) => void;
}

/** The list of working orders as they were. */
export function PastList({ book, rows: all, columns, compared, onFilter }: PastListProps) {
  const list = useListState(columns, usePrivateCodes(book.rows), 'orders', compared === undefined ? 'orders' : 'orders-compared');
  const { state, set } = list;
  const table = { columns, state, set };
  const isResolved = list.link.is === 'resolved';
  const rows = useGridRows({ rows: isResolved ? all : NO_ROWS, columns, keyOf: keyOfOrder, state, isCounted: isPresent, factsOf: toFacts });
  const matching = useMemo(() => rows.matching(), [rows]);
  const [panel, setPanel] = useUrlState(panelParam);
  const [orderId, setOrderId] = useUrlState(orderParam);
  const grid = useRef<GridHandle>(null);
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const [message, setMessage] = useState('');
  const [selectedKeys, setSelectedKeys] = useState(NOTHING_SELECTED);
  const selected = useMemo(() => matching.filter((row) => selectedKeys.has(keyOfOrder(row))), [matching, selectedKeys]);
  useAnnouncedCount(matching.length, book.rows.length, 'orders');
  const notLoaded = useLoadErrorToast();
  useProvideCommands(() => columnCommands(table, notLoaded));
  const filter = useStable(toStepFilter(state));
  useEffect(() => {
    onFilter(filter);
  }, [onFilter, filter]);
  const follow = useFollowCursor(panel === 'order', setOrderId);
  const closePanel = (): void => {
    setPanel('none');
    grid.current?.focus();
  };
  const escape = useEscape(panel !== 'none', closePanel);
  const tooltips = useGridTooltips(explainPastCell);
  const letters = useGridKeys();
  return (
    <>
      <WorkingTools
        list={list}
        table={table}
        all={all}
        grid={grid}
        opened={opened}
        setOpened={setOpened}
        exportDialog={(close) => <ExportPastDialog rows={[...matching, ...findGone(all, table)]} total={all.length} book={book} compared={compared} columns={columns} state={state} close={close} />}
        panels={<PanelButtons buttons={PANEL_BUTTONS} />}
      />
      <div className={styles['split']} onKeyDown={escape}>
        <div className={styles['list']}>
          {!isResolved ? (
            <LinkFace list={list} />
          ) : all.length === 0 ? (
            <NoOrders book={book} />
          ) : rows.count === 0 ? (
            <NoMatches total={all.length} clear={() => { set({ ...state, filters: {}, quick: '' }); }} />
          ) : (
            <Grid
              label="Working orders"
              letters={letters}
              table={table}
              rows={rows}
              marks={compared?.marks}
              opened={panel === 'order' ? orderId : undefined}
              handle={grid}
              onSelect={setSelectedKeys}
              onAnnounce={setMessage}
              onColumnMenu={(columnId) => { setOpened({ dialog: 'filter', columnId }); }}
              onActive={follow}
              onOpen={({ order }) => {
                setOrderId(order.id);
                setPanel('order');
              }}
              {...tooltips}
            />
          )}
        </div>
        {panel !== 'none' && <PastPanel panel={panel} close={closePanel} rows={all} matching={matching} orderId={orderId} openOrder={setOrderId} book={book} />}
      </div>
      <PastFooter book={book} matching={matching} selected={selected} message={message} counts={compared?.counts(list)} />
    </>
  );
}

/** Those that a comparison adds and the filter passes: they are in no sum, but in the file. */
function findGone(rows: readonly OrderRow[], { columns, state }: Pick<GridTable<OrderRow>, 'columns' | 'state'>): readonly OrderRow[] {
  const passes = toRowFilter(columns, state);
  return rows.filter((row) => !isPresent(row) && (passes?.(row) ?? true));
}

const PANEL_BUTTONS = [
  ['depth', 'Depth'],
  ['proof', 'Reading'],
] as const;

const NO_ROWS: readonly OrderRow[] = [];
const NOTHING_SELECTED: ReadonlySet<string> = new Set();

/** Says that nothing was working only if the reading was complete. */
function NoOrders({ book: { completeness } }: { readonly book: PastBook }) {
  return completeness.complete ? (
    <EmptyState title="No working orders then">
      <p>The reading was complete: you had no orders in the market.</p>
    </EmptyState>
  ) : (
    <EmptyState title="Working orders unknown">
      <p>The reading shows no orders, but some may have been working. {completeness.reasons[0]}</p>
    </EmptyState>
  );
}
