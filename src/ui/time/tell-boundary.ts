import { NO_VALUE } from '#domain/format-number.ts';
import { SETTLING_SECONDS, type IntervalProgress } from '#domain/funding-rate.ts';
import { formatCountdown } from './format-time.ts';

/** Time to a boundary that was named; null: none was. What has just ended is being settled; what ended before that tells of no boundary to come. */
export function tellBoundary(ahead: Pick<IntervalProgress, 'secondsLeft'> | null): string {
  if (ahead === null || ahead.secondsLeft <= -SETTLING_SECONDS) return NO_VALUE;
  return ahead.secondsLeft > 0 ? formatCountdown(ahead.secondsLeft) : 'settling';
}
