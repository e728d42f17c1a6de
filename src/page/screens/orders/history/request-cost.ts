import type { Instant } from '#contract/exchange/instant.ts';
import type { RowKey } from '#page/client/page-window/page-list.ts';
import { toMillis } from '#model/time/session.ts';

/** The rows read so far, which serve as the basis for estimates. */
export interface LoadedRange {
  readonly first: RowKey;
  readonly last: RowKey;
  readonly rows: number;
}

/**
 * Estimates the rows between the last one read and an instant, at the rate of the rows so far; null if they have no
 * rate.
 */
export function estimateRows({ first, last, rows }: LoadedRange, until: Instant): number | null {
  const read = Math.abs(toMillis(last.time) - toMillis(first.time));
  const distance = toMillis(until) - toMillis(last.time);
  const forwards = toMillis(last.time) >= toMillis(first.time) ? 1 : -1;
  if (read === 0 || rows < 2) return null;
  return Math.max(0, Math.ceil((distance * forwards * (rows - 1)) / read));
}

/** Returns the requests for so many rows: one per page, and one more that finds the end. */
export function toRequests(rows: number, pageRows: number): number {
  return Math.ceil(rows / pageRows) + 1;
}
