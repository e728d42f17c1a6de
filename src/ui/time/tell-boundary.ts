import { NO_VALUE } from '#domain/format-number.ts';
import type { IntervalProgress } from '#domain/funding-rate.ts';
import { formatCountdown } from './format-time.ts';

/** Time to the boundary that the venue names; null: an interval that cannot be read. */
export function tellBoundary(progress: IntervalProgress | null, notCurrent: string | null): string {
  if (progress === null) return NO_VALUE;
  if (progress.secondsLeft > 0) return formatCountdown(progress.secondsLeft);
  return notCurrent === null ? 'settling' : NO_VALUE;
}
