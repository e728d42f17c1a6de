import { type Query, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isStale } from '#page/client/queries/create-query-client.ts';
import { type OutageKind, OUTAGES, toLastResponse, toNextRetry } from '#page/client/desk-status.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { RetryCountdown } from '#page/panels/retry-countdown.tsx';
import { Link } from '#page/kit/navigation.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { formatDuration, formatInstant, formatTimeOfDay } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { useNow } from '#page/kit/time/use-now.tsx';
import styles from './outage-bar.module.css';

/** States the outage: its kind, its start, what is shown meanwhile, and when Perpdesk retries. */
export function OutageBar({ kind }: { readonly kind: OutageKind }) {
  const { queries } = useApi();
  // Also polls while the tab is hidden, because the tab's title must not name an outage that is over.
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

/** Returns whether a time lies ahead. Until the budget has a request again, a retry is pointless. */
function useIsAhead(at: number | null): boolean {
  const now = useNow();
  return at !== null && at > now;
}

const RETRIES = 'Retries automatically.';
const DAY_SECONDS = 86_400;

function LastResponse({ at }: { readonly at: number }) {
  const [zone] = useZone();
  const seconds = (useNow() - at) / 1_000;
  const format = seconds < DAY_SECONDS ? formatTimeOfDay : formatInstant;
  return (
    <>
      Last response <Time at={at}>{format(at, zone)}</Time>, {formatDuration(seconds)} ago.
    </>
  );
}

/** Says that the figures are old, if the screen shows any. */
function Meanwhile({ hasData }: { readonly hasData: () => boolean }) {
  // Rechecks every second: data may be dropped, or another screen opened, without a new status.
  useNow();
  return hasData() && <span>The figures shown are the last ones received.</span>;
}

/** Returns a function that re-reads everything on screen that failed or is stale, then the status. */
export function useRetryAll() {
  const client = useQueryClient();
  const { queries } = useApi();
  const [isRetrying, setRetrying] = useState(false);
  const retry = async (): Promise<void> => {
    setRetrying(true);
    await readMissed(client);
    await client.refetchQueries({ queryKey: queries.desk.status({}).queryKey });
    setRetrying(false);
  };
  return { retry, isRetrying };
}

/** Re-reads everything on screen that failed or is stale. */
function readMissed(client: QueryClient): Promise<void> {
  return client.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.error !== null || isStale(state.data),
  });
}

/**
 * Re-reads failed data as soon as the outage ends. A spent budget refills request by request, so after that kind of
 * outage the screens wait for their next poll.
 */
export function useRetryAtEnd(kind: OutageKind): void {
  const client = useQueryClient();
  const last = useRef(kind);
  useEffect(() => {
    last.current = kind;
  }, [kind]);
  useEffect(
    () => () => {
      if (last.current !== 'rate-limited') void readMissed(client);
    },
    [client],
  );
}

/**
 * Re-reads the status at the first success, which may mean that the outage is over, instead of waiting for the next
 * poll.
 */
export function useEndAtFirstSuccess(): void {
  const client = useQueryClient();
  const { queries } = useApi();
  useEffect(() => {
    const { queryKey } = queries.desk.status({});
    return client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success') return;
      const {
        queryKey: [name],
        state,
      } = event.query as Query;
      if (name !== queryKey[0] && !isStale(state.data))
        void client.invalidateQueries({ queryKey }, { cancelRefetch: false });
    });
  }, [client, queries]);
}

/** Returns a check of whether the screen shows any data from the exchange. */
export function useDataCheck(): () => boolean {
  const client = useQueryClient();
  const { queries } = useApi();
  const [statusName] = queries.desk.status({}).queryKey;
  return () =>
    client
      .getQueryCache()
      .getAll()
      .some((query) => query.isActive() && query.queryKey[0] !== statusName && query.state.data !== undefined);
}
