import type { ReactNode } from 'react';
import { useExplainedByOutage, useOutage } from '#page/client/react/use-outage.ts';
import { lazy } from '#page/kit/lazy.tsx';
import { ErrorState } from './error-state.tsx';
import type { StaleNoticeProps } from './failure.tsx';
import type { PanelQuery, Stamp } from './panel-query.ts';
import { Skeleton } from './skeleton.tsx';
import styles from './panel.module.css';

const StaleNotice = lazy(async () => (await import('./failure.tsx')).StaleNotice);

export interface PanelBodyProps<T extends Stamp> {
  readonly query: PanelQuery<T>;
  /** Replaces the content where there are no rows; null where there are some. */
  readonly emptyState?: (data: T) => ReactNode;
  /** Where the notice of stale data stands: below a list, it moves no row under the pointer. */
  readonly noticeAt?: 'start' | 'end';
  readonly children: (data: T) => ReactNode;
}

export function PanelBody<T extends Stamp>({ query, emptyState, noticeAt = 'start', children }: PanelBodyProps<T>) {
  const { data, error, errorUpdatedAt, isFetching, refetch } = query;
  const isOut = useOutage() !== null;
  if (data === undefined)
    return error === null ? (
      <Skeleton />
    ) : (
      <ErrorState error={error} failedAt={errorUpdatedAt} isFetching={isFetching} retry={refetch} />
    );
  const cause = error ?? data.staleBecause;
  const notice = cause !== null && (
    <OwnStaleNotice cause={cause} failedAt={error === null ? data.receivedAt : errorUpdatedAt} retry={refetch} />
  );
  // During an outage nothing is refreshed, whether or not this panel has tried. What is settled stays as it is.
  const isStale = cause !== null || (isOut && data.cache !== 'disk-hit');
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

interface OwnStaleNoticeProps extends StaleNoticeProps {
  readonly failedAt: number;
}

/** During an outage, its bar says why the data are old, for all panels. */
function OwnStaleNotice({ failedAt, ...notice }: OwnStaleNoticeProps) {
  return !useExplainedByOutage(notice.cause, failedAt) && <StaleNotice {...notice} />;
}
