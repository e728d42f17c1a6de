import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { formatCount } from '#model/format/count.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { useAnnounce } from '#page/kit/live-region.tsx';
import type { GridColumn } from '#model/tables/grid-column.ts';
import type { GridHandle } from '#page/kit/grid/grid-props.ts';
import type { GridState } from '#model/tables/grid-state.ts';
import { Grid } from '#page/kit/grid/grid.tsx';
import { useGridKeys } from '#page/kit/grid/use-grid-keys.ts';
import { useGridTooltips } from '#page/kit/grid/use-grid-tooltips.tsx';
import { useProvideCommands } from '#page/kit/commands.tsx';
import { NoMatches } from '#page/panels/no-matches.tsx';
import { Skeleton } from '#page/panels/skeleton.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { ListLinks } from '../shared/list-links.tsx';
import { useFollowCursor } from '../shared/use-follow-cursor.ts';
import { explainGridCell } from '../detail/cell-provenance.ts';
import styles from '../shared/orders.module.css';
import { accountCommands } from '../saved-views/order-commands.ts';
import { useEscape } from '../shared/use-escape.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import { useOrderTerms } from '../shared/use-order-terms.ts';
import { QueryFields } from './query-fields.tsx';
import { OrderPanel } from './order-panel.tsx';
import { HistoryFooter } from './history-footer.tsx';
import { toLoadedRows, toRowsAround } from './history-rows.ts';
import { HistoryTools } from './history-tools.tsx';
import { NewestAge, NoRows, ReadFailureNotice } from './history-status.tsx';
import { withoutLocalFilter, type HistoryQuery } from '#model/tables/orders/history-query.ts';
import { useHistoryLines } from './use-history-lines.ts';
import { useLoadedFacts, type LoadedFacts } from './use-loaded-facts.ts';
import { useDropMissing, useOpenOrder } from './use-open-order.ts';
import { useHistoryWindow, type HistoryWindow } from './use-history-window.ts';
import type { TermsOf } from '#model/orders/order-terms.ts';

interface HistoryListProps {
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly list: ListControl;
  readonly query: HistoryQuery;
  readonly facts: LoadedFacts;
  readonly setFacts: (facts: LoadedFacts) => void;
}

export function HistoryList(props: HistoryListProps) {
  const { query, facts, setFacts } = props;
  const history = useHistoryWindow(query);
  const { list } = history.view;
  const { termsOf, isCheckLimited } = useOrderTerms(list.rowCount > 0);
  useLoadedFacts(list, termsOf, facts, setFacts);
  return (
    <>
      <Toolbar title="Order history" aside={<NewestAge history={history} query={query} />}>
        <ListLinks here="History" />
      </Toolbar>
      <QueryFields list={props.list} />
      {termsOf === null ? (
        <Skeleton />
      ) : (
        <Rows {...props} history={history} terms={termsOf} isCheckLimited={isCheckLimited} />
      )}
    </>
  );
}

interface RowsProps extends HistoryListProps {
  readonly history: HistoryWindow;
  readonly terms: TermsOf;
  readonly isCheckLimited: boolean;
}

