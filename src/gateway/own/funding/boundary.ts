import { FUNDING_INTERVAL_HOURS } from '#contract/funding.ts';
import { parseInstant, toEpochMillis } from '#contract/instant.ts';
import type { PrintRow } from './print-rows.ts';

const HOUR_MS = 3_600_000;
const USUAL_MS = FUNDING_INTERVAL_HOURS * HOUR_MS;
const LONGEST_MS = 24 * HOUR_MS;
/** A rate is published some moments after its interval. */
const SETTLE_MS = 5_000;

/** From when on there is a newer print to be read, by the venue's clock: a whole interval of its own length after the last. */
export function toNextPrintTime({ endAt, text }: PrintRow): number {
  const end = toMillis(endAt);
  const length = end - toMillis(beginOf(text) ?? '');
  return end + (length > 0 && length <= LONGEST_MS ? length : USUAL_MS) + SETTLE_MS;
}

/** Whether there is time between a print and the one after it of which nothing is known. */
export function leavesGap(print: PrintRow, next: PrintRow | undefined): boolean {
  return next !== undefined && toMillis(beginOf(next.text) ?? '') > toMillis(print.endAt);
}

/** How many intervals of the usual length have ended, and should be published, by the venue's clock. */
export function countBoundaries(venueNow: number): number {
  return Math.floor((venueNow - SETTLE_MS) / USUAL_MS);
}

/** Where a print's interval begins, as the venue wrote it. */
export function beginOf(text: string): string | null {
  const row = JSON.parse(text) as unknown;
  const begin: unknown = typeof row === 'object' && row !== null && 'interval_start' in row ? row.interval_start : null;
  return typeof begin === 'string' && parseInstant(begin) !== null ? begin : null;
}

function toMillis(text: string): number {
  const nanos = parseInstant(text);
  return nanos === null ? Number.NaN : toEpochMillis(nanos);
}
