import { FUNDING_INTERVAL_HOURS } from '#contract/exchange/funding.ts';
import { parseInstant, toEpochMillis } from '#contract/exchange/instant.ts';
import type { PrintRow } from './print-rows.ts';

const HOUR_MS = 3_600_000;
const INTERVAL_MS = FUNDING_INTERVAL_HOURS * HOUR_MS;
const MAX_INTERVAL_MS = 24 * HOUR_MS;
/** A rate is published shortly after its funding time. */
const PUBLICATION_MS = 5_000;

/** When the next print can be read, by the exchange's clock: an interval of the same length after the last. */
export function toNextPrintTime({ endAt, text }: PrintRow): number {
  const end = toMillis(endAt);
  const length = end - toMillis(beginOf(text) ?? '');
  return end + (length > 0 && length <= MAX_INTERVAL_MS ? length : INTERVAL_MS) + PUBLICATION_MS;
}

/** Whether intervals are missing between two prints. */
export function leavesGap(print: PrintRow, next: PrintRow | undefined): boolean {
  return next !== undefined && toMillis(beginOf(next.text) ?? '') > toMillis(print.endAt);
}

/** How many funding times have passed whose rates should be published by now, by the exchange's clock. */
export function countFundingTimes(venueNow: number): number {
  return Math.floor((venueNow - PUBLICATION_MS) / INTERVAL_MS);
}

/** The start of a print's interval, as the exchange wrote it. */
export function beginOf(text: string): string | null {
  const row = JSON.parse(text) as unknown;
  const begin: unknown = typeof row === 'object' && row !== null && 'interval_start' in row ? row.interval_start : null;
  return typeof begin === 'string' && parseInstant(begin) !== null ? begin : null;
}

function toMillis(text: string): number {
  const nanos = parseInstant(text);
  return nanos === null ? Number.NaN : toEpochMillis(nanos);
}