function Rows({ columns, list, query, history, terms, isCheckLimited }: RowsProps) {
  const { window, view } = history;
  const state = useMemo(
    (): GridState => ({ ...list.state, grouping: [], sorts: [{ id: 'time', desc: query.order === 'desc' }] }),
    [list.state, query.order],
  );
  const found = useHistoryLines({ list: view.list, terms, columns, state, query, mayGrow: view.end === null });
  const table = { columns, state, set: useSetState(state, list) };
  const grid = useRef<GridHandle>(null);
  const hadFocusRef = useRef(false);
  const { orderId, isOpen, setOrderId, close } = useOpenOrder(found.lines);
  const follow = useFollowCursor(isOpen, setOrderId);
  const tooltips = useGridTooltips(explainGridCell);
  const [gridMessage, setGridMessage] = useState('');
  const [selectedKeys, setSelectedKeys] = useState(NOTHING_SELECTED);
  const letters = useGridKeys();
  const loaded = useMemo(() => toLoadedRows(view.list, found.rowsOf), [view.list, found.rowsOf]);
  const around = useMemo(() => toRowsAround(view.list, found.rowsOf, orderId), [view.list, found.rowsOf, orderId]);
  useDropMissing({
    query,
    isFound: around.length > 0,
    isKnown: view.list.rowCount > 0 || view.end !== null,
    orderId,
    setOrderId,
  });
  const selected = useMemo(() => loaded.filter(({ order }) => selectedKeys.has(order.id)), [loaded, selectedKeys]);
  useProvideCommands(() => accountCommands(loaded, list));
  const { lines, isFiltered, rowIndexOf } = found;
  const closePanel = (): void => {
    close();
    grid.current?.focus();
  };
  const escape = useEscape(isOpen, closePanel);
  return (
    <>
      <HistoryTools
        list={list}
        table={table}
        loaded={loaded}
        history={history}
        query={query}
        found={found}
        terms={terms}
        grid={grid}
      />
      <div className={styles['split']} onKeyDown={escape}>
        <div className={styles['list']}>
          {view.list.rowCount === 0 ? (
            <NoRows history={history} list={list} query={query} />
          ) : lines.count === 0 ? (
            <NoMatches
              among={`The filter applies to the ${formatCount(loaded.length)} orders in memory.`}
              clear={() => {
                list.set(withoutLocalFilter(list.state));
              }}
            />
          ) : (
            <RestoreFocus grid={grid} hadFocusRef={hadFocusRef}>
              <Grid
                label="Order history"
                letters={letters}
                table={table}
                rows={lines}
                opened={orderId}
                handle={grid}
                onWindow={(first, last) => {
                  window.setViewport({
                    from: rowIndexOf(first),
                    to: rowIndexOf(Math.min(last, lines.count - 1)) + 1,
                    loadsMore: !isFiltered,
                    reloads: !isFiltered,
                  });
                }}
                onSelect={setSelectedKeys}
                onActive={follow}
                onOpen={({ order }) => {
                  setOrderId(order.id);
                }}
                onAnnounce={setGridMessage}
                {...tooltips}
              />
            </RestoreFocus>
          )}
        </div>
        {isOpen && <OrderPanel rows={around} orderId={orderId} open={setOrderId} close={closePanel} />}
      </div>
      {view.list.rowCount > 0 && <ReadFailureNotice history={history} />}
      <HistoryFooter
        history={history}
        found={found}
        loaded={loaded.length}
        selected={selected}
        missing={selectedKeys.size - selected.length}
        order={query.order}
        gridMessage={gridMessage}
        isCheckLimited={isCheckLimited}
      />
    </>
  );
}

const NOTHING_SELECTED: ReadonlySet<string> = new Set();

/** The exchange sorts by time only; that order is sent with the filters. */
function useSetState(shown: GridState, list: ListControl): (next: GridState) => void {
  const announce = useAnnounce();
  return (next) => {
    const { sorts } = list.state;
    if (next.sorts === shown.sorts) {
      list.set({ ...next, sorts, grouping: [] });
      return;
    }
    const [present] = shown.sorts;
    const isByTime = next.sorts.every(({ id }) => id === 'time');
    if (!isByTime) announce('History can be sorted by time only.');
    const ascends = isByTime && present?.desc === true;
    list.set({ ...next, grouping: [], sorts: isByTime ? (ascends ? [{ id: 'time', desc: false }] : []) : sorts });
  };
}

interface RestoreFocusProps {
  readonly grid: RefObject<GridHandle | null>;
  /** Whether the list had the focus when it was last unmounted. */
  readonly hadFocusRef: RefObject<boolean>;
  readonly children: ReactNode;
}

/** A new query unmounts the list until its first page arrives; then the list gets its focus back, unless it is elsewhere. */
function RestoreFocus({ grid, hadFocusRef, children }: RestoreFocusProps) {
  useLayoutEffect(() => {
    if (hadFocusRef.current && document.activeElement === document.body) grid.current?.focus();
    hadFocusRef.current = false;
    return () => {
      hadFocusRef.current = document.activeElement?.role === 'grid';
    };
  }, [grid, hadFocusRef]);
  return children;
}
