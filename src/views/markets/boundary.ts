import { toIntervalProgress } from '#domain/funding-rate.ts';
import type { MarketFunding } from '#domain/market-funding.ts';
import { tellBoundary } from '#ui/time/tell-boundary.ts';

/** Time to the next funding, by the end of the interval in progress and the venue's clock. What no print tells, the estimate may yet. */
export function toBoundaryText({ estimate, interval }: MarketFunding, venueNow: number): string {
  return tellBoundary(interval && toIntervalProgress(interval, venueNow), estimate === null);
}
