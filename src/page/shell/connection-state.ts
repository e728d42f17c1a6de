import {
  isFailing,
  isSlowed,
  OUTAGES,
  type ReceivedStatus,
  toDeskOutage,
  toExchangeOutage,
} from '#page/client/desk-status.ts';

export interface ConnectionState {
  readonly state: 'unknown' | 'good' | 'slowed' | 'failing';
  /** Null while there is nothing to say. */
  readonly words: string | null;
}

export function toConnectionState(status: ReceivedStatus | undefined, error: Error | null): ConnectionState {
  if (error !== null) return { state: 'failing', words: OUTAGES[toDeskOutage(error)].title };
  if (status === undefined) return { state: 'unknown', words: 'Connecting…' };
  const outage = toExchangeOutage(status);
  if (outage !== null) return { state: 'failing', words: OUTAGES[outage].title };
  if (isFailing(status)) return { state: 'failing', words: 'Exchange error' };
  return isSlowed(status) ? { state: 'slowed', words: 'Data slower' } : { state: 'good', words: null };
}
