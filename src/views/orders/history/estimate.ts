import type { Instant } from '#contract/instant.ts';
import type { Place } from '#api/page-window/place.ts';
import { toMillis } from '#domain/session.ts';

/** What was read so far, from which the rest is guessed. */
export interface ReadSoFar {
  readonly first: Place;
  readonly last: Place;
  readonly rows: number;
}

/** Rows from the last one read to a moment, at the pace of those read; null where they tell no pace. */
export function estimateRows({ first, last, rows }: ReadSoFar, until: Instant): number | null {
  const read = Math.abs(toMillis(last.time) - toMillis(first.time));
  const way = toMillis(until) - toMillis(last.time);
  const forwards = toMillis(last.time) >= toMillis(first.time) ? 1 : -1;
  if (read === 0 || rows < 2) return null;
  return Math.max(0, Math.ceil((way * forwards * (rows - 1)) / read));
}

/** One request a page, and one more to hear that there is no more. */
export function toRequests(rows: number, pageRows: number): number {
  return Math.ceil(rows / pageRows) + 1;
}
