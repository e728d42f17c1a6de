import { useQuery } from '@tanstack/react-query';
import { OUTAGES, toLastResponse, toNextRetry, type OutageKind } from '#page/client/outage.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { RetryCountdown } from '#page/panels/retry-countdown.tsx';
import { Link } from '#page/kit/navigation/link.tsx';
import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { formatDuration, formatInstant, formatTimeOfDay } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { useNow } from '#page/kit/time/use-now.tsx';
import { useDataCheck, useEndAtFirstSuccess, useRetryAll, useRetryAtEnd } from './use-retry-all.ts';
import styles from './outage-bar.module.css';

/** The one message of an outage: what, since when, what is shown meanwhile, and what happens next. */
export function OutageBar({ kind }: { readonly kind: OutageKind }) {
  const { queries } = useApi();
  // Also while the tab is hidden: its title must not name an outage that is over.
  const status = useQuery({ ...queries.desk.status({}), refetchIntervalInBackground: true });
  const { retry, isRetrying } = useRetryAll();
  const hasData = useDataCheck();
  useEndAtFirstSuccess();
  useRetryAtEnd(kind);
  const lastAt = toLastResponse(kind, status);
  const retryAt = toNextRetry(kind, status);
  const isSpent = useIsAhead(kind === 'rate-limited' ? retryAt : null);
  const isDisabled = isRetrying || isSpent;
  return (
    <section className={styles['bar']} data-kind={kind} aria-label="Outage">
      <p className={styles['words']}>
        <strong className={styles['title']}>{OUTAGES[kind].title}</strong>
        <span>{lastAt === null ? 'No response so far.' : <LastResponse at={lastAt} />}</span>
        {kind === 'desk-failing' && status.error !== null && <span>{status.error.message}</span>}
        <Meanwhile hasData={hasData} />
        <span>
          {isRetrying ? (
            'Retrying…'
          ) : retryAt === null ? (
            RETRIES
          ) : (
            <RetryCountdown retryAt={retryAt}>{RETRIES}</RetryCountdown>
          )}
        </span>
      </p>
      <p className={styles['actions']}>
        <button
          type="button"
          aria-disabled={isDisabled}
          title={isSpent ? 'No request may be sent before then.' : undefined}
          onClick={() => {
            if (!isDisabled) void retry();
          }}
        >
          Try again
        </button>
        <Link to="/status">Details</Link>
      </p>
    </section>
  );
}

/** Whether a time is to come: until the budget has a request again, no retry can help. */
function useIsAhead(at: number | null): boolean {
  const now = useNow();
  return at !== null && at > now;
}

const RETRIES = 'Retries automatically.';
const DAY_SECONDS = 86_400;

function LastResponse({ at }: { readonly at: number }) {
  const [zone] = useZone();
  const seconds = (useNow() - at) / 1_000;
  return (
    <>
      Last response <Time at={at}>{seconds < DAY_SECONDS ? formatTimeOfDay(at, zone) : formatInstant(at, zone)}</Time>,{' '}
      {formatDuration(seconds)} ago.
    </>
  );
}

/** Nothing is said where nothing is shown. */
function Meanwhile({ hasData }: { readonly hasData: () => boolean }) {
  // Data may be dropped, and other screens opened, without a new status.
  useNow();
  return hasData() && <span>The figures shown are the last ones received.</span>;
}
