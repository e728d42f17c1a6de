import { useMemo, useState } from 'react';
import { useNavigator, useUrlState } from '#page/kit/navigation.tsx';
import { parseAddress, writeQuery } from '#page/kit/navigator.ts';
import type { GridColumn } from '#model/tables/grid.ts';
import { type ListControl, useListState } from '../list-state/use-list-state.ts';
import {
  type HistoryQuery,
  QUERY_PARAMS,
  readTypes,
  toHistoryQuery,
  writeTypes,
} from '#model/tables/orders/history-query.ts';
import { compareCodes } from '#model/compare-codes.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { formatTimeOfDay, type Zone, ZONE_NAMES } from '#model/format/format-time.ts';
import { useZone } from '#page/kit/use-preferences.tsx';
import { useNowSnapshot } from '#page/kit/time/use-now.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import { createOrderColumns, type OrderColumnOptions } from '#model/tables/orders/columns.ts';
import styles from '../shared/orders.module.css';
import { ListLinks } from '../shared/order-links.tsx';
import { LinkFace } from '../list-state/link-face.tsx';
import { HistoryList } from './history-list.tsx';
import { type LoadedFacts, NO_FACTS } from './use-history-lines.ts';

/**
 * Holds the state of the history, with product types as its list shows them. Its saved views include the filters that
 * only the exchange applies.
 */
export function useHistoryList(columns: readonly GridColumn<never>[], codes: ReadonlySet<string>): ListControl {
  const navigator = useNavigator();
  const list = useListState(columns, codes, 'history');
  const state = useMemo(() => readTypes(list.state), [list.state]);
  return {
    ...list,
    state,
    set: (next) => {
      list.set(writeTypes(next));
    },
    toQuery: () => {
      const all = new URLSearchParams(list.toQuery());
      copyQueryParams(parseAddress(navigator.read()).query, all);
      return all.toString();
    },
    open: (view) => {
      list.open(view);
      writeQuery(navigator, (query) => {
        copyQueryParams(new URLSearchParams(view.query), query);
      });
    },
  };
}

function copyQueryParams(from: URLSearchParams, to: URLSearchParams): void {
  for (const param of Object.values(QUERY_PARAMS)) param.write(to, param.read(from));
}

export function HistoryScreen() {
  const [zone] = useZone();
  const isNarrow = useMedia(NARROW);
  const [facts, setFacts] = useState<LoadedFacts>(NO_FACTS);
  const columns = useMemo(
    () => createHistoryColumns({ mostDigits: facts.mostDigits, zone, isNarrow }),
    [facts.mostDigits, zone, isNarrow],
  );
  const list = useHistoryList(columns, facts.codes);
  const query = useHistoryQuery(list.state);
  return (
    <div className={styles['screen']}>
      {list.link.is === 'resolved' ? (
        <HistoryList columns={columns} list={list} query={query} facts={facts} setFacts={setFacts} />
      ) : (
        <>
          <Toolbar title="Order history">
            <ListLinks here="History" />
          </Toolbar>
          <LinkFace list={list} />
        </>
      )}
    </div>
  );
}

/** Omits the columns of duplicates, which are counted only among working orders. */
function createHistoryColumns(options: OrderColumnOptions): readonly GridColumn<OrderRow>[] {
  return createOrderColumns(options)
    .filter(({ id }) => id !== 'duplicates' && id !== 'twins')
    .map((column) => asInHistory(column, options.zone));
}

const RESTING = new Set(['age', 'remaining', 'notional', 'premium', 'difference', 'underlying', 'distance']);

/** Hides columns that matter only for working orders, and shows fills. */
function asInHistory(column: GridColumn<OrderRow>, zone: Zone): GridColumn<OrderRow> {
  if (RESTING.has(column.id)) return { ...column, hidden: true };
  if (column.id === 'filledNotional') return { ...column, hidden: false };
  return column.id === 'status' ? toDatedStatus(column, zone) : column;
}

/** Dates the status, because an order that was working when its page was read may have closed since. */
function toDatedStatus(column: GridColumn<OrderRow>, zone: Zone): GridColumn<OrderRow> {
  return {
    ...column,
    width: 200,
    text: (row) =>
      row.order.status === 'Working'
        ? `${column.text(row)} at ${formatTimeOfDay(row.asOf, zone).slice(0, '14:03'.length)}`
        : column.text(row),
    compare: compareCodes,
    tooltip:
      `${column.tooltip ?? ''} Working orders show when they were read (${ZONE_NAMES[zone]}): ` +
      'they may have closed since then.',
  };
}

/** Returns the query as the same object while it is unchanged: a new object restarts the list. */
function useHistoryQuery(state: Parameters<typeof toHistoryQuery>[0]): HistoryQuery {
  const [productId] = useUrlState(QUERY_PARAMS.product_id);
  const [day] = useUrlState(QUERY_PARAMS.day);
  const [begin] = useUrlState(QUERY_PARAMS.begin_time);
  const [end] = useUrlState(QUERY_PARAMS.end_time);
  const texts = { product_id: productId, day, begin_time: begin, end_time: end };
  // A relative time is resolved once, not at every render.
  const key = JSON.stringify([toHistoryQuery(state, texts, 0), texts]);
  const text = useNowSnapshot(key, (now) => JSON.stringify(toHistoryQuery(state, texts, now)));
  return useMemo(() => JSON.parse(text) as HistoryQuery, [text]);
}
