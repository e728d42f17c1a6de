import { NO_VALUE } from '../format/number.ts';
import { formatCountdown } from '../format/format-time.ts';

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

/** A value that may still arrive looks different from one that is missing. */
export function formatMissing(isPending: boolean): string {
  return isPending ? '…' : NO_VALUE;
}
