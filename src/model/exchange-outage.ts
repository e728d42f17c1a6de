/** The outcome of all reads of the exchange. Times are in epoch milliseconds of one clock. */
export interface ReadRecord {
  readonly circuit: string;
  /** Null before the first response. */
  readonly lastResponseAt: number | null;
  readonly lastFailure: { readonly at: number; readonly type: string } | null;
  /** When Perpdesk began to read the exchange. */
  readonly startedAt: number;
}

/** Long enough for Perpdesk to have tried an endpoint of its own choice as well. */
export const SILENT_MS = 30_000;

/** Returns whether the last read of the exchange failed, whichever endpoint it was for. */
export function isFailing({
  lastFailure,
  lastResponseAt,
}: Pick<ReadRecord, 'lastFailure' | 'lastResponseAt'>): boolean {
  return lastFailure !== null && (lastResponseAt === null || lastFailure.at > lastResponseAt);
}

/** Returns whether the exchange is unreachable or returns only errors. One failing endpoint is not an outage. */
export function isExchangeAway(record: ReadRecord, now: number): boolean {
  if (record.circuit !== 'closed') return true;
  return (
    isFailing(record) &&
    (record.lastFailure?.type === 'venue-unreachable' || now - (record.lastResponseAt ?? record.startedAt) > SILENT_MS)
  );
}
