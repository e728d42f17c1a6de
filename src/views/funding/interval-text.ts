import { NO_VALUE } from '#domain/format-number.ts';
import type { DeskNow } from '#domain/funding/desk-now.ts';
import type { Estimate } from '#domain/funding/estimate.ts';
import { toIntervalProgress, type IntervalProgress } from '#domain/funding-rate.ts';
import { tellBoundary } from '#ui/time/tell-boundary.ts';

const NOT_YET = '…';

/** How far the interval has come, by its own times and the desk's clock. */
function toProgress(answer: Estimate, deskNow: DeskNow): IntervalProgress | null {
  return toIntervalProgress(answer.value, deskNow(answer));
}

/** `9 % · 1 %`: of the interval, and of the final weight: later samples weigh more. */
export function toElapsedText(answer: Estimate | null, deskNow: DeskNow): string {
  if (answer === null) return NOT_YET;
  const progress = toProgress(answer, deskNow);
  return progress === null ? NO_VALUE : `${String(Math.floor(progress.elapsed * 100))} % · ${String(Math.floor(progress.fixed * 100))} %`;
}

/** Time to the boundary that the venue names. */
export function toBoundaryText(answer: Estimate | null, deskNow: DeskNow): string {
  return answer === null ? NOT_YET : tellBoundary(toProgress(answer, deskNow), answer.notCurrent === null);
}
