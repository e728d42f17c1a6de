/** What the reads of the exchange say of it, whoever needed them. Times are in epoch milliseconds of one clock. */
export interface ReadRecord {
  readonly circuit: string;
  /** Null before the first response. */
  readonly lastAnswerAt: number | null;
  readonly lastFailure: { readonly at: number; readonly type: string } | null;
  /** Since when it has been read. */
  readonly startedAt: number;
}

/** By then, Perpdesk has also tried an endpoint of its own choice. */
export const SILENT_MS = 30_000;

/** Whether the last read of the exchange failed, of whichever endpoint. */
export function isFailing({ lastFailure, lastAnswerAt }: Pick<ReadRecord, 'lastFailure' | 'lastAnswerAt'>): boolean {
  return lastFailure !== null && (lastAnswerAt === null || lastFailure.at > lastAnswerAt);
}

/** Whether the exchange is out of reach or returns nothing but errors: one failing endpoint is no outage. */
export function isExchangeAway(record: ReadRecord, now: number): boolean {
  if (record.circuit !== 'closed') return true;
  return (
    isFailing(record) &&
    (record.lastFailure?.type === 'venue-unreachable' || now - (record.lastAnswerAt ?? record.startedAt) > SILENT_MS)
  );
}
