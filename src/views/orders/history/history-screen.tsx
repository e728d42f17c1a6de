import { useMemo, useState } from 'react';
import { compareCodes } from '#domain/compare-codes.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import type { Zone } from '#ui/preferences/preferences.ts';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { formatTimeOfDay } from '#ui/time/format-time.ts';
import { NARROW, useMedia } from '#ui/use-media.ts';
import { createOrderColumns } from '../columns.ts';
import styles from '../orders.module.css';
import { ZONE_NAMES } from '../time-text.ts';
import { useListState } from '../use-list-state.ts';
import { HistoryList } from './history-list.tsx';
import { ASKED_PARAMS, toQuestion, type Question } from './question.ts';
import { NOTHING_SEEN, type Seen } from './seen.ts';

/** Everything that happened to our orders, page by page, as far as anybody scrolls. */
export function HistoryScreen() {
  const [zone] = useZone();
  const isNarrow = useMedia(NARROW);
  const [seen, setSeen] = useState<Seen>(NOTHING_SEEN);
  const columns = useMemo(() => createOrderColumns({ mostDigits: seen.mostDigits, zone, isNarrow }).map((column) => asInHistory(column, zone)), [seen.mostDigits, zone, isNarrow]);
  const list = useListState(columns, seen.codes, 'history');
  const question = useQuestion(list.state);
  return (
    <div className={styles['screen']}>
      <HistoryList columns={columns} list={list} question={question} seen={seen} setSeen={setSeen} />
    </div>
  );
}

const RESTING = new Set(['age', 'remaining', 'notional']);

/** What is of interest once an order is over: not how long it rests and what remains of it, but what was filled and how it closed. */
function asInHistory(column: GridColumn<OrderRow>, zone: Zone): GridColumn<OrderRow> {
  if (RESTING.has(column.id)) return { ...column, hidden: true };
  if (column.id === 'filledNotional') return { ...column, hidden: false };
  if (column.id === 'type') return { ...column, text: toTold, value: toTold, note: 'As the order says it, and as the venue is asked for it: a perpetual’s says Future.' };
  return column.id === 'status' ? toDatedStatus(column, zone) : column;
}

function toTold({ order }: OrderRow): string {
  return order.product_type;
}

/** A page of history is as it was when it was read: an order that worked then may be closed by now. */
function toDatedStatus(column: GridColumn<OrderRow>, zone: Zone): GridColumn<OrderRow> {
  return {
    ...column,
    width: 200,
    text: (row) => (row.order.status === 'Working' ? `${column.text(row)} (${formatTimeOfDay(row.asOf, zone).slice(0, '14:03'.length)})` : column.text(row)),
    compare: compareCodes,
    note: `${column.note ?? ''} Of one that worked, in brackets when that was read, ${ZONE_NAMES[zone]} time: it may be closed since.`,
  };
}

/** One question is one object for as long as it asks the same: a new one begins at the first page. */
function useQuestion(state: Parameters<typeof toQuestion>[0]): Question {
  const [productId] = useUrlState(ASKED_PARAMS.product_id);
  const [day] = useUrlState(ASKED_PARAMS.day);
  const [begin] = useUrlState(ASKED_PARAMS.begin_time);
  const [end] = useUrlState(ASKED_PARAMS.end_time);
  const text = JSON.stringify(toQuestion(state, { product_id: productId, day, begin_time: begin, end_time: end }));
  return useMemo(() => JSON.parse(text) as Question, [text]);
}
