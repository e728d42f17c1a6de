import { formatDuration, formatTimeOfDay } from '#model/format/format-time.ts';
import { isWaiting } from '#page/client/errors.ts';
import { presentError, presentStale } from '#page/client/present-error.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import styles from '#page/kit/error-boundary.module.css';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { useNow } from '#page/kit/time/use-now.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import type { ApiResponse } from '#model/response.ts';
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
  readonly data: Partial<Pick<ApiResponse<unknown>, 'endpoint'>> &
    Pick<ApiResponse<unknown>, 'receivedAt' | 'ageSeconds'>;
  /** When newer data are expected, in epoch milliseconds. */
  readonly expectedAt: number;
  readonly retry: () => unknown;
}

/** A notice above the last good data: why they are old, and what to do. If they only wait for their turn, just that. */
export function StaleNotice({ cause, data, expectedAt, retry }: StaleNoticeProps) {
  return isWaiting(cause) ? (
    <WaitingNotice {...{ data, expectedAt, retry }} />
  ) : (
    <FailedNotice cause={cause} retry={retry} />
  );
}

const CONTENTS: Readonly<Record<string, string>> = {
  'chartPrice': 'Prices',
  'productData': 'Prices',
  'productDataAll': 'Prices',
  'chartVoi': 'Volume and open interest',
  'trailingStats': '24 h volume',
  'trailingStatsAll': '24 h volume',
  'fundingRates': 'Settled rates',
  'fundingEstimated': 'Predicted rate',
  'desk/funding': 'Settled rates',
  'orders': 'Orders',
  'desk/working': 'Orders',
};

/** Nothing has failed: the request budget is spent on what is more urgent. */
function WaitingNotice({ data, expectedAt, retry }: Omit<StaleNoticeProps, 'cause'>) {
  const { endpoint = '', receivedAt, ageSeconds } = data;
  const [zone] = useZone();
  const time = formatTimeOfDay(receivedAt - (ageSeconds ?? 0) * 1_000, zone);
  const seconds = Math.ceil((expectedAt - useNow()) / 1_000);
  return (
    <p className={panelStyles['waiting']}>
      <span>
        {CONTENTS[endpoint] ?? 'Data'} of {time}
        {seconds > 0 ? `, next update in ${formatDuration(seconds)}` : ', being updated'}
      </span>
      <button type="button" onClick={retry}>
        Update now
      </button>
    </p>
  );
}

/** The data stay on screen dimmed. */
function FailedNotice({ cause, retry }: Pick<StaleNoticeProps, 'cause' | 'retry'>) {
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
