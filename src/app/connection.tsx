import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useDoor } from '#api/react.tsx';
import { toVenueTime, type KnownStatus } from '#api/venue-time.ts';
import { useAnnounce } from '#ui/live-region.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { formatTimeOfDay } from '#ui/time/format-time.ts';
import { Time } from '#ui/time/time.tsx';
import { useNow } from '#ui/time/use-now.tsx';
import { tellChange, toConnection } from './connection-state.ts';
import styles from './connection.module.css';

/** Whether what is on the screens can be current: always in sight, and told aloud when it changes. */
export function Connection() {
  const { queries } = useDoor();
  const { data, error } = useQuery(queries.desk.status({}));
  const { state, words } = toConnection(data, error);
  useTold(state === 'good' || state === 'unknown' ? '' : words);
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

function useTold(trouble: string): void {
  const announce = useAnnounce();
  const told = useRef('');
  useEffect(() => {
    const words = tellChange(told.current, trouble);
    told.current = trouble;
    if (words !== null) announce(words);
  }, [trouble, announce]);
}

function VenueClock({ status }: { readonly status: KnownStatus }) {
  const [zone] = useZone();
  const at = toVenueTime(status, useNow());
  return (
    <Time className={styles['clock']} at={at}>
      {formatTimeOfDay(at, zone)}
    </Time>
  );
}

function Budget({ status }: { readonly status: KnownStatus }) {
  const { limit, used } = status.value.budget;
  if (limit === null) return null;
  const left = Math.max(0, limit.requests - used);
  return (
    <span className={styles['budget']} data-low={left <= limit.reserve}>
      <span className={styles['long']}>budget </span>
      {left} of {limit.requests}
      <span className={styles['long']}> left</span>
    </span>
  );
}
