import { toIntervalProgress } from '#domain/funding-rate.ts';
import type { MarketFunding } from '#domain/market-funding.ts';
import { tellBoundary } from '#ui/time/tell-boundary.ts';

/** Time to the next funding, by the venue's own end of the interval and the venue's clock. */
export function toBoundaryText({ estimate, interval, estimateNotCurrent }: MarketFunding, venueNow: number): string {
  if (interval === null || estimate === null) return '…';
  return tellBoundary(toIntervalProgress(interval, venueNow), estimateNotCurrent === null);
}
