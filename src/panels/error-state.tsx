import { presentError } from '#api/present-error.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import styles from '#ui/error-boundary.module.css';
import { useAnnounced } from '#ui/live-region.tsx';
import { RetryCountdown } from './retry-countdown.tsx';

interface ErrorStateProps {
  readonly error: Error;
  readonly isFetching: boolean;
  /** When the page retries by itself, where the error alone does not say so. */
  readonly retryAt?: number | null;
  readonly retry: () => unknown;
}

/** Takes the place of data that could not be read: what happened, what to do, and a retry where one can help. */
export function ErrorState({ error, isFetching, retryAt, retry }: ErrorStateProps) {
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
