import { useQuery } from '@tanstack/react-query';
import { useApi } from '#page/client/react/use-api.tsx';
import { toVenueTime, type ReceivedStatus } from '#page/client/venue-time.ts';
import { Link } from '#page/kit/navigation/link.tsx';
import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { formatTimeOfDay } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { useNow } from '#page/kit/time/use-now.tsx';
import { toConnectionState } from './connection-state.ts';
import styles from './connection-indicator.module.css';

/** Whether the data on screen can be current. */
export function ConnectionIndicator() {
  const { queries } = useApi();
  const { data, error } = useQuery(queries.desk.status({}));
  const { state, words } = toConnectionState(data, error);
  return (
    <Link className={styles['connection']} data-state={state} to="/status">
      {data !== undefined && <span className={styles['venue']}>{data.value.venue.name}</span>}
      <span className={styles['words']}>
        {words} {data !== undefined && state === 'good' && <VenueClock status={data} />}
      </span>
      {data !== undefined && <Budget status={data} />}
    </Link>
  );
}

function VenueClock({ status }: { readonly status: ReceivedStatus }) {
  const [zone] = useZone();
  const at = toVenueTime(status, useNow());
  return (
    <Time className={styles['clock']} at={at}>
      {formatTimeOfDay(at, zone)}
    </Time>
  );
}

function Budget({ status }: { readonly status: ReceivedStatus }) {
  const { limit, used } = status.value.budget;
  if (limit === null) return null;
  const left = Math.max(0, limit.requests - used);
  return (
    <span className={styles['budget']} data-low={left <= limit.reserve}>
      <span className={styles['long']}>Requests left: </span>
      {left} / {limit.requests}
      {left > 0 && left <= limit.reserve && ', reserved'}
    </span>
  );
}
