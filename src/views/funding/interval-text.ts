import { NO_VALUE } from '#domain/format-number.ts';
import type { Estimate } from '#domain/funding/estimate.ts';
import { toIntervalProgress, type IntervalProgress } from '#domain/funding-rate.ts';
import { tellBoundary } from '#ui/time/tell-boundary.ts';

const NOT_YET = '…';

/** How far the interval has come, by its own times and the venue's clock. */
function toProgress(answer: Estimate, venueNow: number): IntervalProgress | null {
  return toIntervalProgress(answer.value, venueNow);
}

/** `9 % · 1 %`: of the interval, and of the final weight: later samples weigh more. */
export function toElapsedText(answer: Estimate | null, venueNow: number): string {
  if (answer === null) return NOT_YET;
  const progress = toProgress(answer, venueNow);
  return progress === null ? NO_VALUE : `${String(Math.floor(progress.elapsed * 100))} % · ${String(Math.floor(progress.fixed * 100))} %`;
}

/** Time to the boundary that the venue names. */
export function toBoundaryText(answer: Estimate | null, venueNow: number): string {
  return answer === null ? NOT_YET : tellBoundary(toProgress(answer, venueNow), answer.notCurrent === null);
}
