import { toIntervalProgress, type FundingInterval } from '#domain/funding/funding-rate.ts';

/** Why there is no countdown although the exchange names an interval; null where there is one. */
export function whyNoCountdown(interval: FundingInterval | null, venueNow: number): string | null {
  if (interval === null || toIntervalProgress(interval, venueNow)?.isAhead !== true) return null;
  return `The exchange’s funding data lead to ${interval.interval_end}, which is later than the next funding time.`;
}
