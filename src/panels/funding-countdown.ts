import { NO_VALUE } from '#domain/format/number.ts';
import { toIntervalProgress, type FundingInterval } from '#domain/funding/funding-rate.ts';
import { formatCountdown } from '#ui/time/format-time.ts';

interface TimeToFunding {
  readonly secondsLeft: number;
  /** So long past that it says nothing about the next funding time. */
  readonly isOver: boolean;
  /** Later than the next funding time. */
  readonly isAhead: boolean;
}

/** Countdown to the funding time; null where the exchange names none. An interval that has just ended is settling. */
export function formatFundingCountdown(time: TimeToFunding | null, isPending = false): string {
  if (time?.isAhead === true) return NO_VALUE;
  if (time === null || time.isOver) return formatMissing(isPending);
  return time.secondsLeft > 0 ? formatCountdown(time.secondsLeft) : 'settling';
}

/** Why there is no countdown although the exchange names an interval; null where there is one. */
export function whyNoCountdown(interval: FundingInterval | null, venueNow: number): string | null {
  if (interval === null || toIntervalProgress(interval, venueNow)?.isAhead !== true) return null;
  return `The exchange’s funding data lead to ${interval.interval_end}, which is later than the next funding time.`;
}

/** A value that may still arrive looks different from one that is missing. */
export function formatMissing(isPending: boolean): string {
  return isPending ? '…' : NO_VALUE;
}
