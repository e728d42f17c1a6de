import { toIntervalProgress } from '#domain/funding-rate.ts';
import { NO_VALUE } from '#domain/format-number.ts';
import type { DeskNow } from '#domain/funding/desk-now.ts';
import type { MarketFunding } from '#domain/market-funding.ts';
import { sourcesOf } from '#domain/quantity.ts';
import { formatCountdown } from '#ui/time/format-time.ts';

/** Time to the next funding, by the venue's own end of the interval and the desk's clock. */
export function toBoundaryText({ estimate, interval, estimateNotCurrent }: MarketFunding, deskNow: DeskNow): string {
  const [source] = estimate ? sourcesOf(estimate) : [];
  if (interval === null || source === undefined) return '…';
  const progress = toIntervalProgress(interval, deskNow(source));
  if (progress === null) return NO_VALUE;
  if (progress.secondsLeft > 0) return formatCountdown(progress.secondsLeft);
  return estimateNotCurrent === null ? 'settling' : NO_VALUE;
}
