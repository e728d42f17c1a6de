import { toIntervalProgress, type IntervalProgress } from '#domain/funding-rate.ts';
import { tellBoundary, tellUnknown } from '#ui/time/tell-boundary.ts';
import type { CompareRow } from './compare-row.ts';

type IntervalRow = Pick<CompareRow, 'interval' | 'estimate'>;

/** `9.4 % · 0.8 %`: of the interval, and of the final weight: later samples weigh more. */
export function toElapsedText(row: IntervalRow, venueNow: number): string {
  const progress = toProgress(row, venueNow);
  if (progress === null || progress.isOver) return tellUnknown(isAwaited(row));
  return `${formatShare(progress.elapsed)} · ${formatShare(progress.fixed)}`;
}

/** `9.4 %`, cut rather than rounded: what is not over never reads 100. */
export function formatShare(share: number): string {
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;
}

/** Time to the next boundary. */
export function toBoundaryText(row: IntervalRow, venueNow: number): string {
  return tellBoundary(toProgress(row, venueNow), isAwaited(row));
}

/** How far the interval has come, by its own times and the venue's clock. */
function toProgress({ interval }: IntervalRow, venueNow: number): IntervalProgress | null {
  return interval && toIntervalProgress(interval, venueNow);
}

/** What no print tells, the estimate may yet. */
function isAwaited({ estimate }: IntervalRow): boolean {
  return estimate === null;
}
