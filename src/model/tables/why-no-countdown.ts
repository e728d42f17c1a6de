import { toIntervalProgress, type FundingInterval } from '../funding/funding-rate.ts';

/** Explains why there is no countdown although the exchange names an interval; null if there is one. */
export function whyNoCountdown(interval: FundingInterval | null, venueNow: number): string | null {
  if (interval === null || toIntervalProgress(interval, venueNow)?.isAhead !== true) return null;
  return `The interval that the exchange reports ends at ${interval.interval_end}, later than the next funding time.`;
}
