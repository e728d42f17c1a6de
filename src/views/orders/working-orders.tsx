import { useEffect, useMemo, useRef, useState } from 'react';
import type { Dispatch, ReactNode, SetStateAction } from 'react';
import { listRows } from '#domain/orders/merge-snapshot.ts';
import { isPresent, type OrderRow } from '#domain/orders/order-row.ts';
import { Grid } from '#ui/grid/grid.tsx';
import type { GridHandle } from '#ui/grid/grid-props.ts';
import { useGridKeys } from '#ui/grid/use-grid-keys.ts';
import { useGridNotes } from '#ui/grid/use-grid-notes.tsx';
import { useGridRows } from '#ui/grid/use-grid-rows.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { useOffer } from '#ui/offers.tsx';
import { FilteredOut } from '#ui/panel/panel-body.tsx';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { NARROW, useMedia } from '#ui/use-media.ts';
import { useToldCount } from '#ui/use-told-count.ts';
import { createOrderColumns } from './columns.ts';
import { countMostDigits } from './figure-text.ts';
import { IncompleteNotice } from './incomplete-notice.tsx';
import { NoOrders } from './no-orders.tsx';
import { OrderFooter } from './order-footer.tsx';
import { offerAccounts, offerColumns } from './order-offers.ts';
import { OrderTools, type Opened } from './order-tools.tsx';
import { explainPlace } from './order-notes.ts';
import styles from './orders.module.css';
import { SidePanel } from './side-panel.tsx';
import { sideParam, orderParam } from './side-params.ts';
import { toGridMarks } from './to-grid-marks.ts';
import { useListState } from './use-list-state.ts';
import type { FollowedBook, Held } from './use-order-book.ts';
import { useOrderKeys } from './use-order-keys.ts';
import { usePrivateCodes } from './use-private-codes.ts';

interface WorkingOrdersProps {
  readonly following: FollowedBook;
  readonly dueAt: number;
  /** Why changes wait. */
  readonly held: Held;
  readonly setPaused: Dispatch<SetStateAction<boolean>>;
  readonly setBusy: (busy: boolean) => void;
}

export function WorkingOrders({ following, dueAt, held, setPaused, setBusy }: WorkingOrdersProps) {
  const { book, shown } = following;
  const columns = useColumns(book.rows);
  const list = useListState(columns, usePrivateCodes(book.rows));
  const { state, set } = list;
  const marks = useMemo(() => toGridMarks(book), [book]);
  const all = useMemo(() => listRows(book), [book]);
  const rows = useGridRows({ rows: all, columns, keyOf, state, isCounted: isPresent });
  const matching = useMemo(() => rows.matching(), [rows]);
  const [side, setSide] = useUrlState(sideParam);
  const [orderId, setOrderId] = useUrlState(orderParam);
  const grid = useRef<GridHandle>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [told, setTold] = useState('');
  useToldCount(matching.length, book.rows.length, 'orders');
  const notes = useGridNotes(explainPlace);
  const letters = useGridKeys();
  useOffer(() => [...offerColumns(columns, list), ...offerAccounts(book.rows, list)]);
  useOrderKeys({ setPaused, takeIn: following.takeIn, see: following.see });
  const clear = (): void => {
    set({ ...state, filters: {}, quick: '' });
  };
  return (
    <>
      {!shown.proof.complete && <IncompleteNotice proof={shown.proof} unread={book.unread.length} />}
      <OrderTools list={list} columns={columns} all={book.rows} matching={matching} following={following} held={held} setPaused={setPaused} grid={grid} opened={opened} setOpened={setOpened} />
      <div className={styles['split']}>
        <div className={styles['list']}>
          {all.length === 0 ? (
            <Idle setBusy={setBusy}>
              <NoOrders shown={shown} />
            </Idle>
          ) : rows.count === 0 ? (
            <Idle setBusy={setBusy}>
              <FilteredOut total={book.rows.length} clear={clear} />
            </Idle>
          ) : (
            <Grid
              label="Working orders"
              letters={letters}
              columns={columns}
              rows={rows}
              state={state}
              marks={marks}
              opened={side === 'order' ? orderId : undefined}
              handle={grid}
              onState={set}
              onBusy={setBusy}
              onTold={setTold}
              onColumnMenu={(columnId) => {
                setOpened({ dialog: 'filter', columnId });
              }}
              onOpen={({ order }) => {
                setOrderId(order.id);
                setSide('order');
              }}
              {...notes}
            />
          )}
        </div>
        {side !== 'none' && <SidePanel side={side} setSide={setSide} rows={all} matching={matching} unread={book.unread.length} orderId={orderId} openOrder={setOrderId} shown={shown} grid={grid} />}
      </div>
      <OrderFooter matching={matching} book={book} shown={shown} dueAt={dueAt} held={held} waiting={following.waiting} told={told} />
    </>
  );
}

function keyOf({ order }: OrderRow): string {
  return order.id;
}

function useColumns(rows: readonly OrderRow[]) {
  const [zone] = useZone();
  const isNarrow = useMedia(NARROW);
  const mostDigits = useMemo(() => countMostDigits(rows), [rows]);
  return useMemo(() => createOrderColumns({ mostDigits, zone, isNarrow }), [mostDigits, zone, isNarrow]);
}

/** Where there is no grid, nobody is in it: a grid that is taken away does not tell. */
function Idle({ setBusy, children }: { readonly setBusy: (busy: boolean) => void; readonly children: ReactNode }) {
  useEffect(() => {
    setBusy(false);
  }, [setBusy]);
  return children;
}
