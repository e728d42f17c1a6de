import { isFailing, OUTAGES, type ReceivedStatus, toDeskOutage, toExchangeOutage } from '#page/client/desk-status.ts';

export interface ConnectionState {
  readonly state: 'unknown' | 'good' | 'failing';
  readonly words: string;
}

export function toConnectionState(status: ReceivedStatus | undefined, error: Error | null): ConnectionState {
  if (error !== null) return { state: 'failing', words: OUTAGES[toDeskOutage(error)].title };
  if (status === undefined) return { state: 'unknown', words: 'Connecting…' };
  const outage = toExchangeOutage(status);
  if (outage !== null) return { state: 'failing', words: OUTAGES[outage].title };
  return isFailing(status) ? { state: 'failing', words: 'Exchange error' } : { state: 'good', words: 'Exchange' };
}
