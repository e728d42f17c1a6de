import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ApiResponse } from '#model/response.ts';
import { READ_ONCE } from '#page/client/read-once.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useVenueOffset } from '#page/client/react/use-venue-time.ts';
import type { DeskJournalBook } from '#contract/desk/journal.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { withoutMarket, type TermsOf } from '#model/orders/order-terms.ts';
import { toPastSet } from '#model/orders/past-set.ts';
import { toMillis } from '#model/time/session.ts';
import { usePanelQuery, type PanelQuery } from '#page/panels/panel-query.ts';
import { toDeviationText, type OrderSnapshot } from '../shared/order-snapshot.ts';
import { createWorkingRows } from '#model/tables/orders/create-working-rows.ts';
import { toAtText } from './travel-params.ts';

/** The orders that were working at an instant, as the last reading before it shows them. Times in epoch milliseconds. */
export interface PastBook extends OrderSnapshot {
  /** Newest first. */
  readonly rows: readonly OrderRow[];
  readonly readTo: number;
  /** Null: there is none yet. */
  readonly nextReadAt: number | null;
  readonly inGap: boolean;
}

export interface BookReading {
  readonly query: PanelQuery<PastBook>;
  /** The book on screen is of an instant chosen before, until the one that is wanted is read. */
  readonly isEarlier: boolean;
}

/** Whether a later reading has followed, which makes a book final. */
const FOLLOWED_SECONDS = 30;
/** Each holds a whole book in memory. */
const KEPT_MS = 60_000;

/** Null: none is wanted. A book that another reading follows never changes, so it is read once. */
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
    const source = { ...received, answeredAt: value.read_to };
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
