import { useEffect, useRef } from 'react';
import type { OrderRow } from '#model/orders/order-row.ts';
import type { GridRows } from '#model/tables/grid-rows.ts';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { useMedia, WIDEST } from '#page/kit/use-media.ts';
import { orderParam } from '../shared/url-params.ts';
import type { HistoryQuery } from '#model/tables/orders/history-query.ts';

/** No id has letters. */
const CLOSED = 'none';

interface OpenOrder {
  /** Empty where the first order of the list is not in memory. */
  readonly orderId: string;
  readonly isOpen: boolean;
  readonly setOrderId: (id: string) => void;
  readonly close: () => void;
}

/** The order beside the list: that of the address, and where there is room for both, the first of the list until it is closed. */
export function useOpenOrder(lines: GridRows<OrderRow>): OpenOrder {
  const [chosen, setOrderId] = useUrlState(orderParam);
  const isWidest = useMedia(WIDEST);
  const hasRoom = isWidest && lines.count > 0;
  return {
    orderId: chosen === '' && hasRoom ? (lines.keyAt(0) ?? '') : chosen,
    isOpen: chosen !== CLOSED && (chosen !== '' || hasRoom),
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

/** Closes an order that was in the list until the filters of the exchange changed. One that a link names stays, and says that it is not loaded. */
export function useDropMissing({ query, isFound, isKnown, orderId, setOrderId }: Search): void {
  const seen = useRef<Pick<Search, 'query' | 'orderId'> | null>(null);
  useEffect(() => {
    if (isFound) seen.current = { query, orderId };
    else if (isKnown && seen.current?.orderId === orderId && seen.current.query !== query) setOrderId('');
  }, [query, isFound, isKnown, orderId, setOrderId]);
}
