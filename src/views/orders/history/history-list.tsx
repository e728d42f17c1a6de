import { useMemo, useRef, useState } from 'react';
import { formatCount } from '#domain/format-count.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { useAnnounce } from '#ui/live-region.tsx';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import type { GridHandle } from '#ui/grid/grid-props.ts';
import type { GridState } from '#ui/grid/grid-state.ts';
import { Grid } from '#ui/grid/grid.tsx';
import { useGridKeys } from '#ui/grid/use-grid-keys.ts';
import { useGridNotes } from '#ui/grid/use-grid-notes.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { useOffer } from '#ui/offers.tsx';
import { FilteredOut } from '#ui/panel/panel-body.tsx';
import { Skeleton } from '#ui/panel/skeleton.tsx';
import { Toolbar } from '#ui/toolbar.tsx';
import { OrderLists } from '../order-lists.tsx';
import { explainPlace } from '../order-notes.ts';
import styles from '../orders.module.css';
import { offerAccounts } from '../order-offers.ts';
import { orderParam } from '../side-params.ts';
import type { ListControl } from '../use-list-state.ts';
import { useOrderTerms } from '../use-order-terms.ts';
import { AskedFields } from './asked-fields.tsx';
import { BesideOrder } from './beside-order.tsx';
import { HistoryFooter } from './history-footer.tsx';
import { toHeldRows, toRowsAround } from './history-rows.ts';
import { HistoryTools } from './history-tools.tsx';
import { KeptFocus } from './kept-focus.tsx';
import { NewestMark } from './newest-mark.tsx';
import { NoRows } from './no-rows.tsx';
import { ReadingNotice } from './reading-notice.tsx';
import { withoutLocalFilter, type Question } from './question.ts';
import type { Seen } from './seen.ts';
import { useHistoryLines, useSeen } from './use-history-lines.ts';
import { useHistoryWindow, type HistoryWindow } from './use-history-window.ts';
import type { TermsOf } from '#domain/orders/order-terms.ts';

interface HistoryListProps {
  readonly columns: readonly GridColumn<OrderRow>[];
  readonly list: ListControl;
  readonly question: Question;
  readonly seen: Seen;
  readonly setSeen: (seen: Seen) => void;
}

export function HistoryList(props: HistoryListProps) {
  const { question, seen, setSeen } = props;
  const history = useHistoryWindow(question);
  const { list } = history.view;
  const terms = useOrderTerms(list.rowCount > 0);
  useSeen(list, terms, seen, setSeen);
  return (
    <>
      <Toolbar title="Order history" aside={<NewestMark history={history} question={question} />}>
        <OrderLists here="History" />
      </Toolbar>
      <AskedFields list={props.list} />
      {terms === null ? <Skeleton /> : <Rows {...props} history={history} terms={terms} />}
    </>
  );
}

interface RowsProps extends HistoryListProps {
  readonly history: HistoryWindow;
  readonly terms: TermsOf;
}

function Rows({ columns, list, question, history, terms }: RowsProps) {
  const { window, view } = history;
  const state = useMemo((): GridState => ({ ...list.state, grouping: [], sorts: [{ id: 'time', desc: question.order === 'desc' }] }), [list.state, question.order]);
  const found = useHistoryLines({ list: view.list, terms, columns, state, question, mayGrow: view.end === null });
  const set = useSetState(state, list);
  const grid = useRef<GridHandle>(null);
  const wasInRef = useRef(false);
  const [orderId, setOrderId] = useUrlState(orderParam);
  const notes = useGridNotes(explainPlace);
  const [told, setTold] = useState('');
  const letters = useGridKeys();
  const held = useMemo(() => toHeldRows(view.list, found.rowsOf), [view.list, found.rowsOf]);
  const around = useMemo(() => toRowsAround(view.list, found.rowsOf, orderId), [view.list, found.rowsOf, orderId]);
  useOffer(() => offerAccounts(held, list));
  const { lines, isFiltered, placeOf } = found;
  return (
    <>
      <HistoryTools columns={columns} list={list} state={state} set={set} held={held} history={history} question={question} found={found} terms={terms} grid={grid} />
      {view.list.rowCount > 0 && <ReadingNotice history={history} />}
      <div className={styles['split']}>
        <div className={styles['list']}>
          {view.list.rowCount === 0 ? (
            <NoRows history={history} list={list} question={question} />
          ) : lines.count === 0 ? (
            <FilteredOut
              among={`Of the ${formatCount(held.length)} orders loaded; the filter is applied to no others.`}
              clear={() => {
                list.set(withoutLocalFilter(list.state));
              }}
            />
          ) : (
            <KeptFocus grid={grid} wasInRef={wasInRef}>
              <Grid
                label="Order history"
                letters={letters}
                columns={columns}
                rows={lines}
                state={state}
                opened={orderId}
                handle={grid}
                onState={set}
                onWindow={(first, last) => {
                  window.show({ from: placeOf(first), to: placeOf(Math.min(last, lines.count - 1)) + 1, readsOn: !isFiltered, rereads: !isFiltered });
                }}
                onOpen={({ order }) => {
                  setOrderId(order.id);
                }}
                onTold={setTold}
                {...notes}
              />
            </KeptFocus>
          )}
        </div>
        {orderId !== '' && <BesideOrder rows={around} orderId={orderId} open={setOrderId} grid={grid} />}
      </div>
      <HistoryFooter history={history} found={found} held={held.length} order={question.order} told={told} />
    </>
  );
}

/** The one order that the venue knows is by time; it goes upstream like the filters. */
function useSetState(shown: GridState, list: ListControl): (next: GridState) => void {
  const announce = useAnnounce();
  return (next) => {
    const { sorts } = list.state;
    if (next.sorts === shown.sorts) {
      list.set({ ...next, sorts, grouping: [] });
      return;
    }
    const [present] = shown.sorts;
    const byTime = next.sorts.every(({ id }) => id === 'time');
    if (!byTime) announce('History comes by time only: the venue sorts it by nothing else.');
    const ascends = byTime && present?.desc === true;
    list.set({ ...next, grouping: [], sorts: byTime ? (ascends ? [{ id: 'time', desc: false }] : []) : sorts });
  };
}
