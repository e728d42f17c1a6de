import { useMemo, useState } from 'react';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { createOrderColumns } from '../columns.ts';
import styles from '../orders.module.css';
import { useListState } from '../use-list-state.ts';
import { HistoryList } from './history-list.tsx';
import { ASKED_PARAMS, toQuestion, type Question } from './question.ts';
import { NOTHING_SEEN, type Seen } from './seen.ts';

/** Everything that happened to our orders, page by page, as far as anybody scrolls. */
export function HistoryScreen() {
  const [zone] = useZone();
  const [seen, setSeen] = useState<Seen>(NOTHING_SEEN);
  const columns = useMemo(() => createOrderColumns({ mostDigits: seen.mostDigits, zone }).map(asInHistory), [seen.mostDigits, zone]);
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
function asInHistory<Column extends { readonly id: string; readonly width: number }>(column: Column): Column {
  if (RESTING.has(column.id)) return { ...column, hidden: true };
  if (column.id === 'filledNotional') return { ...column, hidden: false };
  return column.id === 'status' ? { ...column, width: 180 } : column;
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
