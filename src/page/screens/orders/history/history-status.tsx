import { countOf, formatCount } from '#model/format/count.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { lazy } from '#page/kit/lazy.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import styles from '../shared/orders.module.css';
import { describeEnd } from '#page/panels/evidence/end-text.ts';
import { type HistoryQuery, isOpenEnded, QUERY_PARAMS } from '#model/tables/orders/history-query.ts';
import type { HistoryLines } from './use-history-lines.ts';
import { type HistoryWindow, NEWER_SECONDS } from './use-history-window.ts';
import { CHECK_LIMITED } from '../shared/use-order-terms.ts';
import type { ReactNode } from 'react';
import { hasGivenUp } from '#page/client/page-window/window-state.ts';
import { presentError } from '#page/client/present-error.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useExplainedByOutage } from '#page/client/react/use-desk-status.ts';
import { InvalidRows } from '#page/panels/missing-rows.tsx';
import { ErrorState, Skeleton } from '#page/panels/panel-body.tsx';
import { FreshnessMark } from '#page/panels/freshness-mark.tsx';
import { RetryCountdown } from '#page/panels/retry-countdown.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useNavigator } from '#page/kit/navigation.tsx';
import { writeQuery } from '#page/kit/navigator.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import historyStyles from '../shared/history.module.css';

/** Loaded when the first orders are selected. */
const FilledSums = lazy(async () => (await import('./filled-sums.tsx')).FilledSums);

interface HistoryFooterProps {
  readonly history: HistoryWindow;
  readonly found: HistoryLines;
  readonly loaded: number;
  readonly selected: readonly OrderRow[];
  /** The number of selected orders that are not in memory. */
  readonly missing: number;
  readonly order: HistoryQuery['order'];
  /** The grid's last message, such as a note on what was copied. */
  readonly gridMessage: string;
  readonly isCheckLimited: boolean;
}

export function HistoryFooter({
  history: { window, view },
  found,
  loaded,
  selected,
  missing,
  order,
  gridMessage,
  isCheckLimited,
}: HistoryFooterProps) {
  const { rowCount, spans } = view.list;
  const last = spans.at(-1)?.last;
  const end = view.end === null ? null : `All orders loaded: ${describeEnd(view.end)}`;
  useAnnounced(end);
  return (
    <footer className={styles['footer']}>
      <LoadedCount view={view} />
      {found.isFiltered ? (
        <span>
          <b>{formatCount(found.lines.count)}</b> match the filter, of {formatCount(loaded)} in memory
        </span>
      ) : (
        loaded < rowCount && <span>{formatCount(loaded)} in memory; the rest reload as you scroll</span>
      )}
      {gridMessage !== '' && <span>{gridMessage}</span>}
      {last && (
        <span>
          {order === 'desc' ? 'back to' : 'up to'} <Timestamp at={last.time} />
        </span>
      )}
      <ValidationIssues view={view} />
      {isCheckLimited && <span>{CHECK_LIMITED}</span>}
      <span>{end ?? toActivity(view.reading)}</span>
      {found.isFiltered && view.end === null && (
        <button
          type="button"
          disabled={view.reading !== null}
          onClick={() => {
            window.setViewport({ from: rowCount - 1, to: rowCount, loadsMore: true, reloads: false });
          }}
        >
          Load more
        </button>
      )}
      {selected.length > 0 && (
        <FilledSums rows={selected} missing={missing} loaded={rowCount} isWhole={view.end !== null} />
      )}
    </footer>
  );
}

/** Says nothing before the first page has been read. */
function LoadedCount({ view: { list, end, requests } }: Pick<HistoryWindow, 'view'>) {
  if (list.rowCount === 0 && end === null) return null;
  return (
    <span>
      <b>{formatCount(list.rowCount)}</b> loaded in {countOf(requests, 'request')}
    </span>
  );
}

const ACTIVITIES = { more: 'loading more…', reload: 'reloading…', newer: 'loading newer orders…' } as const;

function toActivity(reading: HistoryWindow['view']['reading']): string {
  return reading === null ? 'more available' : ACTIVITIES[reading];
}

function ValidationIssues({ view: { setAside, deviations } }: Pick<HistoryWindow, 'view'>) {
  return (
    <>
      {setAside.size > 0 && (
        <span>
          {countOf(setAside.size, 'row')} from the exchange failed validation and
          {setAside.size === 1 ? ' is ' : ' are '}
          left out
        </span>
      )}
      {deviations.length > 0 && (
        <span
          title={deviations
            .map(({ place, expected, found: what }) => `${place}: expected ${expected}, found ${what}`)
            .join('\n')}
        >
          {countOf(deviations.length, 'deviation')} from the API
        </span>
      )}
    </>
  );
}

interface NewestAgeProps {
  readonly history: HistoryWindow;
  readonly query: HistoryQuery;
}

/** Shows how long ago the list was last checked for newer rows. Older pages do not age. */
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
    <span className={historyStyles['newest']}>
      Newest rows <FreshnessMark query={panelQuery} everySeconds={NEWER_SECONDS} />
      {view.newer.error !== null && ` ${view.newer.error.message}`}
    </span>
  );
}

/** Reports below the list that its next page could not be read; the rows stay. */
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
    <p className={historyStyles['notice']}>
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

/** Replaces a list without rows: while loading, after a failure, or when nothing matches. */
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
