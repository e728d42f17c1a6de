import { type ReactNode, useMemo, useState } from 'react';
import type { GridMarks } from '#page/kit/grid/grid-props.ts';
import type { AddedColumns } from '#model/tables/orders/export-working.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import { useQuery } from '@tanstack/react-query';
import type { ApiResponse } from '#model/response.ts';
import { READ_ONCE } from '#page/client/freshness.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useVenueOffset } from '#page/client/react/use-desk-status.ts';
import type { DeskJournalBook, DeskJournalPrices } from '#contract/desk/journal.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { createPastPriceOf, toPastSet } from '#model/orders/past-books.ts';
import { toMillis } from '#model/time/session.ts';
import { type PanelQuery, usePanelQuery } from '#page/panels/panel-body.tsx';
import { type OrderSnapshot, toDeviationText } from '../shared/order-snapshot.ts';
import type { PastTermsReading } from '../shared/use-order-terms.ts';
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
  /** When the market prices of its figures were read; null without prices. */
  readonly pricesAt: Instant | null;
  /** Why it has no market prices; null if it has. */
  readonly pricesMissing: string | null;
  /** Why nothing was read in the gap; null if that is not known. */
  readonly gapCause: DeskJournalBook['gap_cause'];
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

interface BookRead {
  readonly book: ApiResponse<DeskJournalBook>;
  /** The market prices at the time of its reading. */
  readonly prices: ApiResponse<DeskJournalPrices>;
}

/** Reads the book of an instant; null reads none. A book with a later reading never changes, so it is read once. */
export function useBook(at: number | null, { termsAt, isCheckLimited }: PastTermsReading): BookReading {
  const { api } = useApi();
  const queryKey = ['past-book', at];
  const response = useQuery<BookRead>({
    queryKey,
    queryFn: async ({ client, signal }) => {
      const previous = client.getQueryData<BookRead>(queryKey);
      const options = { signal, purpose: 'interactive' } as const;
      const book = await api.desk.journalBook({ at: toAtText(at ?? 0) }, { ...options, previous: previous?.book });
      if (previous?.book.value === book.value) return { book, prices: previous.prices };
      return { book, prices: await api.desk.journalPrices({ at: book.value.read_to }, options) };
    },
    ...READ_ONCE,
    refetchInterval: (query) =>
      query.state.data?.book.value.next_read_at === null ? FOLLOWED_SECONDS * 1_000 : READ_ONCE.refetchInterval(query),
    gcTime: KEPT_MS,
    enabled: at !== null,
    placeholderData: (previous) => (at === null ? undefined : previous),
  });
  const { data: read, isPlaceholderData } = response;
  const prices = read?.prices;
  const termsOf = useMemo(
    () => (prices === undefined ? null : (termsAt?.(createPastPriceOf(prices)) ?? null)),
    [prices, termsAt],
  );
  const offsetMs = useVenueOffset();
  const [toRows] = useState(createWorkingRows);
  const data = useMemo((): PastBook | undefined => {
    if (read === undefined || termsOf === null) return undefined;
    const { book, prices } = read;
    const { value, setAside, deviations } = book;
    const source = { ...book, respondedAt: value.read_to };
    const { orders, completeness } = toPastSet(value, setAside.length);
    const { rows } = toRows({
      orders,
      source,
      parts: [{ filter: {}, count: orders.length, read_at: value.read_to }],
      termsOf,
      offsetMs,
    });
    const { endpoint, receivedAt, ageSeconds, freshSeconds, staleBecause, cadence } = book;
    const stamp = {
      endpoint,
      deviations,
      receivedAt,
      ageSeconds,
      freshSeconds,
      staleBecause,
      cadence,
      cache: value.next_read_at === null ? book.cache : ('disk-hit' as const),
    };
    const times = {
      readTo: toMillis(value.read_to),
      nextReadAt: value.next_read_at === null ? null : toMillis(value.next_read_at),
      inGap: value.in_gap,
      pricesAt: prices.value.read_at,
      pricesMissing: prices.value.missing,
      gapCause: value.gap_cause,
    };
    return {
      ...stamp,
      ...times,
      rows,
      completeness,
      source,
      setAside: setAside.length,
      deviationTexts: [...deviations, ...prices.deviations].map(toDeviationText),
      isCheckLimited,
    };
  }, [read, termsOf, toRows, offsetMs, isCheckLimited]);
  const { error, errorUpdatedAt, isFetching, refetch } = response;
  return { query: usePanelQuery({ data, error, errorUpdatedAt, isFetching, refetch }), isEarlier: isPlaceholderData };
}
