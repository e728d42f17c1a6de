import type { ApiResponse } from '#model/response.ts';
import { useShallowStable } from '#page/kit/use-stable.ts';
import hidden from '#page/kit/hidden.module.css';
import styles from './panel.module.css';
import { createElement, type ReactNode } from 'react';
import { isWaiting } from '#page/client/errors.ts';
import { toExpectedTime } from '#page/client/freshness.ts';
import { useExplainedByOutage, useIsOutdated } from '#page/client/react/use-desk-status.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { lazy } from '#page/kit/lazy.tsx';
import type { FailureProps, StaleNoticeProps } from './failure.tsx';

/** The endpoint of a response, and how the response differs from the interface. */
export type Checked = Pick<ApiResponse<unknown>, 'endpoint' | 'deviations'>;

/** The age of the data on screen, as given by their response. */
export type Stamp = Partial<Checked> &
  Pick<
    ApiResponse<unknown>,
    'receivedAt' | 'ageSeconds' | 'freshSeconds' | 'cache' | 'staleBecause' | 'cadence' | 'isOwn'
  >;

/** The parts of a query that a panel needs: its last data, and the failure since. */
export interface PanelQuery<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly errorUpdatedAt: number;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

/**
 * Returns an object that stays the same until a part that panels need changes; a query’s result is new at every render.
 */
export function usePanelQuery<T>({ data, error, errorUpdatedAt, isFetching, refetch }: PanelQuery<T>): PanelQuery<T> {
  return useShallowStable({ data, error, errorUpdatedAt, isFetching, refetch });
}

/** Shown until the first response. */
export function Skeleton() {
  return (
    <div className={styles['skeleton']}>
      <span className={hidden['hidden']}>Loading…</span>
      <i />
      <i />
      <i />
      <i />
    </div>
  );
}

const Failure = lazy(async () => (await import('./failure.tsx')).Failure, createElement(Skeleton));

interface ErrorStateProps extends FailureProps {
  readonly failedAt: number;
  /** Whether the failure is not a query’s, so that it does not cause a new reading of Perpdesk’s status. */
  readonly isOfWindow?: boolean;
}

/**
 * Stands in for data that could not be read. During an outage, the outage bar explains it and offers a retry, once for
 * all panels.
 */
export function ErrorState({ failedAt, isOfWindow = false, ...failure }: ErrorStateProps) {
  if (!useExplainedByOutage(failure.error, failedAt, { isStatusReread: !isOfWindow })) return <Failure {...failure} />;
  return (
    <EmptyState title="Not loaded">
      <p>This panel loads automatically once the outage is over.</p>
    </EmptyState>
  );
}

const StaleNotice = lazy(async () => (await import('./failure.tsx')).StaleNotice);

export interface PanelBodyProps<T extends Stamp> {
  readonly query: PanelQuery<T>;
  /** Replaces the content if there are no rows; returns null if there are some. */
  readonly emptyState?: (data: T) => ReactNode;
  /** Refresh interval. */
  readonly everySeconds?: number;
  /** Position of the notice of stale data. Below a list, it moves no row under the pointer. */
  readonly noticeAt?: 'start' | 'end';
  readonly children: (data: T) => ReactNode;
}

export function PanelBody<T extends Stamp>({
  query,
  emptyState,
  everySeconds,
  noticeAt = 'start',
  children,
}: PanelBodyProps<T>) {
  const { data, error, errorUpdatedAt, isFetching, refetch } = query;
  const isOutdated = useIsOutdated(data ?? NOTHING);
  if (data === undefined)
    return error === null ? (
      <Skeleton />
    ) : (
      <ErrorState error={error} failedAt={errorUpdatedAt} isFetching={isFetching} retry={refetch} />
    );
  const cause = error ?? data.staleBecause;
  const notice = cause !== null && <OwnStaleNotice {...{ cause, everySeconds, data }} query={query} />;
  // During an outage nothing is refreshed, even if this panel has not tried yet.
  const isStale = (cause !== null && !isWaiting(cause)) || isOutdated;
  return (
    <>
      {noticeAt === 'start' && notice}
      <div className={styles['content']} data-stale={isStale}>
        {emptyState?.(data) ?? children(data)}
      </div>
      {noticeAt === 'end' && notice}
    </>
  );
}

const NOTHING = { cache: 'unknown' } as const;

interface OwnStaleNoticeProps extends Pick<StaleNoticeProps, 'cause'> {
  readonly data: Stamp;
  readonly query: PanelQuery<unknown>;
  readonly everySeconds: number | undefined;
}

/** The panel’s own notice of old data. During an outage, the outage bar explains it for all panels. */
function OwnStaleNotice({ cause, data, query, everySeconds = 0 }: OwnStaleNoticeProps) {
  const { error, errorUpdatedAt, refetch } = query;
  const failedAt = error === null ? data.receivedAt : errorUpdatedAt;
  const expectedAt = toExpectedTime({ data, error, errorUpdatedAt }, { reuseSeconds: everySeconds });
  return !useExplainedByOutage(cause, failedAt) && <StaleNotice {...{ cause, data, expectedAt }} retry={refetch} />;
}
