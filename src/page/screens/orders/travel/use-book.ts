import { type ReactNode, useMemo, useState } from 'react';
import type { GridMarks } from '#page/kit/grid/grid-props.ts';
import type { AddedColumns } from '#model/tables/orders/export-working.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import { useQuery } from '@tanstack/react-query';
import type { ApiResponse } from '#model/response.ts';
import { READ_ONCE } from '#page/client/freshness.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useVenueOffset } from '#page/client/react/use-desk-status.ts';
import type { DeskJournalBook } from '#contract/desk/journal.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { type TermsOf, withoutMarket } from '#model/orders/order-terms.ts';
import { toPastSet } from '#model/orders/past-books.ts';
import { toMillis } from '#model/time/session.ts';
import { type PanelQuery, usePanelQuery } from '#page/panels/panel-body.tsx';
import { type OrderSnapshot, toDeviationText } from '../shared/order-snapshot.ts';
import { createWorkingRows } from '#model/tables/orders/create-working-rows.ts';
import { toAtText } from './travel-params.ts';

/**
 * The orders that were working at an instant, according to the last reading before it. Times are in epoch
 * milliseconds.
 */
export interface PastBook extends OrderSnapshot {
  /** Newest first. */
  readonly rows: readonly OrderRow[];
  readonly readTo: number;
  /** Null if there is no later reading yet. */
  readonly nextReadAt: number | null;
  readonly inGap: boolean;
}

/** Additions of a comparison to the list. */
export interface Compared {
  /** The earlier of the two books. */
  readonly book: PastBook;
  readonly marks: GridMarks;
  readonly added: AddedColumns;
  readonly counts: (list: ListControl) => ReactNode;
  /** Returns a replacement for an empty list, or undefined if only the filter hides orders. */
  readonly sameFace: (list: ListControl) => ReactNode;
}

export interface BookReading {
  readonly query: PanelQuery<PastBook>;
  /**
   * Whether the book on screen is that of the previously chosen instant, because the wanted one has not been read yet.
   */
  readonly isEarlier: boolean;
}

/** How often to check for a later reading, which makes the book final. */
const FOLLOWED_SECONDS = 30;
/** Short, because each entry holds a whole book in memory. */
const KEPT_MS = 60_000;

/** Reads the book of an instant; null reads none. A book with a later reading never changes, so it is read once. */
export function useBook(
  at: number | null,
  { termsOf, isCheckLimited }: { readonly termsOf: TermsOf | null; readonly isCheckLimited: boolean },
): BookReading {
  const { queries } = useApi();
  const response = useQuery({
    ...queries.desk.journalBook({ at: toAtText(at ?? 0) }),
    ...READ_ONCE,
    refetchInterval: (query) =>
      query.state.data?.value.next_read_at === null ? FOLLOWED_SECONDS * 1_000 : READ_ONCE.refetchInterval(query),
    gcTime: KEPT_MS,
    enabled: at !== null,
    placeholderData: (previous: ApiResponse<DeskJournalBook> | undefined) => (at === null ? undefined : previous),
  });
  const { data: received, isPlaceholderData } = response;
  const offsetMs = useVenueOffset();
  const pastTerms = useMemo(() => termsOf && withoutMarket(termsOf), [termsOf]);
  const [toRows] = useState(createWorkingRows);
  const data = useMemo((): PastBook | undefined => {
    if (received === undefined || pastTerms === null) return undefined;
    const { value, setAside, deviations } = received;
    const source = { ...received, respondedAt: value.read_to };
    const { orders, completeness } = toPastSet(value, setAside.length);
    const { rows } = toRows({
      orders,
      source,
      parts: [{ filter: {}, count: orders.length, read_at: value.read_to }],
      termsOf: pastTerms,
      offsetMs,
    });
    const { endpoint, receivedAt, ageSeconds, freshSeconds, staleBecause, cadence } = received;
    const stamp = {
      endpoint,
      deviations,
      receivedAt,
      ageSeconds,
      freshSeconds,
      staleBecause,
      cadence,
      cache: value.next_read_at === null ? received.cache : ('disk-hit' as const),
    };
    const times = {
      readTo: toMillis(value.read_to),
      nextReadAt: value.next_read_at === null ? null : toMillis(value.next_read_at),
      inGap: value.in_gap,
    };
    return {
      ...stamp,
      ...times,
      rows,
      completeness,
      source,
      setAside: setAside.length,
      deviationTexts: deviations.map(toDeviationText),
      isCheckLimited,
    };
  }, [received, pastTerms, toRows, offsetMs, isCheckLimited]);
  const { error, errorUpdatedAt, isFetching, refetch } = response;
  return { query: usePanelQuery({ data, error, errorUpdatedAt, isFetching, refetch }), isEarlier: isPlaceholderData };
}
