import type { ReactNode } from 'react';
import { hasGivenUp } from '#page/client/page-window/window-state.ts';
import { presentError } from '#page/client/present-error.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useExplainedByOutage } from '#page/client/react/use-outage.ts';
import { InvalidRows } from '#page/panels/invalid-rows.tsx';
import { ErrorState } from '#page/panels/error-state.tsx';
import { FreshnessMark } from '#page/panels/freshness-mark.tsx';
import { RetryCountdown } from '#page/panels/retry-countdown.tsx';
import { Skeleton } from '#page/panels/skeleton.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { useNavigator } from '#page/kit/navigation/navigation.tsx';
import { writeQuery } from '#page/kit/navigation/write-query.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import { describeEnd } from '#page/panels/evidence/end-text.ts';
import { isOpenEnded, QUERY_PARAMS, type HistoryQuery } from '#model/tables/orders/history-query.ts';
import styles from '../shared/history.module.css';
import { NEWER_SECONDS, type HistoryWindow } from './use-history-window.ts';

interface NewestAgeProps {
  readonly history: HistoryWindow;
  readonly query: HistoryQuery;
}

/** How long ago the list was last checked for newer rows. Older pages do not age. */
export function NewestAge({ history: { window, view }, query }: NewestAgeProps): ReactNode {
  const { now } = useApi();
  const { spans } = view.list;
  const newest = query.order === 'desc' ? spans[0] : spans.at(-1);
  const readAt = view.newer.checkedAt ?? newest?.loaded?.source.receivedAt;
  if (readAt === undefined) return null;
  if (!isOpenEnded(query, now())) return <span>Past range, no updates</span>;
  if (query.order === 'asc' && view.end === null) return <span>Newest rows not loaded yet</span>;
  const data = { receivedAt: readAt, ageSeconds: 0, freshSeconds: null, cache: 'miss', staleBecause: null } as const;
  const panelQuery = {
    data,
    error: view.newer.error,
    errorUpdatedAt: 0,
    isFetching: false,
    refetch: window.checkForNewer,
  };
  return (
    <span className={styles['newest']}>
      Newest rows <FreshnessMark query={panelQuery} everySeconds={NEWER_SECONDS} />
      {view.newer.error !== null && ` ${view.newer.error.message}`}
    </span>
  );
}

/** Below the list when its next page could not be read; the rows stay. */
export function ReadFailureNotice({
  history: { window, view, retryAt },
}: {
  readonly history: HistoryWindow;
}): ReactNode {
  const isExplained = useExplainedByOutage(view.failure?.error ?? null, view.failure?.at ?? 0, {
    isStatusReread: false,
  });
  const error = view.failure === null ? null : presentError(view.failure.error);
  const text =
    error === null
      ? null
      : isExplained
        ? 'More orders load automatically once the outage is over.'
        : `${error.title}. ${error.detail}`;
  useAnnounced(text === null ? null : `Loading stopped. ${text}`);
  if (text === null) return null;
  return (
    <p className={styles['notice']}>
      <span>
        <strong>Loading stopped.</strong> The orders loaded so far are kept. {text}
      </span>
      {!isExplained && (
        <>
          <button
            type="button"
            onClick={() => {
              window.retry(true);
            }}
          >
            Try again
          </button>
          {retryAt !== null && <RetryCountdown retryAt={retryAt}>Retrying…</RetryCountdown>}
        </>
      )}
    </p>
  );
}

interface NoRowsProps extends NewestAgeProps {
  readonly list: ListControl;
}

/** Takes the place of a list without rows: loading, failed or empty. */
export function NoRows({ history: { window, view, retryAt }, list, query }: NoRowsProps): ReactNode {
  const clear = useClearFilters(list);
  if (view.failure !== null)
    return (
      <ErrorState
        isOfWindow
        error={view.failure.error}
        failedAt={view.failure.at}
        isFetching={view.reading !== null}
        retryAt={retryAt}
        retry={() => {
          window.retry(true);
        }}
      />
    );
  if (hasGivenUp(view)) {
    return (
      <InvalidRows noun="order" count={view.setAside.size} deviations={view.deviations}>
        <p>Perpdesk has stopped loading.</p>
      </InvalidRows>
    );
  }
  if (view.end === null) return <Skeleton />;
  const isFiltered = Object.entries(query).some(([name, text]) => name !== 'order' && text !== '');
  return (
    <EmptyState title={isFiltered ? 'No matching orders' : 'No orders yet'}>
      <p>The exchange returned no orders ({describeEnd(view.end)}).</p>
      {isFiltered && (
        <button type="button" onClick={clear}>
          Clear filters
        </button>
      )}
    </EmptyState>
  );
}

/** Clears all filters, including those without a column. */
function useClearFilters(list: ListControl): () => void {
  const navigator = useNavigator();
  return () => {
    list.set({ ...list.state, filters: {}, quick: '' });
    writeQuery(navigator, (query) => {
      for (const param of Object.values(QUERY_PARAMS)) param.write(query, '');
    });
  };
}
