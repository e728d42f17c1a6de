import { presentError, presentStale } from '#page/client/present-error.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import styles from '#page/kit/error-boundary.module.css';
import { useAnnounced } from '#page/kit/live-region.tsx';
import panelStyles from './panel.module.css';
import { RetryCountdown } from './retry-countdown.tsx';

export interface FailureProps {
  readonly error: Error;
  readonly isFetching: boolean;
  /** When the page retries automatically, if the error itself does not say so. */
  readonly retryAt?: number | null | undefined;
  readonly retry: () => unknown;
}

/** What happened, what to do, and a retry button if a retry can help. */
export function Failure({ error, isFetching, retryAt, retry }: FailureProps) {
  const { kind, title, detail, advice, evidence, ...presented } = presentError(error);
  const nextRetryAt = retryAt === undefined ? presented.retryAt : retryAt;
  const sentence = title.endsWith('.') ? title : `${title}.`;
  const isRepeated = detail === title || detail === sentence;
  useAnnounced(kind === 'failed' ? (isRepeated ? sentence : `${sentence} ${detail}`) : null);
  return (
    <EmptyState title={title}>
      {!isRepeated && <p>{detail}</p>}
      <p>{advice}</p>
      {kind !== 'refused' && (
        <p className={styles['actions']}>
          <button type="button" onClick={retry}>
            Try again
          </button>
          {isFetching ? <span>Retrying…</span> : nextRetryAt !== null && <RetryCountdown retryAt={nextRetryAt} />}
        </p>
      )}
      {evidence !== null && (
        <details>
          <summary>{evidence.name}</summary>
          <pre className={styles['details']}>{evidence.text}</pre>
        </details>
      )}
    </EmptyState>
  );
}

export interface StaleNoticeProps {
  /** An error, or the type of the problem. */
  readonly cause: Error | string;
  readonly retry: () => unknown;
}

/** A notice above the last good data, which stay on screen dimmed: why they are old, and what to do. */
export function StaleNotice({ cause, retry }: StaleNoticeProps) {
  const { detail, advice, retryAt } =
    typeof cause === 'string' ? { ...presentStale(cause), retryAt: null } : presentError(cause);
  // Panels that share a response become stale together: the live region announces it once, but alerts would repeat it.
  useAnnounced(`Stale. ${detail}`, true);
  return (
    <p className={panelStyles['notice']}>
      <span>
        <strong>Stale.</strong> Showing the last good data. {detail} {advice}{' '}
        {retryAt !== null && <RetryCountdown retryAt={retryAt} />}
      </span>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </p>
  );
}
