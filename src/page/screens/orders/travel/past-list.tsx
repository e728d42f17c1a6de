import { useEffect, useMemo, useState } from 'react';
import { isPresent, type OrderRow } from '#model/orders/order-row.ts';
import { addCodes } from '#model/orders/private-codes.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import type { GridTable } from '#page/kit/grid/grid-table.ts';
import { Grid } from '#page/kit/grid/grid.tsx';
import { toRowFilter } from '#model/tables/row-filter.ts';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import { useProvideCommands } from '#page/kit/commands.tsx';
import { useLoadErrorToast } from '#page/kit/toast.tsx';
import { useStable } from '#page/kit/use-stable.ts';
import { NoMatches } from '#page/panels/no-matches.tsx';
import type { Column } from '#model/tables/orders/column-kinds.ts';
import { LinkFace } from '../list-state/link-face.tsx';
import { useListState } from '../list-state/use-list-state.ts';
import { columnCommands } from '../saved-views/order-commands.ts';
import styles from '../shared/orders.module.css';
import { useOrderList } from '../working/use-order-list.ts';
import { PanelButtons, WorkingTools } from '../working/working-tools.tsx';
import type { Compared } from './compared.ts';
import { explainPastCell } from './explain-past-cell.ts';
import { PastFooter } from './past-footer.tsx';
import { PastPanel } from './past-panel.tsx';
import { toStepFilter, type StepFilter } from '#model/tables/orders/step-filter.ts';
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
  const list = useListState(
    columns,
    useSeenCodes(book.rows),
    'orders',
    compared === undefined ? 'orders' : 'orders-compared',
  );
  const { state, set } = list;
  const table = { columns, state, set };
  const isResolved = list.link.is === 'resolved';
  const { rows, matching, selected, message, panel, orderId, setOrderId, closePanel, escape, tools, gridProps } =
    useOrderList({ table, all: isResolved ? all : NO_ROWS, total: book.rows.length, explain: explainPastCell });
  const notLoaded = useLoadErrorToast();
  useProvideCommands(() => columnCommands(table, notLoaded));
  const filter = useStable(toStepFilter(state));
  useEffect(() => {
    onFilter(filter);
  }, [onFilter, filter]);
  const clear = (): void => {
    set({ ...state, filters: {}, quick: '' });
  };
  return (
    <>
      <WorkingTools
        list={list}
        {...tools}
        all={all}
        exportDialog={(close) => (
          <ExportPastDialog
            rows={[...matching, ...findGone(all, table)]}
            total={all.length}
            book={book}
            compared={compared}
            columns={columns}
            state={state}
            close={close}
          />
        )}
        panels={<PanelButtons buttons={PANEL_BUTTONS} />}
      />
      <div className={styles['split']} onKeyDown={escape}>
        <div className={styles['list']}>
          {!isResolved ? (
            <LinkFace list={list} />
          ) : all.length === 0 ? (
            (compared?.sameFace(list) ?? <NoOrders book={book} />)
          ) : rows.count === 0 ? (
            (compared?.sameFace(list) ?? <NoMatches total={all.length} clear={clear} />)
          ) : (
            <Grid label="Working orders" {...gridProps} marks={compared?.marks} />
          )}
        </div>
        {panel !== 'none' && (
          <PastPanel
            panel={panel}
            close={closePanel}
            rows={all}
            matching={matching}
            orderId={orderId}
            openOrder={setOrderId}
            book={book}
          />
        )}
      </div>
      <PastFooter
        book={book}
        matching={matching}
        selected={selected}
        message={message}
        counts={compared?.counts(list)}
      />
    </>
  );
}

/** Those that a comparison adds and the filter passes: they are in no sum, but in the file. */
function findGone(
  rows: readonly OrderRow[],
  { columns, state }: Pick<GridTable<OrderRow>, 'columns' | 'state'>,
): readonly OrderRow[] {
  const passes = toRowFilter(columns, state);
  return rows.filter((row) => !isPresent(row) && (passes?.(row) ?? true));
}

const PANEL_BUTTONS = [
  ['depth', 'Depth'],
  ['proof', 'Reading'],
] as const;

const NO_ROWS: readonly OrderRow[] = [];

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

/** All codes since the screen opened: one stays private when the list of another instant lacks it. */
function useSeenCodes(rows: readonly OrderRow[]): ReadonlySet<string> {
  const [remember] = useState(createCodeMemory);
  return useMemo(() => remember(rows), [remember, rows]);
}

function createCodeMemory(): (rows: readonly OrderRow[]) => ReadonlySet<string> {
  let codes: ReadonlySet<string> = new Set();
  return (rows) =>
    (codes = addCodes(
      codes,
      rows.map(({ order }) => order),
    ));
}
