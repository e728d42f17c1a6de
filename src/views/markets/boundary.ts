import { toIntervalProgress } from '#domain/funding-rate.ts';
import type { DeskNow } from '#domain/funding/desk-now.ts';
import type { MarketFunding } from '#domain/market-funding.ts';
import { sourcesOf } from '#domain/quantity.ts';
import { tellBoundary } from '#ui/time/tell-boundary.ts';

/** Time to the next funding, by the venue's own end of the interval and the desk's clock. */
export function toBoundaryText({ estimate, interval, estimateNotCurrent }: MarketFunding, deskNow: DeskNow): string {
  const [source] = estimate ? sourcesOf(estimate) : [];
  if (interval === null || source === undefined) return '…';
  return tellBoundary(toIntervalProgress(interval, deskNow(source)), estimateNotCurrent === null);
}
