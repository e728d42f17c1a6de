import type { Instant } from '#contract/exchange/instant.ts';
import type { RowKey } from '#page/client/page-window/row-key.ts';
import { toMillis } from '#model/time/session.ts';

/** The rows read so far, from which the rest is estimated. */
export interface LoadedRange {
  readonly first: RowKey;
  readonly last: RowKey;
  readonly rows: number;
}

/** Rows from the last one read to an instant, at the rate of those read; null if they have no rate. */
export function estimateRows({ first, last, rows }: LoadedRange, until: Instant): number | null {
  const read = Math.abs(toMillis(last.time) - toMillis(first.time));
  const distance = toMillis(until) - toMillis(last.time);
  const forwards = toMillis(last.time) >= toMillis(first.time) ? 1 : -1;
  if (read === 0 || rows < 2) return null;
  return Math.max(0, Math.ceil((distance * forwards * (rows - 1)) / read));
}

/** One request a page, and one more that finds the end. */
export function toRequests(rows: number, pageRows: number): number {
  return Math.ceil(rows / pageRows) + 1;
}
