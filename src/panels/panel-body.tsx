import type { ReactNode } from 'react';
import { presentError, presentStale, type PresentedError } from '#api/present-error.ts';
import { useAnnounced } from '#ui/live-region.tsx';
import { ErrorState } from './error-state.tsx';
import type { PanelQuery, Stamp } from './panel-query.ts';
import { RetryCountdown } from './retry-countdown.tsx';
import { Skeleton } from './skeleton.tsx';
import styles from './panel.module.css';

export interface PanelBodyProps<T extends Stamp> {
  readonly query: PanelQuery<T>;
  /** Replaces the content where there are no rows; null where there are some. */
  readonly emptyState?: (data: T) => ReactNode;
  readonly children: (data: T) => ReactNode;
}

export function PanelBody<T extends Stamp>({ query, emptyState, children }: PanelBodyProps<T>) {
  const { data, error, isFetching, refetch } = query;
  if (data === undefined) return error === null ? <Skeleton /> : <ErrorState error={error} isFetching={isFetching} retry={refetch} />;
  const reason = toStaleReason(data, error);
  return (
    <>
      {reason !== null && <StaleNotice reason={reason} retry={refetch} />}
      <div className={styles['content']} data-stale={reason !== null}>
        {emptyState?.(data) ?? children(data)}
      </div>
    </>
  );
}

type StaleReason = Pick<PresentedError, 'detail' | 'advice' | 'retryAt'>;

function toStaleReason({ staleBecause }: Stamp, error: Error | null): StaleReason | null {
  if (error !== null) return presentError(error);
  return staleBecause === null ? null : { ...presentStale(staleBecause), retryAt: null };
}

interface StaleNoticeProps {
  readonly reason: StaleReason;
  readonly retry: () => unknown;
}

/** The last good data stay on screen, dimmed; this says why they are old, and what to do. */
function StaleNotice({ reason: { detail, advice, retryAt }, retry }: StaleNoticeProps) {
  // Panels that share a response become stale together: the one live region announces it once, where an alert in each would repeat it.
  useAnnounced(`Stale. ${detail}`, true);
  return (
    <p className={styles['notice']}>
      <span>
        <strong>Stale.</strong> Showing the last good data. {detail} {advice} {retryAt !== null && <RetryCountdown retryAt={retryAt} />}
      </span>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </p>
  );
}
