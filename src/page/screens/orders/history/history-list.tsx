import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { OrderRow } from '#model/orders/order-row.ts';
import type { GridRows } from '#model/tables/arrange-rows.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { useMedia, WIDEST } from '#page/kit/use-media.ts';
import { orderParam } from '../beside/panel-params.ts';
import { type HistoryQuery, withoutLocalFilter } from '#model/tables/orders/history-query.ts';
import { formatCount } from '#model/format/count.ts';
import { LazyOrderDetail, useEscape, useFollowCursor } from '../beside/panel-frame.tsx';
import { ProductDoubts } from '../shared/product-doubts.tsx';
import styles from '../shared/orders.module.css';
import { useAnnounce } from '#page/kit/live-region.tsx';
import type { GridColumn, GridState } from '#model/tables/grid.ts';
import type { GridCell, GridHandle } from '#page/kit/grid/grid-props.ts';
import { Grid } from '#page/kit/grid/grid.tsx';
import { useGridKeys, useGridTooltips } from '#page/kit/grid/use-stored-grid.tsx';
import { useProvideCommands } from '#page/kit/commands.tsx';
import { NoMatches } from '#page/panels/missing-rows.tsx';
import { Skeleton } from '#page/panels/panel-body.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { ListLinks } from '../shared/order-links.tsx';
import { accountCommands } from '../saved-views/order-commands.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import { useOrderTerms } from '../shared/use-order-terms.ts';
import { QueryFields } from './query-fields.tsx';
import { HistoryFooter, NewestAge, NoRows, ReadFailureNotice } from './history-status.tsx';
import { type LoadedFacts, toLoadedRows, toRowsAround, useHistoryLines, useLoadedFacts } from './use-history-lines.ts';
import { HistoryTools } from './history-tools.tsx';
import { type HistoryWindow, useHistoryWindow } from './use-history-window.ts';
import type { TermsOf } from '#model/orders/order-terms.ts';

/** Marks the panel as closed. Cannot be an order id, since no id contains letters. */
const CLOSED = 'none';

interface OpenOrder {
  /** Empty if the first order of the list is not in memory. */
  readonly orderId: string;
  readonly isOpen: boolean;
  readonly setOrderId: (id: string) => void;
  readonly close: () => void;
}

/**
 * Returns the order beside the list: the one in the address or, if there is room for both, the first of the list until
 * it is closed.
 */
function useOpenOrder(lines: GridRows<OrderRow>): OpenOrder {
  const [chosen, setOrderId] = useUrlState(orderParam);
  const isWidest = useMedia(WIDEST);
  const hasSpace = isWidest && lines.count > 0;
  return {
    orderId: chosen === '' && hasSpace ? (lines.keyAt(0) ?? '') : chosen,
    isOpen: chosen !== CLOSED && (chosen !== '' || hasSpace),
    setOrderId,
    close: () => {
      setOrderId(isWidest ? CLOSED : '');
    },
  };
}

interface Search {
  readonly query: HistoryQuery;
  readonly isFound: boolean;
  /** Whether the exchange has responded to the query. */
  readonly isKnown: boolean;
  readonly orderId: string;
  readonly setOrderId: (id: string) => void;
}

/**
 * Closes an order that was in the list but no longer matches changed exchange filters. An order that a link names
 * stays open and is shown as not loaded.
 */
function useDropMissing({ query, isFound, isKnown, orderId, setOrderId }: Search): void {
  const seen = useRef<Pick<Search, 'query' | 'orderId'> | null>(null);
  useEffect(() => {
    if (isFound) seen.current = { query, orderId };
    else if (isKnown && seen.current?.orderId === orderId && seen.current.query !== query) setOrderId('');
  }, [query, isFound, isKnown, orderId, setOrderId]);
}

interface OrderPanelProps {
  /** The order with the rows in memory around it; empty if it is not in memory. */
  readonly rows: readonly OrderRow[];
  readonly orderId: string;
  readonly open: (id: string) => void;
  readonly close: () => void;
}

function OrderPanel({ rows, orderId, open, close }: OrderPanelProps) {
  return (
    <aside className={styles['beside']} aria-label="Order">
      <header>
        <h2>Order</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      {rows.length > 0 || orderId === '' ? (
        <LazyOrderDetail
          rows={rows}
          orderId={orderId}
          open={open}
          among={`Among the ${formatCount(rows.length)} orders loaded around it.`}
        />
      ) : (
        <p className={styles['quiet']}>
          Order {orderId} is not among the orders loaded. Load more, or narrow From and To around it.
        </p>
      )}
    </aside>
  );
}

/** Loads the texts of the tooltips on first use. */
const explain = async (cell: GridCell<OrderRow>) =>
  (await import('../beside/cell-provenance.ts')).explainGridCell(cell);

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
  const tooltips = useGridTooltips(explain);
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
      <ProductDoubts rows={loaded} />
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

/** Returns a setter for the list's state. The exchange sorts only by time, and that order is sent with the filters. */
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

/**
 * Returns the focus to the list, which a new query unmounts until its first page arrives, unless the focus has moved
 * elsewhere.
 */
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
